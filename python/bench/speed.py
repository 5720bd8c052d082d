"""Speed beside OpenSpiel and PettingZoo, in one run: pip install open_spiel pettingzoo pygame, then python speed.py.

Each figure is the best of several rounds in processor time, those that are compared in turns, so that other work on the
machine counts little.
"""

import argparse
import os
import random
import time

import alinea
import numpy as np

ROUNDS = 7


def rates(*works):
    """Units of each work per second of processor time."""
    best = [0.0] * len(works)
    for _ in range(ROUNDS):
        for i, work in enumerate(works):
            start = time.process_time()
            units = work()
            best[i] = max(best[i], units / (time.process_time() - start))
    return best


def loop_of_ours(spec, n):
    start, pick = alinea.Game(spec), random.Random(1).getrandbits

    def work():
        for _ in range(n):
            game = start.copy()
            while legal := game.legal_actions:
                game.play_action(legal[pick(16) % len(legal)])
        return n

    return work


def loop_of_open_spiel(name, n):
    import pyspiel

    game, pick = pyspiel.load_game(name), random.Random(1).getrandbits

    def work():
        for _ in range(n):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[pick(16) % len(legal)])
        return n

    return work


def playouts(spec, n):
    return lambda: sum(alinea.playouts(spec, n, seed=1, threads=1))


def playouts_of_open_spiel(name, n):
    """OpenSpiel's own loop in C++: one simulation of its Monte-Carlo tree search whose evaluator plays n random games."""
    import pyspiel

    game = pyspiel.load_game(name)
    state = game.new_initial_state()

    def work():
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=n, seed=1)
        pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False).mcts_search(state)
        return n

    return work


def batch_steps(spec, n, threads):
    """Steps per second by the wall: threads share the work."""
    batch = alinea.Batch(spec, n, seed=1, threads=threads)
    actions = []
    while not batch.done.all():
        actions.append(batch.random_actions())
        batch.step(actions[-1])
    steps = int(batch.ply.sum())

    def work():
        batch.reset()
        start = time.perf_counter()
        for action in actions:
            batch.step(action)
        work.wall = min(work.wall, time.perf_counter() - start)
        return steps

    work.wall = float("inf")
    rates(work)
    return steps / work.wall


def batch_games(spec, n):
    """Random games, played side by side until all are over."""
    batch = alinea.Batch(spec, n, seed=1, threads=1)

    def work():
        batch.reset()
        while not batch.done.all():
            batch.step(batch.random_actions())
        return n

    return work


def environment_steps(env, n):
    """Steps of an unwrapped environment, with the observation of each."""
    env = env.unwrapped
    pick = random.Random(1).random

    def work():
        steps = 0
        while steps < n:
            env.reset()
            while True:
                observation, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    break
                legal = np.flatnonzero(observation["action_mask"])
                env.step(int(legal[int(pick() * len(legal))]))
                steps += 1
        return steps

    return work


def line(what, ours, other=None, name="", goal=""):
    text = f"{what:<52} {ours:>12,.0f}"
    if other:
        text += f"   {name} {other:>10,.0f}   ratio {ours / other:6.1f}   (to reach: {goal})"
    elif goal:
        text += f"   (to reach: {goal})"
    print(text, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a few seconds, for a first look")
    scale = 1 if parser.parse_args().short else 10
    from pettingzoo.classic import connect_four_v3

    print(f"{os.cpu_count()} cores; units per second of processor time")
    for spec, name in (("connect-four", "connect_four"), ("tic-tac-toe", "tic_tac_toe")):
        ours, other = rates(loop_of_ours(spec, 2_000 * scale), loop_of_open_spiel(name, 1_000 * scale))
        line(f"{spec}: random games, a loop in Python", ours, other, "OpenSpiel", "3")
    for spec, name in (("connect-four", "connect_four"), ("tic-tac-toe", "tic_tac_toe")):
        ours, other = rates(playouts(spec, 100_000 * scale), playouts_of_open_spiel(name, 5_000 * scale))
        goal = "10, and 1,000,000" if spec == "connect-four" else "10"
        line(f"{spec}: random playouts, one core", ours, other, "OpenSpiel in C++", goal)
    for threads in (1, os.cpu_count()):
        steps = batch_steps("connect-four", 4096, threads)
        line(f"connect-four: Batch.step, 4,096 games, {threads} thread(s), by the wall", steps)
    (ours,) = rates(batch_games("connect-four", 4096))
    line("connect-four: random games by Batch.step, one thread", ours, goal="1,000,000")
    ours, other = rates(
        environment_steps(alinea.envs.raw_env("connect-four"), 2_000 * scale),
        environment_steps(connect_four_v3.env(), 500 * scale),
    )
    line("connect-four: steps of the PettingZoo environment", ours, other, "connect_four_v3", "5")


if __name__ == "__main__":
    main()
