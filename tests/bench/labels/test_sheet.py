"""Sheets show how a state differs from the most similar one before it."""

from bench.labels.sheet import Sampled, differences


def test_a_state_is_compared_with_the_most_similar_one_before_it() -> None:
    shown = [Sampled("", "", "", lines.split()) for lines in ("a b c", "x y z", "a b d", "a b c")]
    found = list(differences(shown))
    assert [nearest for nearest, _ in found] == [-1, 0, 0, 0]
    assert [line for line in found[2][1] if line[0] in "+-"] == ["-c", "+d"]
    assert found[3][1] == []
