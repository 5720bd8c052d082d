"""The environments of every game pass the tests of PettingZoo and Gymnasium."""

import itertools
import sys
import warnings
from types import SimpleNamespace

import alinea
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, performance_benchmark, seed_test


def test_pettingzoo_accepts_the_environment(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Said of every environment but PettingZoo's own whose observations are dictionaries with a mask.
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        api_test(alinea.envs.env(name), num_cycles=200)
        api_test(alinea.envs.raw_env(name), num_cycles=200)
    seed_test(lambda: alinea.envs.env(name), num_cycles=50)


def test_pettingzoo_measures_the_environment(name, monkeypatch, capsys):
    # A clock for the benchmark that passes five seconds after five hundred looks.
    ticks = itertools.count()
    clock = SimpleNamespace(time=lambda: next(ticks) / 100)
    monkeypatch.setattr(sys.modules["pettingzoo.test.performance_benchmark"], "time", clock)
    performance_benchmark(alinea.envs.raw_env(name))
    assert "turns per second" in capsys.readouterr().out


def test_gymnasium_accepts_the_environment(name):
    for side in ("first", "second", "random"):
        check_env(alinea.envs.gym(name, "random", side), skip_render_check=True)
    check_env(gymnasium.make(f"alinea/{name}-v0", opponent="random", render_mode="rgb_array").unwrapped)


def test_an_episode_ends_with_opposite_rewards(name):
    env = alinea.envs.env(name)
    env.reset()
    env.action_space("player_0").seed(1), env.action_space("player_1").seed(2)
    total = dict.fromkeys(env.possible_agents, 0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        total[agent] += reward
        mask = observation["action_mask"]
        assert mask.any() != termination
        env.step(None if termination or truncation else env.action_space(agent).sample(mask))
    outcome = env.unwrapped.game.outcome
    expected = {"first": (1, -1), "second": (-1, 1), "draw": (0, 0)}[outcome]
    assert tuple(total.values()) == expected


def test_an_illegal_action_loses():
    env = alinea.envs.env("tic-tac-toe")
    env.reset()
    env.step(4)
    env.step(4)
    env.last()
    assert env.terminations == {"player_0": True, "player_1": True} and env.rewards["player_1"] == -1
    gym = alinea.envs.gym("tic-tac-toe", "random")
    gym.reset(seed=1)
    gym.step(4)
    *_, reward, termination, _, info = gym.step(4)
    assert (reward, termination, info["illegal"]) == (-1, True, "cell b2 is taken; choose an empty one")
    with pytest.raises(ValueError, match="call reset first"):
        gym.step(0)


def test_boards_are_rendered(name, capsys):
    for render_mode, check in [
        ("ansi", lambda text: "\n" in text),
        ("rgb_array", lambda image: image.dtype == np.uint8 and image.ndim == 3 and len(np.unique(image)) > 3),
    ]:
        env = alinea.envs.env(name, render_mode)
        env.reset()
        env.step(int(env.observe("player_0")["action_mask"].argmax()))
        assert check(env.render())
    env = alinea.envs.gym(name, "random", render_mode="human")
    env.reset(seed=1)
    assert "to move" in capsys.readouterr().out
    with pytest.raises(ValueError, match="“svg” is not a render mode"):
        alinea.envs.env(name, "svg")


def test_any_player_is_an_opponent():
    env = alinea.envs.gym("connect-four", lambda game: game.legal_moves[0], side="second")
    _, info = env.reset(seed=1)
    assert info == {"side": "second", "moves": ["1"]}
    *_, info = env.step(3)
    assert info["moves"] == ["1", "4", "1"]
    with pytest.raises(ValueError, match="connect-four has no player “nonsense”"):
        alinea.envs.gym("connect-four", "nonsense")
    with pytest.raises(ValueError, match="“third” is not a side"):
        alinea.envs.gym("connect-four", side="third")
