"""What is documented works: docstrings, the reference, the stubs, the tutorial."""

import ast
import doctest
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import alinea
import alinea._contest
import alinea._draw
import alinea._native
import alinea._players
import alinea._skills
import alinea._study
import pytest
from alinea import data, envs

ROOT = Path(__file__).parents[2]
NATIVE = [alinea.Game, alinea.Batch]


def run(doc, name, names):
    test = doctest.DocTestParser().get_doctest(doc, names, name, None, 0)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert result.failed == 0, name
    return result.attempted


def test_examples_of_native_classes_run():
    names = {name: getattr(alinea, name) for name in alinea.__all__}
    attempted = 0
    for owner in NATIVE:
        attempted += run(owner.__doc__, owner.__name__, dict(names))
        for name, member in vars(owner).items():
            if not name.startswith("__") and member.__doc__:
                attempted += run(member.__doc__, f"{owner.__name__}.{name}", dict(names))
    assert attempted > 40


@pytest.mark.parametrize("module", [alinea, alinea._contest, alinea._players, alinea._skills, alinea._study, data, envs])
def test_examples_of_modules_run(module):
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0 and (result.attempted > 0 or module is alinea)


def test_everything_public_is_documented():
    for name in alinea.__all__:
        assert getattr(alinea, name).__doc__, name
    for owner in NATIVE:
        for name, member in vars(owner).items():
            assert name.startswith("_") or member.__doc__, f"{owner.__name__}.{name}"


def test_stubs_name_what_there_is():
    stub = Path(alinea.__file__).with_name("_native.pyi")
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    assert stub.with_name("py.typed").exists()
    found = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    public = {name for name in vars(alinea._native) if not name.startswith("_")}
    assert set(found) == public
    for name in ("Game", "Batch", "Roster"):
        stubbed = {node.name for node in found[name].body if not node.name.startswith("__")}
        native = {member for member in vars(getattr(alinea._native, name)) if not member.startswith("__")}
        assert stubbed == native, name


def test_the_reference_is_up_to_date():
    sys.path.insert(0, str(ROOT / "python"))
    import reference

    assert (ROOT / "docs/reference/python.md").read_text(encoding="utf-8") == reference.reference()


def test_import_loads_no_large_package():
    program = "import sys, alinea; print([m for m in ('numpy', 'gymnasium', 'pettingzoo') if m in sys.modules])"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert answer.stdout == "[]\n"


def example(page):
    """The one example in Python on a page."""
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    return code


def test_the_example_of_the_readme_runs():
    """Every line; a comment that shows a value is the beginning of that value."""
    names = {"my_player": lambda game: game.legal_moves[0], "actions": [0] * 4096}
    shown = 0
    for line in example("README.md").splitlines():
        code, _, comment = (part.strip() for part in line.partition("#"))
        if code.startswith("import") or " = " in code:
            exec(code, names)
            continue
        value = eval(code, names) if code else None
        if comment.startswith("{"):
            assert str(value).startswith(comment.split("…")[0].strip()), line
            shown += 1
    assert shown == 1 and names["game"].ply == 4


def test_the_example_of_data_sets_runs(tmp_path, monkeypatch):
    import pandas

    shutil.copytree(ROOT / "python/tests/datasets/searched", tmp_path / "c4")
    rows = pandas.read_json(tmp_path / "c4/positions.jsonl", lines=True)
    rows.to_parquet(tmp_path / "c4/positions.parquet")
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(example("docs/how-to/make-a-dataset.md"), names)
    assert len(names["positions"]) == len(rows) >= len(names["train"].value) > 0


def test_the_brain_on_its_page_is_the_one_that_runs():
    """The page shows a part of the example, which the tests of matches play."""
    brain = (ROOT / "examples/gomocup_brain.py").read_text(encoding="utf-8")
    shown = example("docs/how-to/use-gomocup-engines.md")
    for part in shown.split("    …\n"):
        assert part in brain


def test_the_tutorial_runs(monkeypatch):
    """All cells of the notebook in their order, with less data and shorter training."""
    notebook = json.loads((ROOT / "docs/tutorial/beat-level-3.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert sum(len(cell.splitlines()) for cell in cells) <= 100
    monkeypatch.setenv("ALINEA_SHORT", "1")
    names = {}
    for cell in cells:
        exec(compile(cell, "beat-level-3.ipynb", "exec"), names)
    assert 0 <= names["result"].score <= 1 and len(names["result"].games) > 0


@pytest.mark.skipif("ALINEA_TEST_ALL" not in os.environ, reason="the wheel, a build of its own, is made by make test-all")
def test_the_wheel_is_small():
    wheels = list((ROOT / "target/wheels").glob("*.whl"))
    assert wheels and all(wheel.stat().st_size < 6_000_000 for wheel in wheels)
