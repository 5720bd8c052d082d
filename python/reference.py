"""Writes docs/reference/python.md from the docstrings of the package: `make python-reference`."""

import inspect
import re
import sys
from pathlib import Path

import alinea
from alinea import data, envs

HEAD = """# Alinea for Python

For programmers who use the package `alinea`: every class and function. Generated from the docstrings by \
`python/reference.py`; the examples run in the tests. [Learn to beat level 3](../tutorial/beat-level-3.ipynb) is the \
introduction.

*Not tested: the build takes minutes; the tests use the same package, built once.*

```sh
pip install ./python              # from a clone; needs Rust with rustup
pip install "./python[envs]"      # with Gymnasium and PettingZoo
```
"""

PLANES = """
## Observations, plane by plane

An observation is an array of planes × rows × columns of 32-bit floats from 0 to 1, the same scheme for every game. \
Row 0 is the top row and column 0 the left one, as the board is drawn. Everything is relative to the side that observes.
"""

SPEED = """
## Speed

`make bench-python` compares the package with OpenSpiel and PettingZoo, both from the package index, in one run. On a virtual \
machine of two cores with Python 3.11, per second of processor time:

| what | Alinea | compared with |
| --- | --- | --- |
| Connect Four, random games in a Python loop | 234,000 | OpenSpiel 2.0: 48,000 |
| tic-tac-toe, random games in a Python loop | 665,000 | OpenSpiel 2.0: 217,000 |
| Connect Four, `playouts` on one core | 7,800,000 | OpenSpiel's C++: 115,000 |
| tic-tac-toe, `playouts` on one core | 7,500,000 | OpenSpiel's C++: 918,000 |
| Connect Four, moves by `Batch.step`, 4,096 games, one thread | 46,100,000 | |
| Connect Four, random games by `Batch.random_actions` and `Batch.step`, 4,096 games, one thread | 1,160,000 | |
| Connect Four, steps of the unwrapped PettingZoo environment | 356,000 | `connect_four_v3`: 31,800 |
"""

SECTIONS = [
    ("Games", alinea, ["Game", "games", "read_games", "Record"]),
    ("Players", alinea, ["Player", "Thought", "players", "match", "Match", "serve_ugi"]),
    ("Truth", alinea, ["solve", "Solution", "assess", "Assessment", "Assessed", "Verdict", "review", "Reviewed"]),
    ("Skills", alinea, ["skills", "Skills", "Skill", "Chance"]),
    ("Learning", alinea, ["Batch", "playouts", "Playouts"]),
    ("Environments: `alinea.envs`", envs, envs.__all__),
    ("Data: `alinea.data`", data, ["random", "solved", "played", "read", "Positions"]),
]


def paragraphs(doc):
    """A docstring as Markdown: examples become code blocks."""
    out, code = [], []

    def flush():
        if code:
            out.extend(["```python", *code, "```"])
            code.clear()

    for text in inspect.cleandoc(doc or "").splitlines():
        text = re.sub(r"\s+# doctest: .*", "", text)
        if text.startswith(">>>") or (code and text):
            code.append(text)
        elif text.startswith("    "):
            out.append(text)
        else:
            flush()
            out.append(text)
    flush()
    return "\n".join(out).strip()


def signature(value):
    """The arguments of a callable, without the types."""
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return "()"
    shown = [p.replace(annotation=p.empty) for p in parameters if p.name not in ("self", "cls")]
    return str(inspect.Signature(shown)).replace(", /)", ")")


def attribute_docs(value):
    """The texts below the fields of a dataclass or a named tuple."""
    try:
        source = inspect.getsource(value)
    except (OSError, TypeError):
        return {}
    return dict(re.findall(r'^    (\w+): [^\n]*\n    """(.*?)"""', source, re.S | re.M))


def members(value):
    fields = getattr(value, "__dataclass_fields__", None) or getattr(value, "_fields", ())
    docs = attribute_docs(value)
    for name in fields:
        text = re.sub(r"\s+", " ", docs.get(name, "")).strip()
        yield f"- `{name}`" + (f": {text}" if text else "")
    # Native classes have no order of their own.
    for name, member in sorted(vars(value).items()):
        if name.startswith("_") or name in fields or not getattr(member, "__doc__", None):
            continue
        call = signature(member) if callable(member) else ""
        yield f"\n#### `{value.__name__}.{name}{call}`\n\n{paragraphs(member.__doc__)}\n"


def reference():
    parts = [HEAD]
    for title, module, names in SECTIONS:
        parts.append(f"\n## {title}\n")
        if module is not alinea:
            parts.append(paragraphs(module.__doc__) + "\n")
        for name in names:
            value = getattr(module, name)
            parts.append(f"\n### `{name}{signature(value)}`\n\n{paragraphs(value.__doc__)}\n")
            if inspect.isclass(value):
                parts.append("\n".join(members(value)))
    parts.append(PLANES)
    for name in alinea.games():
        game = alinea.Game(name)
        # The game that only tests switch on is not for readers.
        if game.info["title"] != "Dummy":
            planes = "\n".join(f"| {i} | {plane} |" for i, plane in enumerate(game.planes))
            parts.append(f"\n**{game.info['title']}**, `{game.spec}`\n\n| plane | holds |\n| --- | --- |\n{planes}\n")
    parts.append(SPEED)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).strip() + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference(), encoding="utf-8")
