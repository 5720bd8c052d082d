"""Boards as text, as SVG for notebooks, and as pixels for videos: all from a game's view and description."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Optional
from xml.sax.saxutils import escape

from ._native import Game

if TYPE_CHECKING:
    import numpy as np

CELL = 40
COLOURS = {"first": "#d7443e", "second": "#2f6fb3"}
BOARD, LINES, WINNING = "#f4efe6", "#a89f91", "#f3c948"


def text(game: Game) -> str:
    """The board with characters; the last line says whose turn it is."""
    view, symbols = game.view, _symbols(game)
    rows = []
    for row in range(view["rows"]):
        cells = view["cells"][row * view["cols"] : (row + 1) * view["cols"]]
        drawn = " ".join("·" if cell is None else symbols[cell["kind"], cell["side"]] for cell in cells)
        rows.append(f"{_row_name(game, view['rows'] - row)}{drawn}")
    rows.append(f"{_row_name(game, None)}{' '.join(_column_names(game, view['cols']))}")
    return "\n".join([*rows, _status(game)])


def svg(game: Game) -> str:
    """The board as an SVG picture."""
    view = game.view
    width, height = view["cols"] * CELL, view["rows"] * CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 2}" height="{height + 22}" '
        f'viewBox="-1 -1 {width + 2} {height + 22}"><title>{escape(_status(game))}</title>'
        f'<rect width="{width}" height="{height}" fill="{BOARD}"/>'
    ]
    for x, y, piece, wins in _cells(game):
        colour = WINNING if wins else "none"
        parts.append(
            f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{colour}" stroke="{LINES}" stroke-width="1"/>'
        )
        if piece:
            parts.append(_svg_piece(piece, x + CELL / 2, y + CELL / 2))
    for column, name in enumerate(_column_names(game, view["cols"])):
        middle = column * CELL + CELL / 2
        parts.append(
            f'<text x="{middle}" y="{height + 15}" font-size="12" text-anchor="middle" fill="{LINES}">{escape(name)}</text>'
        )
    return "".join([*parts, "</svg>"])


def pixels(game: Game) -> np.ndarray:
    """The board as an array of height × width × 3 bytes."""
    import numpy as np

    view = game.view
    image = np.empty((view["rows"] * CELL, view["cols"] * CELL, 3), np.uint8)
    image[:] = _rgb(BOARD)
    y, x = np.mgrid[:CELL, :CELL] - (CELL - 1) / 2
    for left, top, piece, wins in _cells(game):
        cell = image[top : top + CELL, left : left + CELL]
        if wins:
            cell[:] = _rgb(WINNING)
        cell[0, :] = cell[:, 0] = _rgb(LINES)
        if piece:
            cell[_mask(piece, x, y)] = _rgb(COLOURS[piece["side"]])
    return image


def _cells(game: Game) -> Iterator[tuple[int, int, Optional[dict[str, Any]], bool]]:
    """Left and top edge of each cell, the piece on it, and whether it is part of the winning line."""
    view = game.view
    glyphs = {
        (piece["kind"], side): (piece["glyphs"][i], piece["symbols"][i])
        for piece in game.info["pieces"]
        for i, side in enumerate(COLOURS)
    }
    for i, cell in enumerate(view["cells"]):
        row, column = divmod(i, view["cols"])
        piece = None
        if cell is not None:
            glyph, symbol = glyphs[cell["kind"], cell["side"]]
            piece = {"glyph": glyph, "symbol": symbol, "side": cell["side"]}
        wins = _cell_name(column, view["rows"] - row) in (game.line or ())
        yield column * CELL, row * CELL, piece, wins


def _svg_piece(piece: dict[str, Any], x: float, y: float) -> str:
    colour, r = COLOURS[piece["side"]], CELL * 0.38
    glyph = piece["glyph"]
    if glyph in ("disc", "round"):
        return f'<circle cx="{x}" cy="{y}" r="{r}" fill="{colour}"/>'
    if glyph in ("ring", "o", "round-hollow"):
        return f'<circle cx="{x}" cy="{y}" r="{r - 3}" fill="none" stroke="{colour}" stroke-width="6"/>'
    if glyph == "square":
        return f'<rect x="{x - r}" y="{y - r}" width="{2 * r}" height="{2 * r}" fill="{colour}"/>'
    if glyph == "square-hollow":
        a = r - 3
        return (
            f'<rect x="{x - a}" y="{y - a}" width="{2 * a}" height="{2 * a}" fill="none" '
            f'stroke="{colour}" stroke-width="6"/>'
        )
    if glyph == "x":
        a = r - 2
        path = f"M{x - a} {y - a}L{x + a} {y + a}M{x - a} {y + a}L{x + a} {y - a}"
        return f'<path d="{path}" stroke="{colour}" stroke-width="6"/>'
    # Any other glyph is shown by the letter that a text screen draws.
    return (
        f'<circle cx="{x}" cy="{y}" r="{r}" fill="{colour}"/><text x="{x}" y="{y + 6}" font-size="18" '
        f'text-anchor="middle" font-weight="bold" fill="white">{escape(piece["symbol"])}</text>'
    )


def _mask(piece: dict[str, Any], x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Which pixels of a cell a piece covers; letters are left out of a disc."""
    import numpy as np

    r, glyph = CELL * 0.38, piece["glyph"]
    circle, square = np.hypot(x, y), np.maximum(abs(x), abs(y))
    if glyph in ("disc", "round"):
        return circle <= r
    if glyph in ("ring", "o", "round-hollow"):
        return (circle <= r) & (circle >= r - 6)
    if glyph == "square":
        return square <= r
    if glyph == "square-hollow":
        return (square <= r) & (square >= r - 6)
    if glyph == "x":
        return (square <= r) & (abs(abs(x) - abs(y)) <= 4)
    mask = circle <= r
    letter = LETTERS.get(piece["symbol"].upper())
    if letter:
        bits = np.array([[c == "#" for c in row] for row in letter]).repeat(2, 0).repeat(2, 1)
        top, left = (CELL - bits.shape[0]) // 2, (CELL - bits.shape[1]) // 2
        mask[top : top + bits.shape[0], left : left + bits.shape[1]] &= ~bits
    return mask


