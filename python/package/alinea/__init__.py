"""Games of lines: tic-tac-toe, Connect Four of any size, Simplexity, ChessFive and Gomoku.

>>> import alinea
>>> game = alinea.Game("connect-four", "4 4 5 5")
>>> alinea.Player("smart:5")(game).move
'6'
>>> alinea.solve(game).best
['3', '6']

Games: `Game`, `games`, `read_games`. Players: `Player`, `Thought`, `players`, `match`, `serve_ugi`. Truth: `solve`,
`assess`, `review`, `skills`. Learning: `Batch`, `playouts`, `alinea.envs`, `alinea.data`; these two are imported when they are
first used.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

from ._contest import Match, match
from ._native import Batch, Game, games
from ._players import Player, Playouts, Record, Thought, players, playouts, read_games, serve_ugi
from ._skills import Chance, Skill, Skills, skills
from ._study import Assessed, Assessment, Reviewed, Solution, Verdict, assess, review, solve

if _TYPE_CHECKING:
    from . import data, envs

__all__ = [
    "Assessed",
    "Assessment",
    "Batch",
    "Chance",
    "Game",
    "Match",
    "Player",
    "Playouts",
    "Record",
    "Reviewed",
    "Skill",
    "Skills",
    "Solution",
    "Thought",
    "Verdict",
    "assess",
    "data",
    "envs",
    "games",
    "match",
    "players",
    "playouts",
    "read_games",
    "review",
    "serve_ugi",
    "skills",
    "solve",
]


def __getattr__(name: str):
    # These import NumPy, Gymnasium and PettingZoo, which take longer than the rest of the package.
    if name in ("data", "envs"):
        return _import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return __all__
