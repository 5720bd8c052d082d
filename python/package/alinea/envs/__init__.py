"""Environments for reinforcement learning, for every game.

>>> import alinea
>>> env = alinea.envs.env("connect-four")            # PettingZoo: two agents take turns
>>> env.reset(seed=1)
>>> observation, reward, termination, truncation, info = env.last()
>>> observation["observation"].shape, observation["action_mask"].tolist()
((3, 6, 7), [1, 1, 1, 1, 1, 1, 1])
>>> env = alinea.envs.gym("connect-four", opponent="level:1")      # Gymnasium: one agent against one of our players

An observation holds the planes of `Game.observe`, seen by the agent, and the mask of legal actions. `Game.planes` says
what each plane holds, `Game.move` which move an action is. `pip install alinea[envs]` installs what is needed;
`gymnasium.make("alinea/connect-four-v0")` works after this module was imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from .._native import Game, games
from .._players import AnyPlayer

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from ._gymnasium import GymEnv
    from ._pettingzoo import RawEnv

__all__ = ["env", "gym", "raw_env"]


def raw_env(game: str = "connect-four", render_mode: Optional[str] = None) -> RawEnv:
    """The PettingZoo environment of a game without wrappers: an illegal action raises `ValueError`."""
    from ._pettingzoo import RawEnv

    return RawEnv(game, render_mode)


def env(game: str = "connect-four", render_mode: Optional[str] = None) -> AECEnv:
    """The PettingZoo environment of a game, with the usual wrappers: an illegal action loses, and calls out of order
    are errors. `render_mode` is `"ansi"`, `"rgb_array"` or `"human"`, which prints."""
    from pettingzoo.utils import wrappers

    wrapped: Any = raw_env(game, render_mode)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


def gym(
    game: str = "connect-four",
    opponent: AnyPlayer = "level:1",
    side: str = "first",
    render_mode: Optional[str] = None,
) -> GymEnv:
    """A Gymnasium environment: the agent plays `side` (`"first"`, `"second"` or `"random"`) against an opponent, one
    of our players or your own."""
    from ._gymnasium import GymEnv

    return GymEnv(game, opponent, side, render_mode)


def _register() -> None:
    try:
        import gymnasium
    except ImportError:
        return
    for name in games():
        gymnasium.register(f"alinea/{name}-v0", entry_point="alinea.envs._gymnasium:GymEnv", kwargs={"game": name})


def _check_render_mode(render_mode: Optional[str]) -> None:
    if render_mode not in (None, *RENDER_MODES):
        raise ValueError(f"“{render_mode}” is not a render mode; expected {', '.join(RENDER_MODES)} or None")


def _render(game: Game, render_mode: Optional[str]) -> Any:
    from .. import _draw

    if render_mode == "rgb_array":
        return _draw.pixels(game)
    if render_mode == "ansi":
        return _draw.text(game)
    if render_mode == "human":
        print(_draw.text(game), flush=True)
    return None


RENDER_MODES = ["human", "ansi", "rgb_array"]
_register()
