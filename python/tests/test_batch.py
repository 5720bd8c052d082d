"""Batches must play the same games as `Game`, whatever the number of threads."""

import os

import alinea
import numpy as np
import pytest
from alinea import Batch, Game


def test_batches_agree_with_games(name):
    batch, games = Batch(name, 7, seed=3), [Game(name) for _ in range(7)]
    assert batch.observation_shape == games[0].observation_shape and batch.action_count == games[0].action_count
    while not batch.done.all():
        assert (batch.legal() == [game.action_mask for game in games]).all()
        assert (batch.observe() == [game.observe() for game in games]).all()
        assert batch.ply.tolist() == [game.ply for game in games]
        movers = [game.turn for game in games]
        actions = batch.random_actions()
        rewards, done = batch.step(actions)
        for i, game in enumerate(games):
            if game.is_over:
                assert rewards[i] == 0
                continue
            game.play_action(int(actions[i]))
            wins = {None: 0, "draw": 0, movers[i]: 1}
            assert rewards[i] == wins.get(game.outcome, -1)
            assert done[i] == game.is_over and batch.turn[i] == game.ply % 2
    assert [batch[i] for i in range(7)] == games == list(batch)
    assert batch.outcome.tolist() == [{"first": 1, "second": -1, "draw": 0}[game.outcome] for game in games]


def test_random_play_does_not_depend_on_threads(name):
    # Several blocks of playouts, which the threads share; in games with long playouts they take a minute.
    n = 300 if name in ("chess-five", "gomoku") and "ALINEA_TEST_ALL" not in os.environ else 9000
    results = []
    for threads in (1, 3):
        batch = Batch(name, n // 7, seed=9, threads=threads)
        batch.step(batch.random_actions())
        results.append((batch.playout().copy(), batch.ply, alinea.playouts(name, n, seed=4, threads=threads)))
    assert (results[0][0] == results[1][0]).all() and (results[0][1] == results[1][1]).all()
    assert results[0][2] == results[1][2]
    assert (Batch(name, 50, seed=1).random_actions() != Batch(name, 50, seed=2).random_actions()).any()


def test_random_games_of_tic_tac_toe_end_as_often_as_they_must():
    n = 250_000
    counts = np.array(alinea.playouts("tic-tac-toe", n, seed=1)) / n
    # The exact chances: 737/1260, 8/63, 121/420.
    assert abs(counts - [737 / 1260, 8 / 63, 121 / 420]).max() < 0.004


def test_an_illegal_action_changes_no_game():
    batch = Batch("connect-four", 3)
    for _ in range(6):
        batch.step([0, 1, 2])
    before = list(batch)
    for actions, error, sentence in [
        ([3, 1, 3], ValueError, "game 1: column 2 is full; choose one with an empty cell"),
        ([3, 3, 7], ValueError, "game 2: 7 is not an action; expected 0 to 6"),
        ([3, 3], ValueError, "there are 2 actions for 3 games"),
        ([[3, 3, 3]], ValueError, "there must be one action per game"),
        ([0.5, 1, 2], TypeError, "actions must be whole numbers"),
    ]:
        with pytest.raises(error, match=sentence):
            batch.step(actions)
        assert list(batch) == before


def test_arrays_are_written_in_place():
    batch = Batch("connect-four", 4)
    rewards, done = batch.step(np.array([3, 3, 3, 3], np.int8))
    legal, seen = batch.legal(), batch.observe()
    for _ in range(5):
        again, _ = batch.step(np.full(8, 3)[::2])
    assert again is rewards and batch.done is done and batch.legal() is legal and batch.observe() is seen
    assert not legal[:, 3].any() and seen[:, :2, :, 3].sum() == 24


def test_games_that_are_over_restart():
    start = Game("connect-four", "414141")
    batch = Batch(start, 2)
    batch.step([3, 1])
    assert batch.done.tolist() == [True, False] and batch.outcome.tolist() == [1, 0] and batch.legal()[0].sum() == 0
    assert batch.reset_done() == 1 and batch.reset_done() == 0
    assert batch[0] == start and batch[1].ply == 7 and not batch.done.any()
    batch.reset()
    assert batch[1] == batch[-1] == start
    with pytest.raises(IndexError):
        batch[2]
    for n in (0, 2**25):
        with pytest.raises(ValueError, match="a batch cannot have"):
            Batch("connect-four", n)


def test_proofs_agree_with_the_solver():
    batch = Batch("connect-four:4x5", 20, seed=2)
    batch.sample(4, 8)
    results, plies = batch.prove()
    for game, result in zip(batch, results):
        scores = alinea.solve(game).scores
        assert [np.sign(scores[str(i + 1)]) if str(i + 1) in scores else -2 for i in range(5)] == result.tolist()
    with pytest.raises(ValueError, match="the results of gomoku:15x15x5 cannot be proved"):
        Batch("gomoku", 1).prove()


def test_samples_lie_within_their_bounds(name):
    batch = Batch(name, 30, seed=1)
    actions, values = batch.sample(2, 4)
    assert ((batch.ply >= 2) & (batch.ply <= 4)).all() and not batch.done.any()
    assert batch.legal()[np.arange(30), actions].all() and set(values) <= {-1, 0, 1}
    with pytest.raises(ValueError, match="lasted 5000 to 6000 plies"):
        Batch(name, 1).sample(5000, 6000)
