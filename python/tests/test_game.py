"""Games of every kind through Python: they must say what the rules say."""

import copy
import pickle
import xml.dom.minidom

import alinea
import numpy as np
import pytest
from alinea import Game


def test_every_ply_of_a_random_game_is_consistent(name, random_game):
    for ply, game in enumerate(random_game(name, seed=1)):
        assert game.ply == len(game.moves) == ply <= game.max_plies
        assert sorted(map(game.action, game.legal_moves)) == sorted(game.legal_actions)
        assert all(game.action(game.move(action)) == action for action in game.legal_actions)
        assert np.flatnonzero(game.action_mask).tolist() == sorted(game.legal_actions)
        assert game.is_over == (game.turn is None) == (game.outcome is not None) == (not game.legal_moves)
        assert (game.line is not None) == (game.outcome in ("first", "second"))
        assert Game(game.spec, position=game.position).position == game.position
        for again in (game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game)), eval(repr(game))):
            assert again == game and hash(again) == hash(game) and again is not game
        if game.legal_moves:
            other = game.copy()
            other.play(game.legal_moves[-1])
            assert other != game
            assert other.undo() == game.legal_moves[-1] and other == game


def test_observations_show_the_board(name, random_game):
    for game in random_game(name, seed=2):
        kinds = [piece["kind"] for piece in game.info["pieces"]]
        view = game.view
        for side in ("first", "second"):
            planes = game.observe(side)
            assert planes.shape == game.observation_shape and len(game.planes) == len(planes)
            assert planes.dtype == np.float32 and planes.min() >= 0 and planes.max() <= 1
            for i, cell in enumerate(view["cells"]):
                column = planes[: 2 * len(kinds), i // view["cols"], i % view["cols"]]
                assert column.sum() == (cell is not None)
                if cell is not None:
                    assert column[kinds.index(cell["kind"]) + (0 if cell["side"] == side else len(kinds))] == 1
            assert (planes[2 * len(kinds)] == (side == "first")).all()
        assert (game.observe() == game.observe(game.turn or ("first", "second")[game.ply % 2])).all()


def test_hands_repetitions_and_plies_have_planes():
    drops = "R@d R@e N@b N@g B@c B@f Q@d Q@e R@d R@e N@b N@g B@c B@f K@d K@e"
    game = Game("chess-five", drops + " d4c5 e4f5 c5d4 f5e4")
    planes = dict(zip(game.planes, game.observe("first")))
    assert planes["how often the position occurred before, as a share of the number that draws"][0, 0] == 0.5
    assert planes["plies played, as a share of 216"][0, 0] == np.float32(20 / 216)
    game = Game("chess-five", "R@a")
    planes = dict(zip(game.planes, game.observe("second")))
    assert planes["opponent's rook pieces in hand, as a share of those at the start"][0, 0] == 0.5
    assert planes["own rook pieces in hand, as a share of those at the start"][0, 0] == 1


def test_boards_are_drawn(name, random_game):
    for game in random_game(name, seed=3):
        assert len(str(game).splitlines()) == game.view["rows"] + 2
        xml.dom.minidom.parseString(game._repr_svg_())
    assert "has won" in str(game) or "a draw" in str(game)


@pytest.mark.parametrize(
    "make, sentence",
    [
        (lambda: Game("checkers"), "there is no game “checkers”; games are tic-tac-toe, connect-four"),
        (lambda: Game("connect-four:6x65"), "a board cannot have 65 columns; expected 1 to 64"),
        (lambda: Game("connect-four", "9"), "there is no column 9; columns are 1 to 7"),
        (lambda: Game("tic-tac-toe", "b2 b2"), "cell b2 is taken; choose an empty one"),
        (lambda: Game("tic-tac-toe", "x"), "“x” is not a move; expected a cell such as b2"),
        (lambda: Game("connect-four", "44556671"), "the game is over (first has won); no move can follow"),
        (lambda: Game("connect-four", position="7/7 w"), "rows"),
        (lambda: Game("connect-four").play_action(7), "7 is not an action; expected 0 to 6"),
        (lambda: Game("connect-four").play_action(-1), "-1 is not an action; expected 0 to 6"),
        (lambda: Game("connect-four").move(2**62), "is not an action; expected 0 to 6"),
        (lambda: Game("connect-four").action("0"), "there is no column 0; columns are 1 to 7"),
        (lambda: Game("connect-four").undo(), "no move has been played; there is nothing to undo"),
        (lambda: Game("connect-four").observe("third"), "“third” is not a side; expected first or second"),
        (lambda: alinea.read_games("nothing"), "game 1"),
    ],
)
def test_errors_are_the_sentences_of_the_rules(make, sentence):
    with pytest.raises(ValueError) as error:
        make()
    assert sentence in str(error.value)


def test_a_refused_move_changes_nothing():
    game = Game("connect-four", "444444")
    before = game.copy()
    for move in ("4", "8", "x"):
        with pytest.raises(ValueError):
            game.play(move)
    assert game == before


def test_games_differ_by_spec_start_and_moves():
    transposed = [Game("connect-four", "1 2 3"), Game("connect-four", "3 2 1")]
    assert transposed[0] != transposed[1] and transposed[0].key == transposed[1].key
    assert Game("connect-four:6x7") == Game("connect-four") != Game("connect-four:7x7")
    assert Game("tic-tac-toe", "b2") != Game("tic-tac-toe", position="3/1x1/3 b") != "3/1x1/3 b"


def test_games_of_a_file_are_read(random_game):
    *_, game = random_game("connect-four", seed=4)
    text = f'[Game "{game.spec}"]\n[First "a"]\n[Second "b"]\n\n' + " ".join(game.moves) + " *\n"
    (record,) = alinea.read_games(text)
    assert record.game == game and record.players == ("a", "b")


def test_errors_name_parameters_as_python_does():
    game = alinea.Game("connect-four")
    for wrong, error, said in [
        (lambda: game.play(5), TypeError, "move must be str, not int"),
        (lambda: game.action(None), TypeError, "move must be str, not NoneType"),
        (lambda: game.perft(-1), ValueError, "depth cannot be -1"),
        (lambda: alinea.Batch("connect-four", -1), ValueError, "a batch cannot have -1 games; expected 1 to"),
        (lambda: alinea.Batch("connect-four", 1, seed=-1), ValueError, "seed cannot be -1"),
        (lambda: alinea.Batch("connect-four", 1).sample(3, 1 << 20), ValueError, "most cannot be 1048576"),
        (lambda: alinea.playouts(game, -2), ValueError, "n cannot be -2"),
        (lambda: alinea.Player("random", seed=-1), ValueError, "seed cannot be -1"),
        (lambda: alinea.assess(game, lines=-1), ValueError, "lines cannot be -1; expected 0 or more"),
        (lambda: alinea.solve(game, threads=-1), ValueError, "threads cannot be -1"),
        (lambda: alinea.match("random", "greedy", pairs=-1), ValueError, "pairs cannot be -1"),
    ]:
        with pytest.raises(error, match=said):
            wrong()
