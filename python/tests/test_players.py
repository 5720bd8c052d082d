"""Players, proofs and matches."""

import os
import pickle
import signal
import subprocess
import sys
import threading

import alinea
import pytest
from alinea import Game, Player


class FirstMove:
    """A player that is a Python class."""

    def __call__(self, game):
        return game.legal_moves[0]


def first_action(game):
    """A player that is a function and answers with an action."""
    return game.legal_actions[0]


def test_every_game_has_players_that_choose_legal_moves(name):
    game = Game(name)
    assert any(player.startswith("level:") for player in alinea.players(name))
    for player in ("level:1", "random", "engine:nodes=200"):
        thought = Player(player, seed=1)(game)
        assert thought.move in game.legal_moves and thought.move in thought.candidates
        # A level that moves at random gives a reason only where one sees what it missed.
        assert thought.reasons or player == "level:1"
        assert all("reason" in reason for reason in thought.reasons)
    assert pickle.loads(pickle.dumps(Player("random", 3)))(game) == Player("random", 3)(game)


def test_a_player_gives_its_reasons_as_the_command_line_does():
    thought = Player("smart:5")(Game("connect-four", "44"))
    assert (thought.move, thought.candidates, thought.score, thought.depth) == ("5", ["5"], 5, 5)
    assert thought.line == ["5", "3", "7", "6", "4"] and thought.nodes > 100
    assert thought.reasons == [{"reason": "minimax", "depth": 5, "value": 5}]


def test_bad_players_are_refused_with_the_usual_sentences():
    over = Game("connect-four", "4455667")
    for player, game, sentence in [
        ("nonsense", Game("gomoku"), "gomoku has no player “nonsense”; its players are level:1…8, even:1…64, random"),
        ("engine:0", Game("gomoku"), "“engine:0” is not a player; expected engine"),
        ("", Game("gomoku"), "“” is not a player; expected smart:5, external:COMMAND or NAME=PLAYER"),
        ("random", over, "the game is over (first has won); no move can follow"),
    ]:
        with pytest.raises(ValueError) as error:
            Player(player)(game)
        assert sentence in str(error.value)


def test_truth_is_told():
    assert alinea.solve("connect-four").score == 1
    assert alinea.assess("connect-four").best.verdict == alinea.Verdict("proven", "win", 41)
    assessment = alinea.assess(Game("gomoku", "h8"), nodes=2000, lines=2)
    assert len(assessment.moves) == 2 and assessment.best.verdict.kind == "estimate" and not assessment.final
    assert assessment.best.verdict.advantage in {"even", "slight", "clear", "decisive"}
    moves = alinea.review(Game("connect-four", "4443"))
    assert [move.side for move in moves] == ["first", "second"] * 2 and moves[0].best.move == "4"
    assert alinea.assess(Game("connect-four", "4455667")).best is None


def test_python_players_play_matches():
    result = alinea.match(FirstMove, first_action, "connect-four", pairs=3, seed=1)
    assert result.players == ("FirstMove", "first_action")
    assert result.wins == result.losses and result.elo == 0 and result.pairs == [0, 0, 3, 0, 0]
    assert len(result.games) == 6 and all(game.is_over for game in result.games)
    assert [game.moves[:4] for game in result.games[::2]] == [game.moves[:4] for game in result.games[1::2]]
    strong = alinea.match(Player("smart:4"), FirstMove(), "connect-four", pairs=4, concurrency=2)
    assert strong.wins == 8 and strong.elo == float("inf") and -100 < strong.interval[0] < 0 and str(strong)


def test_matches_are_reproducible(name):
    first, again = (alinea.match("level:1", "random", name, pairs=2, seed=5, concurrency=n) for n in (1, 2))
    assert sorted(game.moves for game in first.games) == sorted(game.moves for game in again.games)
    assert first.pairs == again.pairs


def test_sprt_decides_a_match():
    result = alinea.match("smart:4", first_action, "connect-four", pairs=500, sprt=(0, 100))
    assert result.verdict == "accepted" and result.llr > 2.9 and len(result.games) < 1000
    normalised = alinea.match("smart:4", first_action, "connect-four", pairs=500, sprt=(0, 100), sprt_model="normalised")
    assert normalised.verdict == "accepted" and normalised.llr != result.llr
    with pytest.raises(ValueError, match="expected logistic or normalised"):
        alinea.match("random", first_action, "connect-four", sprt=(0, 10), sprt_model="bayes")
    with pytest.raises(ValueError, match="SPRT needs elo0 below elo1"):
        alinea.match("random", first_action, "connect-four", sprt=(10, 0))


def test_an_exception_of_a_player_ends_the_match():
    def broken(game):
        raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        alinea.match("random", broken, "tic-tac-toe")
    with pytest.raises(ValueError, match="cell b2 is taken"):
        alinea.match(lambda game: "b2", "random", "tic-tac-toe", openings="empty")
    with pytest.raises(TypeError, match="a player answers with a move, an action or a Thought, not with NoneType"):
        alinea.match(lambda game: None, "random", "tic-tac-toe")


ENGINE = """
import alinea
class Centre:
    def __call__(self, game): return sorted(game.legal_moves, key=lambda m: abs(int(m) - 4))[0]
alinea.serve_ugi(Centre, "connect-four")
"""


def test_three_lines_make_an_engine(tmp_path):
    path = tmp_path / "centre.py"
    path.write_text(ENGINE)
    result = alinea.match(f"Centre=external:{sys.executable} {path}", FirstMove, "connect-four", pairs=2)
    assert result.players == ("Centre", "FirstMove") and not result.forfeits and len(result.games) == 4
    commands = "ugi\nisready\nposition startpos moves 4 4\ngo movetime 100\nquery p1turn\n"
    answer = subprocess.run([sys.executable, path], input=commands, capture_output=True, text=True, timeout=60)
    assert "id name Centre" in answer.stdout and "bestmove 4" in answer.stdout and "response true" in answer.stdout


@pytest.fixture
def interrupts():
    """Ctrl-C as in a terminal; a process that was started in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_stops_thinking(interrupts):
    for think in (
        lambda: Player("engine:1000s")(Game("gomoku")),
        lambda: alinea.assess(Game("chess-five"), seconds=1000),
        lambda: alinea.match("engine:1000s", "engine:1000s", "gomoku"),
    ):
        timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            think()
        timer.join()


def test_the_lock_is_released_while_players_think():
    # With the lock held the main thread could not go on, and the child would run into the timeout.
    program = """
import os, threading, alinea
thinking = threading.Thread(target=lambda: alinea.Player("engine:1000s")(alinea.Game("gomoku")), daemon=True)
thinking.start()
print(sum(alinea.playouts("tic-tac-toe", 1000)), flush=True)
os._exit(0)
"""
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert answer.stdout == "1000\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_process_thinks_too():
    Player("smart:3")(Game("connect-four"))
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, Player("smart:3")(Game("connect-four")).move.encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 10) == Player("smart:3")(Game("connect-four")).move.encode()
