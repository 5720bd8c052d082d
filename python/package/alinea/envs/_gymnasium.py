"""A Gymnasium environment: one agent against one of our players."""

from __future__ import annotations

from typing import Any, Optional

import gymnasium
import numpy as np
from gymnasium import spaces

from . import RENDER_MODES, _check_render_mode, _render
from .._native import Game
from .._players import AnyPlayer, as_function, move_of
from ._pettingzoo import observation_space

SIDES = ("first", "second")


class GymEnv(gymnasium.Env):
    """The agent's reward is 1 for a win, -1 for a loss, 0 otherwise. An illegal action loses at once, with the reason
    in the info."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}

    def __init__(
        self,
        game: str = "connect-four",
        opponent: AnyPlayer = "level:1",
        side: str = "first",
        render_mode: Optional[str] = None,
    ) -> None:
        _check_render_mode(render_mode)
        if side not in (*SIDES, "random"):
            raise ValueError(f"“{side}” is not a side; expected first, second or random")
        self._start = Game(game)
        self.game = self._start.copy()
        """The game in progress."""
        self.opponent = opponent
        self.render_mode = render_mode
        self.observation_space = observation_space(self._start)
        self.action_space = spaces.Discrete(self._start.action_count)
        self._wanted = side
        self._side = side
        self._ended = False
        if isinstance(opponent, str):
            # A name that the game does not have is an error now, not at the first move.
            as_function(opponent)._roster.check(self._start)  # type: ignore[attr-defined]

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        super().reset(seed=seed)
        self.game = self._start.copy()
        self._ended = False
        self._player = as_function(self.opponent, int(self.np_random.integers(2**63)))
        self._side = SIDES[self.np_random.integers(2)] if self._wanted == "random" else self._wanted
        self._let_opponent_play()
        self._show()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        if self._ended or self.game.is_over:
            raise ValueError("the game is over; call reset first")
        try:
            self.game.play_action(action)
        except ValueError as error:
            self._ended = True
            return self._observation(), -1.0, True, False, {**self._info(), "illegal": str(error)}
        self._let_opponent_play()
        self._show()
        outcome = self.game.outcome
        reward = 0.0 if outcome in (None, "draw") else 1.0 if outcome == self._side else -1.0
        return self._observation(), reward, self.game.is_over, False, self._info()

    def render(self) -> Any:
        return None if self.render_mode == "human" else _render(self.game, self.render_mode)

    def _let_opponent_play(self) -> None:
        if self.game.turn not in (None, self._side):
            self.game.play(move_of(self._player(self.game), self.game))

    def _observation(self) -> dict[str, np.ndarray]:
        return {"observation": self.game.observe(self._side), "action_mask": self.game.action_mask}

    def _info(self) -> dict[str, Any]:
        return {"side": self._side, "moves": self.game.moves}

    def _show(self) -> None:
        if self.render_mode == "human":
            _render(self.game, "human")
