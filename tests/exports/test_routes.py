"""Routes: which paths are one, and which are not."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.exports.routes import routes

PARTS = st.lists(st.sampled_from(["api", "users", "11", "12", "a{b}", "new", "%7B", ""]), min_size=1, max_size=4)


def shown(*paths: str) -> list[str]:
    return [route for route, _ in routes(dict.fromkeys(paths)).values()]


def test_ids_become_parameters_that_are_named_after_what_they_are_of() -> None:
    assert shown("/users/11/orders/12", "/users/12/orders/13") == ["/users/{userId}/orders/{orderId}"] * 2
    assert shown("/categories/5", "/status/5", "/7/8") == [
        "/categories/{categoryId}",
        "/status/{statusId}",
        "/{id}/{id2}",
    ]


def test_words_stay_unless_there_are_many_of_one_kind() -> None:
    words = [f"/api/{word}" for word in ("ann", "ben", "cat", "dan", "eve")]
    assert shown(*words[:4]) == words[:4]
    assert set(shown(*words)) == {"/api/{apiId}"}
    kinds = routes({word: number for number, word in enumerate(words)})
    assert [route for route, _ in kinds.values()] == words, "what is answered differs"


def test_values_of_parameters() -> None:
    assert routes({"/users/11": 0})["/users/11"] == ("/users/{userId}", {"userId": "11"})


@given(st.lists(PARTS.map("/".join).map("/{}".format), max_size=8))
def test_a_route_with_its_values_is_its_path(paths: list[str]) -> None:
    for path, (route, values) in routes(dict.fromkeys(paths)).items():
        filled = route
        for name, value in values.items():
            assert f"{{{name}}}" in route
            filled = filled.replace(f"{{{name}}}", value)
        assert filled == "/" + path.lstrip("/").replace("{", "%7B").replace("}", "%7D")
