"""Shared by the tests."""

import alinea
import pytest


def pytest_generate_tests(metafunc):
    """Tests with an argument `name` run for every game of the table."""
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", alinea.games())


@pytest.fixture
def random_game():
    """Plays a random game by actions, and yields it before every move and at the end."""
    import random

    def play(spec, seed):
        rng, game = random.Random(seed), alinea.Game(spec)
        while legal := game.legal_actions:
            yield game
            game.play_action(rng.choice(legal))
        yield game

    return play
