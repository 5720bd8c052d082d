"""What the games of a player say about their skills, with the figures of the page *Improve*."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Optional, Sequence

from . import _native
from ._native import Game
from ._numbers import check_whole


@dataclass(frozen=True)
class Chance:
    """A position in which a skill was needed."""

    game: int
    """Which of the games, counted from 0."""
    ply: int
    """The number of moves before it."""
    skill: str
    """`"own-wins"`, `"stops-threats"`, `"threes"`, `"double-threats"`, `"opening"`, `"endgame"` or `"moves"`."""
    miss: Optional[dict[str, Any]] = None
    """What went wrong: the move that was `played`, a `right` one, whether that is `proven`, and the `lines` that decide."""

    @property
    def right(self) -> bool:
        """Whether the move was right."""
        return self.miss is None


@dataclass(frozen=True)
class Skill:
    """How often a player answers chances for a skill right."""

    skill: str
    right: int
    """The number of right moves."""
    of: int
    """The number of chances."""
    low: float
    """The lower end of the exact 95 % interval of the rate."""
    high: float
    """Its upper end."""
    weak: bool
    """Whether the whole interval is below the rate of players of the same strength."""
    weeks: list[dict[str, Any]]
    """The weeks with enough chances among the last eight, the oldest first."""
    rate: Optional[float] = None
    """The share of right moves; `None` with fewer than five chances."""
    usual: Optional[float] = None
    """The rate of players of the same strength, where it was measured."""
    before: Optional[float] = None
    """The rate of a month ago."""
    trend: Optional[str] = None
    """`"better"` or `"worse"` than a month ago, where it is clear."""


@dataclass(frozen=True)
class Skills:
    """The profile of a player, and the chances that it counts."""

    games: int
    """The number of games of the profile, at most the last 50."""
    right: int
    """The number of right moves over all skills."""
    of: int
    """The number of chances over all skills."""
    skills: list[Skill]
    """The skills: weaknesses first, then the lowest rates, then those without enough chances."""
    chances: list[Chance]
    """The chances of all games, in order."""
    weeks: list[dict[str, Any]]
    """The weeks with enough chances among the last eight, the oldest first."""

    def __getitem__(self, skill: str) -> Skill:
        """The figures of a skill by its name."""
        return next(found for found in self.skills if found.skill == skill)


def skills(
    games: Iterable[tuple[Game, str]],
    times: Optional[Sequence[float]] = None,
    now: Optional[float] = None,
    seconds: Optional[float] = None,
    depth: Optional[int] = None,
    nodes: Optional[int] = None,
    threads: int = 1,
) -> Skills:
    """Says what finished games show about one player: for each skill the right moves of the chances, with an exact
    interval. A game comes with the player's side, `"first"` or `"second"`; all are of one kind. `times` are the ends of
    the games in seconds, for trends and weeks up to `now`; without them, the games were played one after the other.
    The limits apply to each move. Without limits, a move that cannot be proved is searched for 0.1 seconds.

    >>> lost = Game("tic-tac-toe", "a1 b2 b1 a3 c1")
    >>> found = skills([(lost, "second")] * 5)
    >>> found["stops-threats"].right, found["stops-threats"].of, found["stops-threats"].rate
    (0, 5, 0.0)
    >>> [chance.miss["right"] for chance in found.chances if chance.skill == "stops-threats"]
    ['c1', 'c1', 'c1', 'c1', 'c1']
    """
    if seconds is None and depth is None and nodes is None:
        seconds = 0.1
    check_whole(depth=depth, nodes=nodes, threads=threads)
    played = list(games)
    if times is None:
        ends = list(range(len(played)))
    else:
        ends = [_milliseconds(time) for time in times]
        if len(ends) != len(played):
            raise ValueError(f"{len(played)} games need as many times, not {len(ends)}")
    last = max(ends, default=0) if now is None else _milliseconds(now)
    given = [(game, side, end) for (game, side), end in zip(played, ends)]
    observed, profile = _native.skills(given, last, threads, seconds, nodes, depth)
    chances = [Chance(game, **chance) for game, one in enumerate(observed) for chance in one["chances"]]
    rated = []
    for skill in profile["skills"]:
        # The misses are in `chances`.
        del skill["evidence"]
        rated.append(Skill(**skill.pop("tally"), **skill))
    return Skills(profile["games"], **profile["tally"], skills=rated, chances=chances, weeks=profile["weeks"])


def _milliseconds(time: float) -> int:
    if not 0 <= time < 1e11:
        raise ValueError(f"{time} is not a time in seconds since 1970")
    return round(time * 1000)
