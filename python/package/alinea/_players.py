"""Players: ours by their names, and what they answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, NamedTuple, Optional, Union

from . import _native
from ._native import Game


@dataclass(frozen=True)
class Thought:
    """A chosen move, and why it was chosen.

    >>> thought = Player("smart:5")(Game("connect-four", "4 1 4 1 4 2"))
    >>> thought.move, thought.reasons
    ('4', [{'depth': 5, 'reason': 'minimax', 'value': 1000}])
    """

    move: str
    """The move to play."""
    candidates: list[str] = field(default_factory=list)
    """All moves that could have been chosen at random, including the chosen one."""
    score: Optional[int] = None
    """The value of the move for the player, on the player's own scale."""
    line: list[str] = field(default_factory=list)
    """The expected course of the game, beginning with the move."""
    reasons: list[dict[str, Any]] = field(default_factory=list)
    """The reasons as typed values, the same as in `alinea choose`."""
    nodes: int = 0
    """The number of positions searched."""
    depth: Optional[int] = None
    """The search depth in plies."""

    def __str__(self) -> str:
        return self.move


Answer = Union[str, int, Thought]
"""What a player answers: a move as text, the number of an action, or a thought."""

AnyPlayer = Union[str, Callable[[Game], Answer]]
"""A player: the name of one of ours, or anything that answers when it is called with a game. A class is instantiated
for each game."""


class Player:
    """A built-in player, or an engine in another process, by its name.

    >>> player = Player("level:3", seed=7)
    >>> player(Game("tic-tac-toe")).move in Game("tic-tac-toe").legal_moves
    True
    >>> Player("nonsense")(Game("tic-tac-toe"))       # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: tic-tac-toe has no player “nonsense”; its players are ...

    `players(game)` lists the names; `external:COMMAND` is a program that speaks UGI. The same seed gives the same
    play, except with time limits. Thinking releases the interpreter's lock, and Ctrl-C stops it.
    """

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name = name
        self.seed = seed
        self._roster = _native.Roster(name, seed)

    def __call__(self, game: Game) -> Thought:
        """The move that the player would play now."""
        thought = self._roster.choose(game)
        return Thought(thought.pop("move"), **thought)

    def __repr__(self) -> str:
        return f"Player({self.name!r}, seed={self.seed})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Player, (self.name, self.seed)


def players(game: Union[str, Game]) -> list[str]:
    """The players of a game, as they may be written.

    >>> [name for name in players("tic-tac-toe") if name.startswith(("level", "random"))]
    ['level:1…3', 'random']
    """
    return _native.players_of(game if isinstance(game, Game) else Game(game))


def player_name(player: AnyPlayer) -> str:
    """What tables call a player."""
    if isinstance(player, str):
        return player
    name = getattr(player, "name", None) or getattr(player, "__name__", None) or type(player).__name__
    return "-".join(str(name).replace('"', "'").split())[:40] or "player"


def as_function(player: AnyPlayer, seed: int = 0) -> Callable[[Game], Answer]:
    """A player as something that can be called."""
    if isinstance(player, str):
        return Player(player, seed)
    return player() if isinstance(player, type) else player


def move_of(answer: Answer, game: Game) -> str:
    """The move of an answer."""
    if isinstance(answer, str):
        return answer
    return answer.move if isinstance(answer, Thought) else game.move(answer)


class Playouts(NamedTuple):
    """How random games ended."""

    first: int
    """Wins of the first side."""
    draws: int
    second: int
    """Wins of the second side."""


def playouts(game: Union[str, Game], n: int, seed: int = 0, threads: Optional[int] = None) -> Playouts:
    """Plays a game to its end at random, many times, and counts the outcomes.

    >>> counts = playouts("connect-four", 100_000)
    >>> sum(counts), counts.first > counts.second
    (100000, True)

    The counts depend on the seed alone, not on the number of threads (by default all cores).
    """
    game = game if isinstance(game, Game) else Game(game)
    return Playouts(*_native.playouts(game, n, seed, threads))


class Record(NamedTuple):
    """A game read from text."""

    game: Game
    players: tuple[Optional[str], Optional[str]]
    """The names of the players in the order of moving."""
    result: Optional[str]
    """The result that the text states; a game may end by forfeit, which the board does not show."""
    termination: Optional[str]
    """How the game ended, if not by the rules."""


def read_games(text: str) -> list[Record]:
    """Reads games as matches and tournaments write them.

    >>> read_games('[Game "connect-four"]\\n\\n1. 4 4 2. 5 5 *')[0].game
    Game('connect-four:6x7x4', '4 4 5 5')
    """
    read = _native.read_games(text)
    return [Record(game, (first, second), result, end) for game, (first, second), result, end in read]


def serve_ugi(player: AnyPlayer, game: str = "connect-four", name: Optional[str] = None) -> None:
    """Runs a player as a UGI engine on standard input and output, until it is told to quit.

    Three lines make an engine for `alinea match`, `alinea play` and other tools:

        import alinea
        def centre(game): return sorted(game.legal_moves, key=lambda m: abs(int(m) - 4))[0]
        alinea.serve_ugi(centre, "connect-four")

    An exception ends the engine with its traceback on standard error.
    """
    _native.serve_ugi(as_function(player) if isinstance(player, str) else player, game, name or player_name(player))