LETTERS = {
    "B": ("####.", "#...#", "####.", "#...#", "#...#", "####."),
    "K": ("#..#.", "#.#..", "##...", "#.#..", "#..#.", "#...#"),
    "N": ("#...#", "##..#", "#.#.#", "#..##", "#...#", "#...#"),
    "Q": (".###.", "#...#", "#...#", "#.#.#", "#..#.", ".##.#"),
    "R": ("####.", "#...#", "####.", "#.#..", "#..#.", "#...#"),
}


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _symbols(game: Game) -> dict[tuple[str, str], str]:
    pieces = game.info["pieces"]
    return {(piece["kind"], side): piece["symbols"][i] for piece in pieces for i, side in enumerate(COLOURS)}


def _letters(column: int) -> str:
    return chr(97 + column) if column < 26 else chr(96 + column // 26) + chr(97 + column % 26)


def _cell_name(column: int, row: int) -> str:
    return f"{_letters(column)}{row}"


def _column_names(game: Game, cols: int) -> list[str]:
    if game.info["coordinates"] == "columns":
        return [str(column + 1) for column in range(cols)]
    return [_letters(column) for column in range(cols)]


def _row_name(game: Game, row: Optional[int]) -> str:
    if game.info["coordinates"] == "columns":
        return ""
    return f"{row or '':>2} "


def _status(game: Game) -> str:
    names = {side: game.info["sides"][i]["name"] for i, side in enumerate(COLOURS)}
    if game.outcome == "draw":
        return "a draw"
    return f"{names[game.outcome]} has won" if game.outcome else f"{names[game.turn or 'first']} to move"
