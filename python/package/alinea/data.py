"""Positions as arrays: random ones, those of games between players, exactly solved ones, and those of a data set.

>>> from alinea import data
>>> positions = data.solved("connect-four:4x5", 100, seed=1)
>>> positions.observation.shape, positions.value.shape, positions.result.shape
((100, 3, 4, 5), (100,), (100, 5))

NumPy computes with the arrays, pandas with a table of them:

>>> winning = (positions.result == 1).sum(axis=1)     # how many moves win
>>> (winning > 0).tolist() == (positions.value == 1).tolist()
True
>>> import pandas
>>> table = pandas.DataFrame({"ply": positions.ply, "value": positions.value, "winning": winning})
>>> table.groupby("value").winning.max()[[-1, 0]].tolist()
[0, 0]
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from ._contest import match
from ._native import Batch, Game
from ._players import AnyPlayer

if TYPE_CHECKING:
    import pyarrow

__all__ = ["Positions", "played", "random", "read", "solved"]


@dataclass(frozen=True)
class Positions:
    """Positions of one game, one per row; what is not known is `None`."""

    spec: str
    """The game with all its options."""
    observation: np.ndarray
    """The planes of `Game.observe`, seen by the side to move: n × planes × rows × columns, float32."""
    legal: np.ndarray
    """Which actions are legal: n × actions, bool."""
    turn: np.ndarray
    """0 if the first side is to move, 1 if the second: n, int8."""
    ply: np.ndarray
    """The number of moves from the start of the game: n, int16."""
    value: np.ndarray
    """How the game ended for the side to move, or will with best play if solved: 1, 0 or -1: n, int8."""
    action: Optional[np.ndarray] = None
    """The action that was played, or a best one if solved: n, int64."""
    result: Optional[np.ndarray] = None
    """If solved, what each action leads to for the side that plays it: 1, 0, -1, or -2 if not legal: n × actions."""
    plies: Optional[np.ndarray] = None
    """If solved, the number of plies to the end after each action with best play, the action included: n × actions."""
    chance: Optional[np.ndarray] = None
    """Of a data set, the expected result of each action for the side that plays it, from -1 to 1, or -2 if not legal:
    n × actions, float32."""

    def __len__(self) -> int:
        return len(self.turn)

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays by their names, as `numpy.savez` takes them."""
        values = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "spec"}
        return {name: value for name, value in values.items() if value is not None}

    def to_arrow(self) -> pyarrow.Table:
        """An Arrow table with one row per position; arrays of several dimensions are lists of fixed size, and the shape
        of an observation is in the metadata. Needs `pyarrow`."""
        import pyarrow

        columns = {}
        for name, array in self.arrays().items():
            flat = pyarrow.array(np.ascontiguousarray(array).reshape(-1))
            width = array[0].size if array.ndim > 1 else 0
            columns[name] = pyarrow.FixedSizeListArray.from_arrays(flat, width) if width else flat
        shape = "x".join(map(str, self.observation.shape[1:]))
        return pyarrow.table(columns).replace_schema_metadata({"game": self.spec, "observation": shape})


def random(game: Union[str, Game], n: int, seed: int = 0) -> Positions:
    """Positions of random games, each at a random moment before the end; `value` is how that game ended.

    >>> random("tic-tac-toe", 50).legal.any(axis=1).all()
    np.True_
    """
    return _positions(*_sample(game, n, seed))


def solved(
    game: Union[str, Game], n: int, seed: int = 0, plies: Optional[tuple[int, int]] = None, threads: Optional[int] = None
) -> Positions:
    """Random positions with the exact result of every action, where they can be proved: in tic-tac-toe, and in Connect
    Four on boards that the solver supports. `plies` bounds how many moves were played: the fewer, the longer a proof
    takes.
    """
    batch, _, _ = _sample(game, n, seed, plies, threads)
    result, distance = batch.prove()
    value = result.max(axis=1)
    # A best action: the quickest win, the longest defence.
    order = np.where(result == 1, -distance, distance) + 1000 * result.astype(np.int32)
    found = _positions(batch, np.where(result > -2, order, -(10**6)).argmax(axis=1), value)
    return Positions(**{**vars(found), "result": result, "plies": distance})


