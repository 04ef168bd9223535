"""Coverage as a report tells it."""

from statecrawl.ports.coverage import Function, Script
from statecrawl.report.crawl.coverage import files_of


def test_the_script_with_most_that_never_ran_comes_first() -> None:
    small = Function(name="small", line=1, start=0, end=10, ran=False)
    large = Function(name="large", line=3, start=20, end=90, ran=False)
    ran = Function(name="ran", line=2, start=10, end=20, ran=True)
    whole = Script(url="a", hash="0", length=500, covered=((0, 500),), functions=(ran,))
    part = Script(url="b", hash="0", length=100, covered=((0, 5), (10, 20)), functions=(small, ran, large))
    first, second = files_of([whole, part])
    assert (first.url, first.covered, first.functions, first.ran) == ("b", 15, 3, 1)
    assert first.never == (("large", 3, 70), ("small", 1, 10))
    assert (second.url, second.covered, second.never) == ("a", 500, ())
