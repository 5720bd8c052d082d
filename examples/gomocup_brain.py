#!/usr/bin/env python3
"""A brain for Gomoku in Python that speaks the protocol of the Gomocup: it plays where the most lines of five can still
be made or must be stopped. Check it with: alinea check --gomocup "python3 examples/gomocup_brain.py" gomoku"""
import sys

# The value of a line of five cells that already holds 0 to 4 own stones, or stones of the opponent, and no others.
OWN, OPPONENT = (1, 10, 100, 1000, 100000), (0, 9, 90, 900, 10000)


def value(x, y):
    total = 0
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for start in range(-4, 1):
            line = [(x + i * dx, y + i * dy) for i in range(start, start + 5)]
            if all(0 <= a < width and 0 <= b < height for a, b in line):
                own, opponent = ([board.get(cell) for cell in line].count(who) for who in (1, 2))
                total += OWN[own] if not opponent else OPPONENT[opponent] if not own else 0
    return total


def move():
    free = [(x, y) for x in range(width) for y in range(height) if (x, y) not in board]
    x, y = max(free, key=lambda cell: value(*cell))
    board[x, y] = 1
    print(f"{x},{y}", flush=True)


for line in sys.stdin:
    command, *rest = line.replace(",", " ").split() or [""]
    if command in ("START", "RECTSTART", "RESTART"):
        width, height = (int(rest[0]), int(rest[-1])) if rest else (width, height)
        board = {}
        print("OK", flush=True)
    elif command == "BEGIN":
        move()
    elif command == "TURN":
        board[int(rest[0]), int(rest[1])] = 2
        move()
    elif command == "BOARD":
        for stone in iter(lambda: sys.stdin.readline().strip(), "DONE"):
            x, y, who = map(int, stone.split(","))
            board[x, y] = who
        move()
    elif command == "ABOUT":
        print('name="Brain in Python", version="1.0"', flush=True)
    elif command == "END":
        break
    elif command != "INFO":
        print("UNKNOWN", command, flush=True)
