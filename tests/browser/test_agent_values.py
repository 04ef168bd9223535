"""What is written into fields: values that mean something to the page, and that it accepts."""

import re
from typing import Any

import pytest

from tests.browser.stage import Stage

Fields = dict[str, list[str]]  # attributes of a field -> the values that are tried


async def tried(stage: Stage, fields: Fields, tag: str = "input", **settings: Any) -> Fields:
    """All fields on one page, and what is tried in each."""
    html = "".join(
        f"<p><label for=f-{n}>x</label><{tag} id=f-{n} {field}></{tag}></p>" for n, field in enumerate(fields)
    )
    found: Fields = {field: [] for field in fields}
    for event in await stage.events(html, **settings):
        said = re.fullmatch(rf"input {tag}#f-(\d+) = (.*)", event)
        assert said is not None, event
        found[list(fields)[int(said[1])]].append(said[2])
    return found


async def test_every_type_of_field(stage: Stage) -> None:
    fields = {
        "": ["test"],
        "type=text": ["test"],
        "type=nonsense": ["test"],
        "type=search": ["test"],
        "type=email": ["ann@example.com"],
        "type=tel": ["+1 202 555 0147"],
        "type=url": ["http://example.com/"],
        "type=number": ["1", "7"],
        "type=range": ["0", "100"],
        "type=date": ["2024-02-29"],
        "type=time": ["12:30"],
        "type=month": ["2024-02"],
        "type=week": ["2024-W09"],
        "type=datetime-local": ["2024-02-29T12:30"],
        "type=color": ["#336699"],
        "type=hidden": [],
        "readonly": [],
        "disabled": [],
    }
    assert await tried(stage, fields) == fields


async def test_a_password_is_not_reported(stage: Stage) -> None:
    view = await stage.show("<input id=p type=password onchange='log(this.value.length)'>")
    assert await view.events() == ["input input#p = …1"]
    assert await view.log("input input#p = …1") == ["10"]


async def test_what_a_field_is_for(stage: Stage) -> None:
    fields = {
        "name=e-mail": ["ann@example.com"],
        "name=x autocomplete=tel": ["+1 202 555 0147"],
        "name=home_phone": ["+1 202 555 0147"],
        "placeholder='ZIP code'": ["10115"],
        "name=username": ["ann"],
        "name=first_name": ["Ann"],
        "aria-label='Family name'": ["Lee"],
        "name=name": ["Ann Lee"],
        "name=shippingCity": ["Berlin"],
        "name=country": ["Germany"],
        "name=street": ["1 Main Street"],
        "autocomplete=cc-number": ["4111111111111111"],
        "name=year": ["2024"],
        "name=quantity": ["7"],
        "name=childs_age": ["30"],
        "name=message": ["test"],
        "name=hotel": ["test"],
        "name=anything": ["test"],
    }
    assert await tried(stage, fields) == fields
    assert await tried(stage, fields, "textarea") == fields


async def test_labels_tell_what_a_field_is_for(stage: Stage) -> None:
    html = "<label>Your city <input id=a></label><label for=b>Country</label><input id=b>"
    assert await stage.events(html) == ["input input#a = Berlin", "input input#b = Germany"]


LANGUAGES = {
    "de": {
        "Vorname": "Ann",
        "Nachname": "Lee",
        "PLZ": "10115",
        "Stadt": "Berlin",
        "Land": "Deutschland",
        "Telefon": "+49",
    },
    "fr": {"Prénom": "Ann", "Nom": "Ann Lee", "Code postal": "75001", "Ville": "Paris", "Pays": "France"},
    "es": {"Apellidos": "Lee", "Correo electrónico": "ann@example.com", "Ciudad": "Madrid", "Calle": "Calle Mayor 1"},
    "it": {"Cognome": "Lee", "Nome": "Ann Lee", "CAP": "00184", "Città": "Roma", "Indirizzo": "Via Roma 1"},
    "pt": {"Sobrenome": "Lee", "Telemóvel": "+351", "Cidade": "Lisboa", "País": "Portugal", "Morada": "Rua Augusta 1"},
    "nl": {"Voornaam": "Ann", "Achternaam": "Lee", "Postcode": "1012 AB", "Woonplaats": "Amsterdam", "Bedrijf": "Acme"},
    "pl": {"Imię": "Ann", "Nazwisko": "Lee", "Kod pocztowy": "00-001", "Miasto": "Warszawa", "Kraj": "Polska"},
    "ja": {
        "姓": "山田",
        "名": "花子",
        "氏名": "山田 花子",
        "郵便番号": "100-0001",
        "電話番号": "03-",
        "住所": "千代田1-1",
    },
    "zh": {"姓名": "王芳", "手机号码": "13800000147", "邮箱": "ann@example.com", "城市": "北京", "地址": "长安街1号"},
}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_labels_in_other_languages(stage: Stage, language: str) -> None:
    labels = LANGUAGES[language]
    html = "".join(f"<label>{label} <input id=f{n}></label>" for n, label in enumerate(labels))
    events = await stage.events(f"<div lang={language}>{html}</div>")
    said = [event.partition(" = ")[2] for event in events]
    assert [text[: len(start)] for text, start in zip(said, labels.values(), strict=True)] == list(labels.values())


