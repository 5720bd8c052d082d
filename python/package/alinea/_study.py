"""What is known about positions and games: solutions, assessments, reviews."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Union

from . import _native
from ._native import Game
from ._numbers import check_whole


@dataclass(frozen=True)
class Solution:
    """The exact value of a Connect Four position.

    A score of 0 is a draw. With a score k > 0 the side to move wins with its k-th stone, counted back from its last on
    a full board. A negative score is the same for the opponent.
    """

    score: int
    """The score of the position."""
    best: list[str]
    """The moves with the best score."""
    columns: list[Optional[int]]
    """The score of each column from the left; `None` for a full one."""
    line: list[str]
    """A line of best play to the end."""
    reasons: list[dict[str, Any]]
    """What decides: threats, zugzwang, …"""
    nodes: int
    """The number of positions searched."""

    @property
    def scores(self) -> dict[str, int]:
        """The score of each legal move."""
        return {str(number): score for number, score in enumerate(self.columns, 1) if score is not None}


def solve(game: Union[str, Game], threads: int = 1, memory_mb: int = 64) -> Solution:
    """Solves a Connect Four position exactly, on boards of up to 64 bits and for runs of four.

    >>> solution = solve(Game("connect-four:4x7", "4455"))
    >>> solution.score, solution.best
    (11, ['3', '6'])
    >>> solve("gomoku")
    Traceback (most recent call last):
    ValueError: gomoku:15x15x5 cannot be solved; expected connect-four with (rows + 1) × columns of at most 64 and run 4
    """
    check_whole(threads=threads, memory_mb=memory_mb)
    return Solution(**_native.solve(_game(game), threads, memory_mb))


@dataclass(frozen=True)
class Verdict:
    """What is known about a move, for the side that plays it."""

    kind: str
    """`"proven"`, `"between"` (bounds are proved, the rest is estimated) or `"estimate"`."""
    result: Optional[str] = None
    """`"win"`, `"draw"` or `"loss"`, if it is proved."""
    plies: Optional[int] = None
    """The number of moves to the end, if the result is proved."""
    score: Optional[int] = None
    """The estimate in points."""
    chance: Optional[float] = None
    """The estimate as an expected result, from -1 (loss) to 1 (win)."""
    advantage: Optional[str] = None
    """The same in a word: `"even"`, `"slight"`, `"clear"` or `"decisive"`; the sign of `chance` tells which side has it."""
    least: Optional[dict[str, Any]] = None
    """The result is not worse than this."""
    most: Optional[dict[str, Any]] = None
    """The result is not better than this."""


@dataclass(frozen=True)
class Assessed:
    """A move with its verdict and its expected line."""

    move: str
    verdict: Verdict
    line: list[str]


@dataclass(frozen=True)
class Assessment:
    """What is known about a position."""

    moves: list[Assessed]
    """The moves, best first: all of them where results are proved, otherwise at least as many as requested."""
    depth: int
    """The depth in plies to which estimates were searched."""
    nodes: int
    """The number of positions searched."""
    time_ms: int
    """The elapsed time."""
    final: bool
    """Whether everything is proved."""
    reasons: list[dict[str, Any]]
    """Why the best move is best, and how the second best compares."""

    @property
    def best(self) -> Optional[Assessed]:
        """The best move; `None` if the game is over."""
        return self.moves[0] if self.moves else None


def assess(
    game: Union[str, Game],
    seconds: Optional[float] = None,
    depth: Optional[int] = None,
    nodes: Optional[int] = None,
    lines: int = 1,
    threads: int = 1,
) -> Assessment:
    """Says what is known about a position: proofs where they can be found, estimates of a search elsewhere. Without
    limits, a search takes a second.

    >>> assess(Game("tic-tac-toe", "a1 c3 a3 a2 c1")).best.verdict
    Verdict(kind='proven', result='loss', plies=2, score=None, chance=None, advantage=None, least=None, most=None)
    """
    if seconds is None and depth is None and nodes is None:
        seconds = 1.0
    check_whole(depth=depth, nodes=nodes, lines=lines, threads=threads)
    found, reasons = _native.assess(_game(game), lines, threads, seconds, nodes, depth)
    moves = [_assessed(move) for move in found.pop("moves")]
    return Assessment(moves, **found, reasons=reasons)


@dataclass(frozen=True)
class Reviewed:
    """A move of a game, compared with the best one."""

    number: int
    """The number of the move, from 1."""
    side: str
    played: Assessed
    best: Assessed
    """The best move; the same if the move that was played is as good."""
    loss: float
    """The loss of chance, from 0 (none) to 2 (from a win to a loss)."""
    chance: float
    """The first player's expected result after the move, from -1 (loss) to 1 (win)."""
    depth: int
    mark: Optional[str] = None
    """`"throws-win"`, `"throws-draw"` (both proved), `"blunder"`, `"mistake"` or `"inaccuracy"`."""
    remark: Optional[str] = None
    """`"quicker-win"` for a win that could have been quicker."""


def review(
    game: Game,
    seconds: Optional[float] = None,
    depth: Optional[int] = None,
    nodes: Optional[int] = None,
    threads: int = 1,
) -> list[Reviewed]:
    """Reviews every move of a game: which ones threw a win or a draw away. The limits apply to each move. Without
    limits, a move that cannot be proved is searched for 0.2 seconds.

    >>> [move.mark for move in review(Game("tic-tac-toe", "a1 b2 b1 a3 c1"))]
    [None, None, None, 'throws-draw', None]
    """
    if seconds is None and depth is None and nodes is None:
        seconds = 0.2
    check_whole(depth=depth, nodes=nodes, threads=threads)
    moves = _native.review(game, threads, seconds, nodes, depth)
    return [
        Reviewed(**{**move, "played": _assessed(move["played"]), "best": _assessed(move["best"])}) for move in moves
    ]


def _assessed(move: dict[str, Any]) -> Assessed:
    return Assessed(move["move"], Verdict(**move["verdict"]), move["line"])


def _game(game: Union[str, Game]) -> Game:
    return game if isinstance(game, Game) else Game(game)
