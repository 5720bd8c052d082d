"""Matches between any two players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

from . import _native
from ._native import Game
from ._numbers import check_whole
from ._players import AnyPlayer, Player, player_name


@dataclass(frozen=True)
class Match:
    """The result of a match, for the first player."""

    players: tuple[str, str]
    wins: int
    draws: int
    losses: int
    pairs: list[int]
    """The number of pairs of games that scored 0, ½, 1, 1½ and 2 points."""
    elo: Optional[float]
    """The estimated difference in strength; infinite if one player won every game."""
    interval: Optional[tuple[float, float]]
    """The 95 % confidence interval of the difference."""
    superiority: Optional[float]
    """The probability that the first player is stronger."""
    verdict: Optional[str]
    """The decision of the SPRT: `"accepted"`, `"rejected"` or `"open"`; `None` without SPRT."""
    llr: Optional[float]
    """The log-likelihood ratio of the SPRT."""
    games: list[Game]
    forfeits: list[str]
    """The faults of external engines that lost games."""

    @property
    def score(self) -> float:
        """The share of points, from 0 to 1."""
        return (self.wins + self.draws / 2) / max(1, self.wins + self.draws + self.losses)

    def __str__(self) -> str:
        first, second = self.players
        text = f"{first} against {second}: +{self.wins} ={self.draws} -{self.losses}, {self.score:.1%}"
        if self.elo is not None and self.interval is not None:
            low, high = self.interval
            text += f", Elo {self.elo:+.0f} ({low:+.0f} to {high:+.0f})"
        return text if self.verdict is None else f"{text}, SPRT {self.verdict} ({self.llr:+.2f})"


def match(
    a: AnyPlayer,
    b: AnyPlayer,
    game: str = "connect-four",
    pairs: int = 50,
    openings: Optional[str] = None,
    seed: int = 0,
    concurrency: int = 1,
    movetime_ms: Optional[int] = None,
    sprt: Optional[tuple[float, float]] = None,
    alpha: float = 0.05,
    beta: float = 0.05,
    sprt_model: str = "logistic",
) -> Match:
    """Plays a match: each opening twice, with sides exchanged.

    >>> def leftmost(game):
    ...     return game.legal_moves[0]
    >>> result = match("smart:3", leftmost, "connect-four", pairs=5)
    >>> result.players, result.wins + result.draws + result.losses, result.score > 0.5
    (('smart:3', 'leftmost'), 10, True)

    The openings are `"balanced"`, `"random:4"` or another source of `alinea match`; by default balanced ones, or random
    ones where the program has none for the board. A player is a name or anything that answers when it is called with a
    game; see `Player`. With `sprt=(elo0, elo1)` the match ends as soon as it is decided whether `a` is stronger by `elo1`
    rather than by `elo0`, on the scale `sprt_model`: `"logistic"` or `"normalised"` Elo. The same seed gives the same
    games as `alinea match`. An exception of a player ends the match; a fault of an external engine loses its game.
    """
    check_whole(pairs=pairs, seed=seed, concurrency=concurrency, movetime_ms=movetime_ms)
    names = [player_name(a), player_name(b)]
    seats = [player.name if isinstance(player, Player) else player for player in (a, b)]
    if names[0] == names[1]:
        names[1] += "#2"
    options: dict[str, Any] = {
        "game": game,
        "names": names,
        "pairs": pairs,
        "openings": openings,
        "seed": seed,
        "concurrency": concurrency,
        "movetime_ms": movetime_ms,
        "sprt": sprt,
        "alpha": alpha,
        "beta": beta,
        "sprt_model": sprt_model,
    }
    score = _native.run_match(seats, options)
    elo = score["elo"] or {}
    return Match(
        players=tuple(score["players"]),
        wins=score["wins"],
        draws=score["draws"],
        losses=score["losses"],
        pairs=score["pairs"],
        elo=_number(elo.get("difference"), score),
        interval=_interval(elo, score),
        superiority=elo.get("superiority"),
        verdict=score["verdict"],
        llr=score["llr"],
        games=[Game(game["spec"], game["moves"], game["position"]) for game in score["games"]],
        forfeits=[str(game["forfeit"]["fault"]) for game in score["games"] if game["forfeit"]],
    )


def _number(value: Optional[float], score: dict[str, Any]) -> Optional[float]:
    # JSON has no infinity: a difference that is missing although games were played is one.
    if value is None and score["elo"] is not None:
        return float("inf") if score["wins"] > score["losses"] else float("-inf")
    return value


def _interval(elo: dict[str, Any], score: dict[str, Any]) -> Optional[tuple[float, float]]:
    if not elo:
        return None
    low, high = elo["interval"]
    return (float("-inf") if low is None else low, float("inf") if high is None else high)