def played(
    a: AnyPlayer, b: AnyPlayer, game: str = "connect-four", pairs: int = 50, seed: int = 0,
    openings: Optional[str] = None,
) -> Positions:
    """All positions of the games of a match, opening included, with the action that was played and the result.

    >>> positions = played("smart:2", "random", "connect-four", pairs=2)
    >>> len(positions) == len(positions.action)
    True
    """
    observation, legal, turn, ply, value, action = [], [], [], [], [], []
    for finished in match(a, b, game, pairs, openings, seed).games:
        position = Game(finished.spec)
        score = {"first": 1, "second": -1}.get(finished.outcome or "draw", 0)
        for move in finished.moves:
            side = 0 if position.turn == "first" else 1
            observation.append(position.observe())
            legal.append(position.action_mask.astype(bool))
            turn.append(side)
            ply.append(position.ply)
            value.append(score if side == 0 else -score)
            action.append(position.action(move))
            position.play(move)
    return Positions(
        Game(game).spec,
        np.array(observation),
        np.array(legal),
        np.array(turn, np.int8),
        np.array(ply, np.int16),
        np.array(value, np.int8),
        np.array(action),
    )


def read(folder: Union[str, os.PathLike[str]], split: Optional[str] = None) -> Positions:
    """The positions of a data set that `alinea dataset make` wrote: all, or those of the split `train`, `validation` or
    `test`.

    If all positions are proved, the arrays are like those of `solved`. Otherwise they are like those of `played`:
    `action` is the move played and `value` how the game ended, without positions for which these are unknown. `chance`
    has the results of the search.
    """
    path = Path(folder) / "positions.jsonl"
    with path.open(encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if split in (None, row["split"])]
    is_solved = all(valued["proven"] for row in rows for valued in row["policy"])
    if not is_solved:
        rows = [row for row in rows if row["played"] and row["result"]]
    if not rows:
        raise ValueError(f"{path} has no positions" + (f" of the split {split}" if split else ""))
    games = [Game(row["game"], row["moves"], row["start"]) for row in rows]
    shape = len(rows), games[0].action_count
    chance = np.full(shape, -2, np.float32)
    result, plies = np.full(shape, -2, np.int8), np.zeros(shape, np.int16)
    sign = {"win": 1, "draw": 0, "loss": -1}
    for i, (game, row) in enumerate(zip(games, rows)):
        for valued in row["policy"]:
            action = game.action(valued["move"])
            chance[i, action] = valued["chance"]
            if is_solved:
                result[i, action], plies[i, action] = sign[valued["proven"]], valued["plies"]

    def ended(row: dict[str, Any]) -> int:
        return 0 if row["result"] == "draw" else 1 if row["result"] == row["turn"] else -1

    return Positions(
        games[0].spec,
        np.array([game.observe() for game in games]),
        np.array([game.action_mask for game in games]).astype(bool),
        np.array([row["turn"] == "second" for row in rows], np.int8),
        np.array([row["ply"] for row in rows], np.int16),
        np.array([sign[row["proven"]] if is_solved else ended(row) for row in rows], np.int8),
        np.array([game.action(row["best"][0] if is_solved else row["played"]) for game, row in zip(games, rows)]),
        result if is_solved else None,
        plies if is_solved else None,
        chance,
    )


def _sample(
    game: Union[str, Game],
    n: int,
    seed: int,
    plies: Optional[tuple[int, int]] = None,
    threads: Optional[int] = None,
) -> tuple[Batch, np.ndarray, np.ndarray]:
    batch = Batch(game, n, seed, threads)
    least, most = plies or (0, 2**16 - 1)
    if not 0 <= least <= most < 2**16:
        raise ValueError(f"plies cannot be from {least} to {most}; expected two numbers, the smaller one first")
    return batch, *batch.sample(least, most)


def _positions(batch: Batch, action: np.ndarray, value: np.ndarray) -> Positions:
    observation, legal, turn = batch.observe(), batch.legal(), batch.turn
    return Positions(batch.spec, observation, legal, turn, batch.ply, value.astype(np.int8), action.astype(np.int64))
