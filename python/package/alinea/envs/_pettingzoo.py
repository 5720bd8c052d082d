"""The PettingZoo environment of every game."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from . import RENDER_MODES, _check_render_mode, _render
from .._native import Game

AGENTS = ["player_0", "player_1"]
SIDES = {"player_0": "first", "player_1": "second"}


class RawEnv(AECEnv):
    """Two agents, `player_0` (who moves first) and `player_1`, take turns. The winner gets 1, the loser -1."""

    metadata = {"render_modes": RENDER_MODES, "name": "alinea", "is_parallelizable": False, "render_fps": 2}

    def __init__(self, game: str = "connect-four", render_mode: Optional[str] = None) -> None:
        super().__init__()
        _check_render_mode(render_mode)
        self._start = Game(game)
        self.game = self._start.copy()
        """The game in progress."""
        self.metadata = {**self.metadata, "name": f"alinea/{self._start.spec}"}
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        observation = observation_space(self._start)
        self.observation_spaces = {agent: observation for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(self._start.action_count) for agent in AGENTS}
        self._no_action = np.zeros(self._start.action_count, np.int8)

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        """Starts a new game. The games have no chance, so a seed changes nothing."""
        self.game = self._start.copy()
        self.agents = list(AGENTS)
        self.agent_selection = AGENTS[0] if self.game.turn != "second" else AGENTS[1]
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        game = self.game
        is_to_move = game.turn == SIDES[agent]
        return {
            "observation": game.observe(SIDES[agent]),
            "action_mask": game.action_mask if is_to_move else self._no_action.copy(),
        }

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        game = self.game
        game.play_action(action)
        other = AGENTS[1] if agent == AGENTS[0] else AGENTS[0]
        # Rewards stay 0 until the end, so that nothing has to be cleared and summed up before.
        self.agent_selection = other
        if game.is_over:
            if game.outcome != "draw":
                for each in AGENTS:
                    self.rewards[each] = 1 if game.outcome == SIDES[each] else -1
            self.terminations = dict.fromkeys(AGENTS, True)
            self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        return _render(self.game, self.render_mode)

    def close(self) -> None:
        """Nothing is open."""


def observation_space(game: Game) -> spaces.Dict:
    """The planes and the mask of legal actions."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, game.observation_shape, np.float32),
            "action_mask": spaces.Box(0, 1, (game.action_count,), np.int8),
        }
    )
