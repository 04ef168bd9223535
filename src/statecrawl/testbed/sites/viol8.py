"""The application that breaks every promise of a hypercube, as the counter where a parcel is sent.

Three things are to be done with a parcel, in any order: wrap, seal, address. It first looks as if each could be done
once, whatever the order. But what is sealed hides whether it was wrapped; what is sealed and addressed is taken away
at once; and whoever seals an addressed parcel that is not wrapped must wrap it after all, and choose a carrier. That
is the model, with e1 = wrap, e2 = seal, e3 = address, e4 = by post and e5 = by courier. Everything takes a moment: the
page changes at the end of a chain of timers.
"""

from statecrawl.testbed.sites.site import Site


def site() -> Site:
    """Return the site, on which one parcel is prepared."""
    return Site(folder="viol8")
