"""What the benchmark knows about one application."""

from dataclasses import dataclass
from typing import Literal

Step = dict[str, str]  # of a login, as in the files of --login


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """A third-party application: which packages it is made of, and how it is started.

    Without a command, files are served: the page of the same name in `pages/`, if there is one, as `/`, and the
    installed packages as `/npm/`. A command may contain `{port}`, `{bin}` (programs of the packages), `{modules}`
    (packages of npm), `{sites}` (our launch scripts), `{docs}` (the documentation of this repository) and `{data}` (an
    empty directory, which is also its working directory).
    """

    name: str
    source: Literal["npm", "pypi"] = "npm"
    packages: tuple[str, ...]  # with their versions, as npm and pip expect them
    command: tuple[str, ...] = ()
    start: str = "/"  # path of its first page
    login: tuple[Step, ...] = ()
    session: str = ""  # element that shows that the login worked

    @property
    def page(self) -> str:
        """Name of the file in `pages/`."""
        return f"{self.name}.html"

    def login_file(self) -> str:
        """Return the login as `--login` reads it."""
        steps = "".join(
            "\n[[step]]\n" + "".join(f"{key} = '{value}'\n" for key, value in step.items()) for step in self.login
        )
        return f"session = '{self.session}'\n{steps}"
