"""A million games do not grow the process, and eight threads do not disturb each other."""

import os
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import alinea
import pytest
from alinea import Batch, Game, Player


STATM = Path("/proc/self/statm")
in_all = pytest.mark.skipif("ALINEA_TEST_ALL" not in os.environ, reason="takes a minute: runs in make test-all")
needs_statm = pytest.mark.skipif(not STATM.exists(), reason="memory is read from the /proc of Linux")


def resident():
    """Resident memory in megabytes."""
    return int(STATM.read_text().split()[1]) * 4096 / 2**20


def play_games(n, seed):
    """Plays random games, and returns how many were won by the first side."""
    pick, start, wins = random.Random(seed).random, Game("tic-tac-toe"), 0
    for _ in range(n):
        game = start.copy()
        while legal := game.legal_actions:
            game.play_action(legal[int(pick() * len(legal))])
        wins += game.outcome == "first"
    return wins


def use_everything(seed):
    """A bit of all; the same seed gives the same."""
    batch = Batch("connect-four", 600, seed, threads=2)
    batch.sample(5, 20)
    found = [batch.observe().sum(), batch.legal().sum(), play_games(200, seed), alinea.playouts("gomoku", 20, seed)]
    found.append(Player("smart:3", seed)(batch[0]).move)
    found.append([game.view["cells"].count(None) for game in batch][:10])
    found.append(alinea.match(lambda game: game.legal_actions[0], "random", "tic-tac-toe", 2, seed=seed).pairs)
    return found


@needs_statm
@pytest.mark.parametrize("first, more, grown", [(10_000, 40_000, 2), pytest.param(50_000, 950_000, 4, marks=in_all)])
def test_games_leave_no_trace(first, more, grown):
    play_games(first, 1)
    before = resident()
    play_games(more, 2)
    assert resident() - before < grown


@needs_statm
def test_everything_can_be_repeated_without_growing():
    for _ in range(5):
        use_everything(1)
    before = resident()
    for seed in range(60):
        use_everything(seed)
    assert resident() - before < 12


def test_eight_threads_find_what_one_finds():
    expected = [use_everything(seed) for seed in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(use_everything, range(8))) == expected


def test_one_game_may_be_shared_by_threads():
    game, player = Game("connect-four", "445"), Player("smart:4")
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(lambda _: player(game).move, range(40)))) == 1
