"""Positions as arrays."""

import json
from pathlib import Path

import alinea
import numpy as np
import pytest
from alinea import data


def test_random_positions_of_every_game(name):
    positions, again = data.random(name, 40, seed=1), data.random(name, 40, seed=1)
    for array, same in zip(positions.arrays().values(), again.arrays().values()):
        assert len(array) == 40 and (array == same).all()
    assert positions.legal[np.arange(40), positions.action].all()


@pytest.mark.parametrize("spec", ["tic-tac-toe", "connect-four:4x5"])
def test_solved_positions_are_exact(spec):
    positions = data.solved(spec, 60, seed=3, plies=(2, 6))
    assert ((positions.result > -2) == positions.legal).all()
    assert (positions.value == positions.result.max(axis=1)).all()
    assert (positions.result[np.arange(60), positions.action] == positions.value).all()
    for row in range(60):
        best = positions.plies[row][positions.result[row] == positions.value[row]]
        pick = positions.plies[row, positions.action[row]]
        assert pick == (best.min() if positions.value[row] == 1 else best.max())


def test_played_positions_follow_the_games():
    positions = data.played("smart:2", "random", "connect-four", pairs=3, seed=2)
    games = alinea.match("smart:2", "random", "connect-four", pairs=3, seed=2).games
    assert len(positions) == sum(len(game.moves) for game in games)
    assert positions.legal[np.arange(len(positions)), positions.action].all()
    assert (positions.turn == positions.ply % 2).all() and positions.observation[0].sum() == 42


def test_arrow_tables_hold_the_same():
    positions = data.solved("tic-tac-toe", 20)
    table = positions.to_arrow()
    assert table.num_rows == 20 and set(table.column_names) == set(positions.arrays())
    assert table.schema.metadata == {b"game": b"tic-tac-toe", b"observation": b"3x3x3"}
    flat = table["observation"].combine_chunks().flatten().to_numpy()
    assert (flat.reshape(positions.observation.shape) == positions.observation).all()


def test_bad_bounds_are_refused():
    with pytest.raises(ValueError, match="plies cannot be from 5 to 2"):
        data.solved("tic-tac-toe", 3, plies=(5, 2))


# Made by `alinea dataset make`: tic-tac-toe --random --plies 3-7 --count 12, which the tests of that command make again,
# and simplexity --players random random --count 2 --values nodes=200 --plies 6-9.
DATASETS = Path(__file__).parent / "datasets"


def test_a_data_set_of_proofs_is_read_as_solved_positions():
    positions = data.read(DATASETS / "solved")
    assert len(positions) == 12 and positions.spec == "tic-tac-toe"
    rows = np.arange(12)
    assert ((positions.result > -2) == positions.legal).all() and ((positions.chance > -2) == positions.legal).all()
    assert (positions.chance == positions.result).all()
    assert (positions.value == positions.result.max(axis=1)).all()
    assert (positions.result[rows, positions.action] == positions.value).all()
    lines = [json.loads(line) for line in (DATASETS / "solved" / "positions.jsonl").read_text().splitlines()]
    for row, line in zip(rows, lines):
        assert (positions.observation[row] == alinea.Game("tic-tac-toe", line["moves"]).observe()).all()
    splits = {line["split"] for line in lines}
    assert sum(len(data.read(DATASETS / "solved", split)) for split in splits) == 12


def test_a_searched_data_set_is_read_as_played_positions():
    positions = data.read(DATASETS / "searched")
    assert positions.result is None and positions.plies is None
    assert ((positions.chance > -2) == positions.legal).all() and (positions.chance <= 1).all()
    assert positions.legal[np.arange(len(positions)), positions.action].all()
    assert (positions.turn == positions.ply % 2).all() and set(positions.value) <= {-1, 0, 1}


def test_an_unknown_split_is_refused():
    with pytest.raises(ValueError, match="has no positions of the split all"):
        data.read(DATASETS / "solved", "all")
