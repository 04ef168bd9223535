"""The server of the periodic table knows the elements of the model, and where they stand."""

import pytest

from statecrawl.testbed.periodic_table import ELEMENTS, SOUNDING
from statecrawl.testbed.sites.periodic_table import BELLS, SYMBOLS, electrons, facts, place, site
from tests.testbed.sites.asking import asked


def test_the_cells_are_the_elements_of_the_model_in_order() -> None:
    (answer,) = asked(site(), "/elements")
    assert tuple(cell["name"] for cell in answer.json) == ELEMENTS
    assert [cell["number"] for cell in answer.json] == list(range(1, 119))


def test_no_two_cells_stand_in_the_same_place() -> None:
    (answer,) = asked(site(), "/elements")
    places = {(cell["row"], cell["column"]) for cell in answer.json}
    assert len(places) == len(ELEMENTS)
    assert {row for row, _ in places} == {1, 2, 3, 4, 5, 6, 7, 9, 10}
    assert {column for _, column in places} == set(range(1, 19))


def test_every_cell_can_be_told_by_its_symbol() -> None:
    assert len(set(SYMBOLS)) == len(SYMBOLS) == len(ELEMENTS)


def test_every_element_has_a_window_of_its_own() -> None:
    answers = asked(site(), *(f"/element/{name}" for name in ELEMENTS))
    assert tuple(answer.json["name"] for answer in answers) == ELEMENTS
    assert tuple(answer.json["symbol"] for answer in answers) == SYMBOLS
    assert all(sum(answer.json["shells"]) == number for number, answer in enumerate(answers, start=1))


def test_the_elements_that_sound() -> None:
    answers = asked(site(), *(f"/element/{name}" for name in ELEMENTS))
    sounding = {answer.json["name"] for answer in answers if answer.json["bell"]}
    assert sounding == set(SOUNDING) == set(BELLS)


def test_there_is_no_other_element() -> None:
    (answer,) = asked(site(), "/element/phlogiston")
    assert answer.status == 404
    with pytest.raises(ValueError, match="no element 119"):
        place(119)


@pytest.mark.parametrize(
    ("name", "period", "group", "block"),
    [
        ("hydrogen", 1, 1, "s"),
        ("helium", 1, 18, "s"),
        ("carbon", 2, 14, "p"),
        ("iron", 4, 8, "d"),
        ("lanthanum", 6, None, "f"),
        ("lutetium", 6, 3, "d"),
        ("lead", 6, 14, "p"),
        ("oganesson", 7, 18, "p"),
    ],
)
def test_places_known_from_school(name: str, period: int, group: int | None, block: str) -> None:
    told = facts(ELEMENTS.index(name) + 1)
    assert (told["period"], told["group"], told["block"]) == (period, group, block)


def test_shells_known_from_school() -> None:
    iron = facts(26)
    assert iron["shells"] == [2, 8, 14, 2]
    assert iron["configuration"] == "1s² 2s² 2p⁶ 3s² 3p⁶ 3d⁶ 4s²"
    assert list(electrons(19))[-1] == ((4, 0), 1)  # potassium: the fourth shell is begun before the third is full