async def test_a_value_is_spelt_as_the_page_wants_it(stage: Stage) -> None:
    fields = {
        "name=zip pattern='[0-9]{3}-[0-9]{4}'": ["100-0001"],
        "name=phone pattern='[0-9]+'": ["2025550147"],
        "name=birthday placeholder=DD.MM.YYYY pattern='[0-9]{2}[.][0-9]{2}[.][0-9]{4}'": ["29.02.2024"],
        "name=capacity": ["test"],
        "name=age type=number": ["30"],
        "name=age type=number min=18 max=21": ["18", "21"],
        "name=year type=number min=2000": ["2024", "2000"],
    }
    assert await tried(stage, fields) == fields


async def test_the_page_accepts_what_is_written(stage: Stage) -> None:
    fields = {
        "pattern=[0-9]{5}": ["12345"],
        "pattern=[A-Z]{3}": ["ABC"],
        "pattern=[a-z]+": ["test"],
        "name=city pattern=[0-9]{4}": ["1234"],
        "pattern=impossible[0-9]{40}": [],
        "maxlength=3": ["a"],
        "name=street maxlength=4": ["test"],
        "minlength=15": ["aaaaaaaaaaaaaaaaaaaa"],
        "type=number min=3 max=5": ["3", "5"],
        "type=number min=3": ["3"],
        "type=number max=-2": ["-2"],
        "type=number min=4 max=4": ["4"],
        "type=number min=0 max=5 step=2": ["0"],
        "type=range min=-1 max=1": ["-1", "1"],
        "type=range min=5 max=5": [],  # it is there already
        "type=email pattern=.+@example[.]com": ["ann@example.com"],
    }
    assert await tried(stage, fields) == fields


async def test_the_length_of_a_text(stage: Stage) -> None:
    fields = {"maxlength=3": ["a"], "minlength=18": ["aaaaaaaaaaaaaaaaaaaa"], "maxlength=0": []}
    assert await tried(stage, fields, "textarea") == fields


async def test_what_is_offered_is_taken(stage: Stage) -> None:
    listed = "<datalist id=l><option>x<option value=y>why<option>z</datalist>"
    assert await stage.events(f"<input id=f list=l>{listed}") == [
        "input input#f = x",
        "input input#f = y",
        "input input#f = z",
    ]
    assert await stage.events(f"<input id=f list=l maxlength=0>{listed}") == []
    many = "<datalist id=l>" + "".join(f"<option>{n}" for n in range(20)) + "</datalist>"
    assert len(await stage.events(f"<input id=f list=l>{many}")) == 4


async def test_what_is_there_already_is_not_tried(stage: Stage) -> None:
    view = await stage.show("<input id=f type=number min=1 max=2 value=1>")
    assert await view.events() == ["input input#f = 2"]
    await view.fire("input input#f = 2")
    assert await view.events() == ["input input#f = 1"]


async def test_values_of_the_user_come_first(stage: Stage) -> None:
    values = (("city|place", ("Rome", "Oslo")), ("^number", ("42",)), ("code", ("no good",)))
    fields = {
        "name=city": ["Rome", "Oslo"],
        "name=PLACE": ["Rome", "Oslo"],
        "type=number": ["42"],
        "type=number max=9": ["1"],  # what is asked for is not accepted
        "name=code pattern=[0-9]+": ["1"],
        "name=country": ["Germany"],
    }
    assert await tried(stage, fields, agent={"values": values}) == fields


async def test_values_of_the_user_in_text_that_can_be_edited(stage: Stage) -> None:
    html = "<div id=note contenteditable>old</div>"
    settings = {"agent": {"values": (("note", ("mine", "old")),)}}
    assert await stage.events(html, **settings) == ["input div#note = mine"]
