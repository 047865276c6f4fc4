"""Parquet files and Arrow datasets: what is read, and what is refused."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as arrow_dataset
import pyarrow.parquet as parquet
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import bayesgrove._utils.memory
import bayesgrove.counts.counter
from bayesgrove import (
    EqualFrequencyDiscretizer,
    KDBClassifier,
    NaiveBayesClassifier,
    TANClassifier,
    UnseenValueWarning,
)
from bayesgrove.counts import MemoryEngine
from bayesgrove.encoding import MemoryLimitError, class_codes
from bayesgrove.tables import is_external, open_table
from bayesgrove.tables.arrow import ArrowTable

PARTS = [
    pd.DataFrame({"a": ["x", "y", "x"], "b": [0.5, 1.5, 2.5], "label": ["no", "yes", "no"]}),
    pd.DataFrame({"a": ["z", None], "b": [3.5, np.nan], "label": ["yes", "yes"]}),
    pd.DataFrame({"a": ["w", "x"], "b": [5.5, 0.5], "label": ["also", "no"]}),
]
WHOLE = pd.concat(PARTS, ignore_index=True)


def write(folder, parts=PARTS, **options):
    for k, part in enumerate(parts):
        table = part if isinstance(part, pa.Table) else pa.Table.from_pandas(part)
        parquet.write_table(table, folder / f"{k}.parquet", **options)
    return folder


def assert_same_model(files, memory):
    assert files.classes_.tolist() == memory.classes_.tolist()
    assert files.network_.nodes[:-1] == memory.network_.nodes[:-1]
    for mine, other in zip(files.network_.nodes, memory.network_.nodes, strict=True):
        assert files.network_.states(mine) == memory.network_.states(other)
        one, two = (np.asarray(m.network_.table(n)) for m, n in ((files, mine), (memory, other)))
        assert_allclose(one, two, rtol=0, atol=1e-15)


def halves(model, frame, folder, rows=None):
    """The model fitted from two files, and from memory."""
    rows = len(frame) // 2 if rows is None else rows
    write(folder, [frame[:rows], frame[rows:]])
    X = frame.drop(columns="label")
    return model().fit(folder, "label"), model().fit(X, frame["label"].to_numpy())


@pytest.mark.parametrize(
    ("X", "expected"),
    [("a.parquet", True), (np.zeros((1, 1)), False), (WHOLE, False), ([["a"]], False)],
)
def test_what_is_a_stream(X, expected):
    assert is_external(X) is expected


def test_every_way_to_name_the_files(tmp_path):
    write(tmp_path)
    sources = [
        tmp_path,
        str(tmp_path),
        str(tmp_path / "*.parquet"),
        tmp_path / "?.parquet",
        arrow_dataset.dataset(tmp_path),
        arrow_dataset.InMemoryDataset(pa.Table.from_pandas(WHOLE)),
    ]
    memory = NaiveBayesClassifier().fit(WHOLE[["a", "b"]], WHOLE["label"])
    for source in sources:
        assert is_external(source)
        assert_same_model(NaiveBayesClassifier().fit(source, "label"), memory)
    one = NaiveBayesClassifier().fit(str(tmp_path / "0.parquet"), "label")
    assert_same_model(one, NaiveBayesClassifier().fit(PARTS[0][["a", "b"]], PARTS[0]["label"]))


def test_names_rows_and_classes(tmp_path):
    table = open_table(write(tmp_path))
    assert table.names == ["a", "b", "label"]
    assert table.rows == 7
    codes, counts = class_codes(table, "label")
    assert counts == {"also": 1, "no": 3, "yes": 3}
    assert [list(counts)[code] for code in codes] == WHOLE["label"].tolist()
    assert sum(batch.rows for batch in table.batches([1])) == 7


def test_the_class_may_be_any_column(tmp_path):
    frame = WHOLE[["label", "b", "a"]]
    model = NaiveBayesClassifier().fit(write(tmp_path, [frame]), "label")
    assert model.feature_names_in_.tolist() == ["b", "a"]
    assert model.n_features_in_ == 2
    assert model.network_.class_node == "label"


def test_rows_to_predict_may_have_more_columns_in_any_order(tmp_path):
    (tmp_path / "train").mkdir()
    (tmp_path / "new").mkdir()
    model = NaiveBayesClassifier().fit(write(tmp_path / "train"), "label")
    expected = model.predict_proba(WHOLE[["a", "b"]])
    new = WHOLE[["b", "label", "a"]].assign(more=1)
    assert_array_equal(model.predict_proba(write(tmp_path / "new", [new[:2], new[2:]])), expected)


@pytest.mark.parametrize(
    "labels", [[3, -1, 3, 7], [True, False, True, True], [1.5, 2.5, 1.5, 2.5], ["b", "a", "b", "c"]]
)
def test_kinds_of_classes(labels, tmp_path):
    frame = pd.DataFrame({"a": list("xyxz"), "label": labels})
    if isinstance(labels[0], float):
        frame["label"] *= 2
    files, memory = halves(NaiveBayesClassifier, frame, tmp_path)
    assert_same_model(files, memory)
    assert_array_equal(files.predict(tmp_path), memory.predict(frame[["a"]]))


def test_a_class_column_of_categories(tmp_path):
    frame = pd.DataFrame({"a": list("xyxz"), "label": pd.Categorical(["q", "p", "q", "p"])})
    assert NaiveBayesClassifier().fit(write(tmp_path, [frame]), "label").classes_.tolist() == [
        "p",
        "q",
    ]


def test_dictionaries_may_differ_from_file_to_file(tmp_path):
    parts = [part.astype({"a": "category"}) for part in PARTS]
    assert parts[0]["a"].cat.categories[0] != parts[1]["a"].cat.categories[0]
    files = NaiveBayesClassifier().fit(write(tmp_path, parts), "label")
    assert_same_model(files, NaiveBayesClassifier().fit(WHOLE[["a", "b"]], WHOLE["label"]))
    assert_array_equal(files.predict_proba(tmp_path), files.predict_proba(WHOLE[["a", "b"]]))


def test_few_values_in_each_file_may_be_many_together(tmp_path):
    frame = pd.DataFrame({"a": np.arange(24), "label": [0, 1] * 12})
    assert "a" in halves(NaiveBayesClassifier, frame, tmp_path, rows=8)[0].cut_points_


def test_a_hole_in_one_file_is_a_state_in_all(tmp_path):
    frame = pd.DataFrame({"a": [1, 2, 1, 2, None, 2], "label": [0, 1] * 3}).astype({"a": "Int64"})
    files, memory = halves(NaiveBayesClassifier, frame, tmp_path)
    assert files.network_.states("a") == (1, 2, None)
    assert_same_model(files, memory)


@pytest.mark.parametrize("missing", ["value", "ignore"])
@pytest.mark.parametrize("empty", ["str", "float64"])
def test_a_column_without_values_in_one_file(missing, empty, tmp_path):
    values = ["x", "y", "x"] if empty == "str" else [0.25, 0.5, 0.75]
    frame = pd.DataFrame({"a": pd.Series([None] * 3 + values, dtype=empty), "label": [0, 1] * 3})
    files, memory = halves(lambda: NaiveBayesClassifier(missing=missing), frame, tmp_path)
    assert_same_model(files, memory)


@pytest.mark.parametrize("missing", ["value", "ignore"])
def test_a_column_without_any_value(missing, tmp_path):
    frame = pd.DataFrame({"a": [np.nan] * 6, "b": list("xyxyxz"), "label": [0, 1] * 3})
    assert_same_model(*halves(lambda: TANClassifier(missing=missing), frame, tmp_path))


def correlated(rows, seed=0):
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 3, rows)
    a, b = (np.where(rng.random(rows) < 0.6, label, rng.integers(0, 4, rows)) for _ in range(2))
    c = np.where(rng.random(rows) < 0.7, (a + b) % 4, rng.integers(0, 4, rows))
    words = np.array(["p", "q", "r", "s"])
    frame = pd.DataFrame({"a": words[a], "b": words[b], "c": words[c], "label": label})
    return frame.mask(rng.random(frame.shape) < [0.2, 0.2, 0.2, 0.0])


@pytest.mark.parametrize("missing", ["value", "ignore"])
@pytest.mark.parametrize("rows", [1, 8, 15])
def test_observed_configurations_of_parts_are_joined(missing, rows, tmp_path, monkeypatch):
    monkeypatch.setattr(bayesgrove.counts.counter, "DENSE_CELLS", 0)
    frame = correlated(30)
    files, memory = halves(lambda: KDBClassifier(k=2, missing=missing), frame, tmp_path, rows)
    nodes = files.network_.nodes
    assert any(files.network_.table(node).configurations.keys is not None for node in nodes)
    assert files.network_.arcs == {
        (p.replace("class", "label"), c) for p, c in memory.network_.arcs
    }
    assert_same_model(files, memory)
    X = frame.drop(columns="label")
    assert_allclose(files.predict_proba(X), memory.predict_proba(X), rtol=0, atol=1e-12)


def test_observed_values_without_attribute_parents_are_joined(tmp_path, monkeypatch):
    monkeypatch.setattr(bayesgrove.counts.counter, "DENSE_CELLS", 0)
    frame = pd.DataFrame({"id": list("abcdefghij"), "label": np.arange(10) % 5})
    files, memory = halves(NaiveBayesClassifier, frame, tmp_path)
    assert_array_equal(files.predict_proba(frame[["id"]]), memory.predict_proba(frame[["id"]]))


def test_cuts_are_those_of_all_rows(tmp_path):
    frame = pd.DataFrame({"a": np.arange(40) / 8, "label": np.arange(40) // 10 % 2})
    frame.loc[3, "a"] = np.nan
    for discretizer in (None, EqualFrequencyDiscretizer(3)):
        folder = tmp_path / str(discretizer)
        folder.mkdir()
        model = lambda cut=discretizer: NaiveBayesClassifier(discretizer=cut)  # noqa: E731
        files, memory = halves(model, frame, folder, rows=7)
        assert len(memory.cut_points_["a"]) >= 2
        assert_array_equal(files.cut_points_["a"], memory.cut_points_["a"])


def test_columns_are_summarised_in_groups_when_memory_is_short(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 50)
    frame = pd.DataFrame(rng.normal(size=(50, 5)) + label[:, None], columns=list("abcde"))
    frame["label"] = label
    passes = []
    read = ArrowTable._read_batches
    monkeypatch.setattr(
        ArrowTable, "_read_batches", lambda self, names: passes.append(names) or read(self, names)
    )
    monkeypatch.setattr(
        "bayesgrove.encoding.training.available_memory", lambda: 4 * 2 * 50 * 8 * (1 + 2)
    )
    files, memory = halves(NaiveBayesClassifier, frame, tmp_path)
    every = [*"abcde", "label"]
    assert passes == [every, ["c", "d", "e", "label"], ["e", "label"], every]
    assert_same_model(files, memory)


def test_too_little_memory_for_a_column_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(bayesgrove._utils.memory, "SMALL", 0)
    monkeypatch.setattr(bayesgrove._utils.memory, "available_memory", lambda: 10)
    with pytest.raises(MemoryLimitError, match="column 'b'"):
        NaiveBayesClassifier().fit(write(tmp_path), "label")


def test_large_whole_numbers_as_labels_stay_apart(tmp_path):
    frame = pd.DataFrame({"a": [2**53, 2**53 + 1] * 4, "label": [0, 1] * 4})
    files, memory = halves(
        lambda: NaiveBayesClassifier(categorical_features="all"), frame, tmp_path
    )
    assert memory.network_.states("a") == (2**53, 2**53 + 1)
    assert_same_model(files, memory)


def test_unseen_values_in_files(tmp_path):
    model = NaiveBayesClassifier().fit(WHOLE[["a", "b"]], WHOLE["label"])
    new = pd.DataFrame({"a": ["x", "new"], "b": [0.5, 0.5]})
    write(tmp_path, [new])
    with pytest.warns(UnseenValueWarning, match="1 value in 1 column.*'a', value 'new'"):
        actual = model.predict_proba(tmp_path)
    with pytest.warns(UnseenValueWarning):
        assert_array_equal(actual, model.predict_proba(new))
    with pytest.raises(ValueError, match="column 'a', value 'new'"):
        model.set_params(unseen="error").predict(tmp_path)


def test_one_warning_counts_unseen_values_of_all_files(tmp_path, recwarn):
    model = NaiveBayesClassifier().fit(pd.DataFrame({"a": ["x", "y"], "b": ["u", "v"]}), [0, 1])
    parts = [pd.DataFrame({"a": ["x", "new"], "b": ["u", word]}) for word in ("v", "odd", "w")]
    model.predict(write(tmp_path, parts))
    (warning,) = recwarn.list
    assert warning.category is UnseenValueWarning
    assert "5 values in 2 columns" in str(warning.message)


def test_wrong_sources_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="No file matches"):
        NaiveBayesClassifier().fit(str(tmp_path / "*.parquet"), "label")
    (tmp_path / "text.parquet").write_text("no table at all")
    with pytest.raises(ValueError, match="not readable as Parquet"):
        NaiveBayesClassifier().fit(str(tmp_path / "text.parquet"), "label")


def test_wrong_targets_are_refused(tmp_path):
    write(tmp_path)
    with pytest.raises(ValueError, match=r"no column 'nowhere'.*'a', 'b', 'label'"):
        NaiveBayesClassifier().fit(tmp_path, "nowhere")
    for y in (None, [0, 1]):
        with pytest.raises(ValueError, match="y must be the name"):
            NaiveBayesClassifier().fit(tmp_path, y)
    with pytest.raises(ValueError, match="sample_weight"):
        NaiveBayesClassifier().fit(tmp_path, "label", sample_weight=np.ones(7))
    with pytest.raises(
        ValueError, match=r"1 row without a value in the target 'a' \(first: row 5\)"
    ):
        NaiveBayesClassifier().fit(tmp_path, "a")


def test_no_rows_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        NaiveBayesClassifier().fit(write(tmp_path, [WHOLE[:0]]), "label")


def test_files_without_rows_among_others_are_skipped(tmp_path):
    files = NaiveBayesClassifier().fit(write(tmp_path, [WHOLE[:0], *PARTS]), "label")
    assert_same_model(files, NaiveBayesClassifier().fit(WHOLE[["a", "b"]], WHOLE["label"]))


def test_repeated_names_are_refused():
    table = pa.table([[1], [2], [0]], names=["a", "a", "label"])
    with pytest.raises(ValueError, match="unique, but 'a'"):
        NaiveBayesClassifier().fit(arrow_dataset.InMemoryDataset(table), "label")


def test_a_column_of_training_that_files_lack_is_named(tmp_path):
    model = NaiveBayesClassifier().fit(WHOLE[["a", "b"]], WHOLE["label"])
    with pytest.raises(ValueError, match="the model needs the column 'b', which is not there"):
        model.predict(write(tmp_path, [WHOLE[["a"]]]))


def test_infinity_and_dates_in_files_are_refused(tmp_path):
    broken = WHOLE.assign(b=np.inf)
    with pytest.raises(ValueError, match="'b' contains infinity"):
        NaiveBayesClassifier().fit(write(tmp_path, [broken]), "label")
    dated = WHOLE.assign(b=pd.Timestamp("2020-01-01"))
    with pytest.raises(ValueError, match="'b' holds dates"):
        NaiveBayesClassifier().fit(write(tmp_path, [dated]), "label")


@pytest.mark.parametrize(("numeric", "passes"), [("discretize", 1), ("gaussian", 2)])
def test_naive_bayes_counts_the_files_no_more_often_than_it_must(
    tmp_path, monkeypatch, numeric, passes
):
    frame = pd.DataFrame({"a": [0.5, 1.5, 2.5, 3.5], "b": list("uvuv"), "label": [0, 0, 1, 1]})
    counted = []
    count = MemoryEngine.map_reduce
    monkeypatch.setattr(
        MemoryEngine, "map_reduce", lambda *arguments: counted.append(1) or count(*arguments)
    )
    NaiveBayesClassifier(numeric).fit(write(tmp_path, [frame]), "label")
    assert len(counted) == passes


def test_whole_numbers_in_one_file_and_fractions_in_another(tmp_path):
    y = ["u", "v"] * 30
    whole = pd.DataFrame({"a": range(60), "y": y})
    parts = pd.DataFrame({"a": [k + 0.5 for k in range(60)], "y": y})
    whole.to_parquet(tmp_path / "1.parquet")
    parts.to_parquet(tmp_path / "2.parquet")
    together = pd.concat([whole, parts])
    model = NaiveBayesClassifier().fit(str(tmp_path), y="y")
    expected = NaiveBayesClassifier().fit(together[["a"]], together["y"])
    assert_array_equal(model.predict_proba(whole[["a"]]), expected.predict_proba(whole[["a"]]))
