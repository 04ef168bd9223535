"""Every application of the testbed that exists as a web application, by the name it has in the catalogue.

Some have no complete model. Three test what a crawler sees and not how it plans: kinds, office and volatile. Of three
others, which have too many states, the components are known (`testbed.component_truths`): basket, calendar and desk.
"""

from collections.abc import Callable

from statecrawl.errors import BadInput, UnknownName
from statecrawl.testbed.catalogue import ENTRIES, application
from statecrawl.testbed.sites import (
    altoro,
    basket,
    bebop,
    clip_marks,
    company,
    desk,
    dyna_table,
    elfinder,
    file_tree,
    hypercube,
    kinds,
    linked,
    menusite,
    month_calendar,
    office,
    pager,
    periodic_table,
    tiny,
    viol8,
    volatile,
    widgets,
)
from statecrawl.testbed.sites.site import Site

SITES: dict[str, Callable[..., Site]] = {
    "altoro": altoro.site,
    "basket": basket.site,
    "bebop": bebop.site,
    "calendar": month_calendar.site,
    "clip-marks": clip_marks.site,
    "desk": desk.site,
    "dyna-table": dyna_table.site,
    "elfinder": elfinder.site,
    "file-tree": file_tree.site,
    "hypercube": hypercube.site,
    "kinds": kinds.site,
    "linked": linked.site,
    "menusite": menusite.site,
    "office": office.site,
    "pager": pager.site,
    "periodic-table": periodic_table.site,
    "test-ria": company.site,
    "tiny": tiny.site,
    "viol8": viol8.site,
    "volatile": volatile.site,
    "widgets": widgets.site,
}


def site_named(spec: str) -> Site:
    """Return the site with this name, as in the catalogue: "altoro", "hypercube:10".

    Raises UnknownName for a name that has no site, BadInput for parameters that the catalogue refuses.
    """
    name, colon, _ = (part.strip() for part in spec.partition(":"))
    if name not in SITES:
        if name in ENTRIES:
            raise BadInput(f"{name} exists as a model only, without pages; these have pages: {', '.join(SITES)}.")
        raise UnknownName("application", name, SITES)
    if name in ENTRIES:
        _, _, parameters = application(spec).name.partition(":")  # built only to check what was asked
        return SITES[name](*(int(part) if part.isdecimal() else part for part in parameters.split(",") if part))
    if colon:
        raise BadInput(f"'{spec}' cannot be served: {name} takes no parameters, write {name}.")
    return SITES[name]()
