"""Which kernels are used, and that every native one has its twin."""

import importlib
import importlib.machinery
import re
import warnings
from pathlib import Path

import pytest

import bayesgrove.kernels
from bayesgrove.kernels import load_kernels, numpy_kernels

FOLDER = Path(bayesgrove.kernels.__file__).parent
BOUND = r'm\.def\("(\w+)"'


@pytest.fixture
def native():
    return pytest.importorskip("bayesgrove.kernels._native")


def public(module):
    return {name for name in dir(module) if not name.startswith("_")}


def test_native_and_numpy_kernels_have_the_same_functions(native):
    assert public(native) == set(numpy_kernels.__all__)


@pytest.mark.skipif(not (FOLDER / "native").is_dir(), reason="the sources are not installed")
def test_a_kernel_is_in_the_numpy_file_of_the_native_name():
    files = (FOLDER / "native").glob("*.cpp")
    bound = [name for file in files for name in re.findall(BOUND, file.read_text())]
    assert len(bound) > 20
    headers = {path.stem: path.read_text() for path in (FOLDER / "native").glob("*.hpp")}
    for kernel in set(bound) - {"instruction_set"}:
        (name,) = (
            n for n, text in headers.items() if re.search(rf"^inline .*[ &]{kernel}\(", text, re.M)
        )
        twin = importlib.import_module(f"bayesgrove.kernels.numpy.{name}")
        assert getattr(twin, kernel) is getattr(numpy_kernels, kernel)


def test_no_native_module_is_not_worth_a_word(monkeypatch):
    monkeypatch.delenv("BAYESGROVE_KERNELS", raising=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert load_kernels("bayesgrove.kernels._not_built") is numpy_kernels


def test_a_native_module_that_does_not_load_is_a_warning_that_says_why(tmp_path, monkeypatch):
    monkeypatch.delenv("BAYESGROVE_KERNELS", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    suffix = importlib.machinery.EXTENSION_SUFFIXES[0]
    (tmp_path / f"broken_kernels{suffix}").write_bytes(b"no shared library")
    with pytest.warns(RuntimeWarning, match=r"do not load.*broken_kernels.*BAYESGROVE_KERNELS"):
        assert load_kernels("broken_kernels") is numpy_kernels


def test_a_module_that_lacks_another_is_a_warning_too(tmp_path, monkeypatch):
    monkeypatch.delenv("BAYESGROVE_KERNELS", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "needy_kernels.py").write_text("import no_such_module_anywhere\n")
    with pytest.warns(RuntimeWarning, match="no_such_module_anywhere"):
        assert load_kernels("needy_kernels") is numpy_kernels


def test_numpy_kernels_can_be_asked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("BAYESGROVE_KERNELS", "numpy")
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "other_kernels.py").write_text("raise ImportError('not even tried')\n")
    assert load_kernels("other_kernels") is numpy_kernels
