"""Codes in a temporary file: what is read is what was written, and nothing is left behind."""

import errno
import gc
import os

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import bayesgrove.encoding.store
from bayesgrove import (
    NaiveBayesClassifier,
    SpillError,
    SpillWarning,
    config_context,
    set_config,
)
from bayesgrove._utils import spill
from bayesgrove.encoding import CodeStore, Encoded, code_type

CARDS = [2, 300, 70_000]
ROWS = 1000


def encoded(rows=ROWS, seed=0):
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, card + 1, rows).astype(code_type(card)) for card in CARDS]
    numbers = [rng.normal(size=rows), np.where(rng.random(rows) < 0.2, np.nan, 1.5)]
    target = rng.integers(0, 3, rows).astype(np.uint8)
    return Encoded(columns, CARDS, rows, target, 3, continuous=numbers)


@pytest.fixture
def stored(monkeypatch):
    monkeypatch.setattr(bayesgrove.encoding.store, "PART_ROWS", 300)
    whole = encoded()
    with pytest.warns(SpillWarning, match=r"The codes of 1,000 rows \(0\.0 MB\) exceed the memory"):
        store = CodeStore(ROWS, CARDS, 3, 2)
    for start in (0, 1, 400):
        stop = {0: 1, 1: 400, 400: ROWS}[start]
        store.append(whole.take(np.arange(start, stop)))
    return whole, store


def test_columns_come_back(stored):
    whole, store = stored
    for v in range(4):
        assert_array_equal(store.column(v), whole.column(v))
        assert store.column(v).dtype == whole.column(v).dtype


def test_parts_have_what_was_asked_for(stored):
    whole, store = stored
    parts = list(store.parts([1, 3]))
    assert [part.rows for part in parts] == [300, 300, 300, 100]
    assert_array_equal(np.concatenate([part.column(1) for part in parts]), whole.columns[1])
    assert_array_equal(np.concatenate([part.target for part in parts]), whole.target)
    with pytest.raises(ValueError, match="no codes of variable 0"):
        parts[0].column(0)
    kept = [part.take(np.array([0])) for part in parts]
    assert [part.rows for part in kept] == [1] * 4


def test_all_rows_come_back(stored):
    whole, store = stored
    loaded = store.load()
    for mine, other in zip(loaded.columns, whole.columns, strict=True):
        assert_array_equal(mine, other)
    for mine, other in zip(loaded.continuous, whole.continuous, strict=True):
        assert_array_equal(mine, other)
    assert (loaded.rows, loaded.n_classes, loaded.cards) == (ROWS, 3, CARDS)


def spilled_fit(folder, path):
    with config_context(memory_limit=0, spill_folder=folder), pytest.warns(SpillWarning):
        return NaiveBayesClassifier().fit(path, "label")


@pytest.fixture
def path(tmp_path):
    import pandas as pd

    frame = pd.DataFrame({"a": list("xyxz") * 20, "b": range(80), "label": [0, 1] * 40})
    frame.to_parquet(tmp_path / "rows.parquet")
    return tmp_path / "rows.parquet"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "spill").mkdir()
    return tmp_path / "spill"


def test_too_little_space_is_said_before_anything_is_written(folder, path, monkeypatch):
    monkeypatch.setattr(spill, "free_space", lambda _: 100)
    with pytest.raises(
        SpillError, match=r"of 0\.0 MB cannot be written in .*spill \(0\.0 MB are free\)"
    ):
        spilled_fit(folder, path)
    assert os.listdir(folder) == []


@pytest.mark.parametrize("call", ["posix_fallocate", "pwrite"])
def test_a_disk_that_fills_up(call, folder, path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, full)
    with pytest.raises(SpillError, match=r"No space left on device.*set_config\(spill_folder"):
        spilled_fit(folder, path)
    gc.collect()
    assert os.listdir(folder) == []


def test_nothing_is_left_behind(folder, path):
    descriptors = len(os.listdir("/proc/self/fd"))
    model = spilled_fit(folder, path)
    assert os.listdir(folder) == []
    del model
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == descriptors


def test_a_folder_that_is_not_there():
    with pytest.raises(ValueError, match=r"spill_folder='/nowhere' must be a folder"):
        set_config(spill_folder="/nowhere")
    with pytest.raises(TypeError, match="'folder' is not a setting"):
        set_config(folder="x")
    with pytest.raises(ValueError, match="memory_limit=-1"):
        set_config(memory_limit=-1)
