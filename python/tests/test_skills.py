"""Skills: the figures are those of the page, and bad input gets one sentence."""

import alinea
import pytest

LOST = alinea.Game("tic-tac-toe", "a1 b2 b1 a3 c1")
DRAWN = alinea.Game("tic-tac-toe", "b2 a1 c1 a3 a2 c2 b3 b1 c3")
MONTH = 30 * 24 * 3600


def test_a_profile_counts_the_chances_of_one_player():
    found = alinea.skills([(LOST, "second"), (LOST, "first"), (DRAWN, "first")])
    assert (found.games, found.of) == (3, len(found.chances))
    assert found.right == sum(chance.right for chance in found.chances)
    for skill in found.skills:
        mine = [chance.right for chance in found.chances if chance.skill == skill.skill]
        assert (skill.right, skill.of) == (sum(mine), len(mine))
        assert skill.low <= skill.high and (skill.rate is None) == (skill.of < 5)
    wins = [chance for chance in found.chances if chance.skill == "own-wins"]
    assert [(chance.game, chance.ply, chance.right) for chance in wins] == [(1, 4, True)]


def test_a_trend_needs_times():
    blocks = alinea.Game("tic-tac-toe", "a1 b2 b1 c1 a3 a2 c2")
    games = [(LOST, "second")] * 8 + [(blocks, "second")] * 42
    times = [0] * 8 + [2 * MONTH] * 42
    assert alinea.skills(games, depth=1)["stops-threats"].trend is None
    found = alinea.skills(games, times, depth=1)["stops-threats"]
    assert (found.before, found.trend) == (0, "better") and found.rate > 0.8
    assert found.weeks[-1]["ago"] == 0


@pytest.mark.parametrize(
    "games, times, error",
    [
        ([], None, "there are no games"),
        ([(LOST, "third")], None, "third"),
        ([(LOST, "first"), (alinea.Game("gomoku"), "first")], None, "all games must be of one kind, not tic-tac-toe"),
        ([(LOST, "first")], [], "1 games need as many times, not 0"),
        ([(LOST, "first")], [-1], "-1 is not a time"),
    ],
)
def test_bad_input_is_explained(games, times, error):
    with pytest.raises(ValueError, match=error):
        alinea.skills(games, times)
