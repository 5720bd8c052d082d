#!/usr/bin/env python3
"""A template for a Connect Four player in Python: it wins if it can, blocks if it must, and otherwise plays near
the centre. Check it with: alinea check "python3 examples/template_player.py" connect-four"""
import sys

ROWS, COLS, RUN = 6, 7, 4


def landing(board, col):
    """The row where a piece lands, or None if the column is full."""
    return next((row for row in range(ROWS) if (row, col) not in board), None)


def wins(board, col, who):
    """Whether a piece in this column completes a line."""
    row = landing(board, col)
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            r, c = row + sign * dr, col + sign * dc
            while board.get((r, c)) == who:
                length, r, c = length + 1, r + sign * dr, c + sign * dc
        if length >= RUN:
            return True
    return False


def choose(board, who):
    free = [col for col in range(COLS) if landing(board, col) is not None]
    free.sort(key=lambda col: abs(col - COLS // 2))
    return next((col for side in (who, 1 - who) for col in free if wins(board, col, side)), free[0])


def read(words):
    """Parses the arguments of position: startpos or fen BOARD SIDE, then optionally moves M..."""
    board, turn = {}, 0
    if words[0] == "fen":
        turn = "wb".index(words[2])
        for row, text in enumerate(reversed(words[1].split("/"))):
            text = "".join("." * int(c) if c.isdigit() else c for c in text)
            board.update({(row, col): "xo".index(c) for col, c in enumerate(text) if c != "."})
    for move in words[words.index("moves") + 1 :] if "moves" in words else []:
        board[landing(board, int(move) - 1), int(move) - 1] = turn
        turn = 1 - turn
    return board, turn


for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ugi":
        print("id name Template in Python\nugiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "position":
        board, turn = read(rest)
    elif word == "go":
        print("bestmove", choose(board, turn) + 1, flush=True)
    elif word == "quit":
        break
