"""The golden data of the rules and the solver, which independent programs made, through Python."""

import json
from pathlib import Path

import alinea
import pytest
from alinea import Game

CRATES = Path(__file__).parents[2] / "crates"
RULES = CRATES / "rules/tests/golden"
MOST_SEQUENCES = 1_000_000


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("file, spec", [("simplexity_games.jsonl", None), ("chess_five_games.jsonl", "chess-five")])
def test_recorded_games_end_as_recorded(file, spec):
    records = lines(RULES / file)
    assert records
    for record in records:
        game = Game(record.get("game", spec), record["moves"])
        assert (game.outcome, game.line) == (record["winner"], record["line"])


def test_recorded_positions_have_the_recorded_moves():
    for record in lines(RULES / "chess_five_positions.jsonl"):
        game = Game("chess-five", position=record["position"])
        assert sorted(game.legal_moves) == record["legal"]
        winning = [m for m in game.legal_moves if Game(game.spec, m, game.position).outcome == game.turn]
        assert sorted(winning) == record["winning"]


def test_perft_counts_are_as_listed():
    game, checked = Game(), 0
    for line in (RULES / "perft.txt").read_text().splitlines():
        word, *rest = line.split() or ["#"]
        if word == "spec":
            game = Game(rest[0])
        elif word == "perft" and int(rest[1]) <= MOST_SEQUENCES:
            assert game.perft(int(rest[0])) == int(rest[1])
            checked += 1
    assert checked > 20


def test_solved_positions_have_the_recorded_scores():
    records = [line.split() for line in (CRATES / "solver/tests/golden/connect_four_solved.txt").read_text().splitlines()]
    easy = [(moves, int(score)) for kind, moves, score in records if kind == "end-easy"][:30]
    assert len(easy) == 30
    for moves, score in easy:
        solution = alinea.solve(Game("connect-four", moves))
        assert solution.score == score == max(solution.scores.values())
        assert all(solution.scores[m] == score for m in solution.best)
