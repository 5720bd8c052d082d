"""What is documented works: docstrings, the reference, the stubs, the tutorial."""

import ast
import doctest
import json
import os
import subprocess
import sys
from pathlib import Path

import alinea
import alinea._contest
import alinea._draw
import alinea._native
import alinea._players
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


@pytest.mark.parametrize("module", [alinea, alinea._contest, alinea._players, alinea._study, data, envs])
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
