"""The applications: none was written here, and none is changed.

Where a package is a whole application, it is crawled as it comes. Where it is a widget, a page in `pages/` or a script
in `sites/` uses it as its documentation shows.
"""

from bench.applications.application import Application

PASSWORD = "bench-password-1"  # noqa: S105 — of accounts that exist for one run
PYTHON = "{bin}/python"


def _files(folder: str) -> tuple[str, ...]:
    """Serve one folder of the packages as a whole site: the application expects it, or links to others beside it."""
    return ("python3", "-m", "http.server", "--bind", "127.0.0.1", "--directory", "{modules}/" + folder, "{port}")


LISTED = (
    Application(
        name="react-router",
        packages=(
            "react@18.3.1",
            "react-dom@18.3.1",
            "@remix-run/router@1.23.0",
            "react-router@6.30.1",
            "react-router-dom@6.30.1",
        ),
    ),
    Application(name="swagger-ui", packages=("swagger-ui-dist@5.34.1",)),
    Application(
        name="django-admin",
        source="pypi",
        packages=("Django==5.2.8",),
        command=(PYTHON, "{sites}/django_admin.py", "{port}", PASSWORD),
        start="/admin/",
        login=(
            {"fill": "#id_username", "value": "admin"},
            {"fill": "#id_password", "value": PASSWORD},
            {"click": "input[type=submit]"},
        ),
        session="#user-tools",
    ),
    Application(name="jkanban", packages=("jkanban@1.3.1",)),
    Application(
        name="streamlit",
        source="pypi",
        packages=("streamlit==1.51.0",),
        command=(
            "{bin}/streamlit",
            "hello",
            "--server.port",
            "{port}",
            "--server.address",
            "127.0.0.1",
            "--server.headless",
            "true",
            "--browser.gatherUsageStats",
            "false",
        ),
    ),
    Application(name="svgedit", packages=("svgedit@7.3.8",), start="/npm/svgedit/dist/editor/index.html"),
    Application(
        name="datasette",
        source="pypi",
        packages=("datasette==0.65.2", "datasette-auth-passwords==1.1.1", "setuptools==80.9.0"),
        command=(PYTHON, "{sites}/datasette_site.py", "{port}", PASSWORD),
        start="/",
        login=(
            {"goto": "/-/login"},
            {"fill": "input[name=username]", "value": "admin"},
            {"fill": "input[name=password]", "value": PASSWORD},
            {"click": "input[type=submit]"},
        ),
        session=".nav-menu",
    ),
    Application(
        name="todomvc-react",
        packages=("todomvc-react@1.0.4",),
        command=_files("todomvc-react/dist"),
    ),
    Application(name="jquery-ui", packages=("jquery-ui-dist@1.13.3",), start="/npm/jquery-ui-dist/"),
    Application(
        name="dash",
        source="pypi",
        packages=("dash==3.2.0",),
        command=(PYTHON, "{sites}/dash_board.py", "{port}"),
    ),
    Application(name="bootstrap", packages=("bootstrap@5.3.8",)),
    Application(
        name="mkdocs-material",
        source="pypi",
        packages=("mkdocs-material==9.6.23",),
        command=(PYTHON, "{sites}/mkdocs_site.py", "{port}", "{docs}"),
    ),
    Application(name="fullcalendar", packages=("fullcalendar@6.1.21",)),
    Application(
        name="sb-admin-2", packages=("startbootstrap-sb-admin-2@4.1.4",), start="/npm/startbootstrap-sb-admin-2/"
    ),
    Application(
        name="gradio",
        source="pypi",
        packages=("gradio==5.49.1",),
        command=(PYTHON, "{sites}/gradio_demo.py", "{port}", PASSWORD),
        login=(
            {"fill": "input[type=text], textarea", "value": "admin"},
            {"fill": "input[type=password]", "value": PASSWORD},
            {"click": "button"},
        ),
        session="[role=tab]",
    ),
    Application(
        name="todomvc-vue",
        packages=("todomvc@0.1.1",),
        command=_files("todomvc/examples/vue"),
    ),
    Application(name="jquery-ui-form", packages=("jquery-ui-dist@1.13.3", "jquery@3.7.1")),
    Application(
        name="todomvc-backbone",
        packages=("todomvc@0.1.1",),
        command=_files("todomvc/examples/backbone"),
    ),
    Application(
        name="tui-calendar", packages=("@toast-ui/calendar@2.1.3", "tui-date-picker@4.3.3", "tui-time-picker@2.1.6")
    ),
    Application(name="tabulator", packages=("tabulator-tables@6.3.1",)),
    Application(name="datatables", packages=("datatables.net@3.1.2", "datatables.net-dt@3.1.2", "jquery@4.0.0")),
    Application(name="grapesjs", packages=("grapesjs@0.22.13",)),
    Application(name="shoelace", packages=("@shoelace-style/shoelace@2.20.1",)),
    Application(name="sweetalert2", packages=("sweetalert2@11.26.3", "choices.js@11.1.0")),
    Application(name="sortablejs", packages=("sortablejs@1.15.6",)),
    Application(name="jstree", packages=("jstree@3.3.17", "jquery@3.7.1")),
    Application(name="vis-timeline", packages=("vis-timeline@8.3.1",)),
    Application(name="leaflet", packages=("leaflet@1.9.4",)),
)
APPLICATIONS = {application.name: application for application in LISTED}
