"""The same model, to the last bit, from whatever holds the rows; two passes over files, no more."""

import io
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute
import pyarrow.dataset as arrow_dataset
import pyarrow.parquet as parquet
import pytest
from pyarrow import feather

import bayesgrove
from bayesgrove import NaiveBayesClassifier, SpillWarning, TableError, config_context, open_table
from bayesgrove.model_files import save_model


def rows(count=160, seed=0):
    """Words, whole and other numbers with missing values, which depend on the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, count)
    word = np.array(["red", "green", "blue", "mauve"])[
        (y + rng.integers(0, 4, count) * (rng.random(count) < 0.5)) % 4
    ]
    other = np.array(["x", "y", "z"])[(y + rng.integers(0, 3, count)) % 3]
    frame = pd.DataFrame(
        {
            "word": word,
            "size": np.round(y + rng.normal(size=count), 3),
            "level": rng.integers(0, 4, count),
            "other": other,
            "count": y * 7 + rng.integers(0, 30, count),
        }
    )
    frame = frame.astype({"word": object, "other": object})
    frame.loc[rng.random(count) < 0.1, "word"] = None
    frame.loc[rng.random(count) < 0.1, "size"] = np.nan
    return frame, pd.Series(np.array(["no", "maybe", "yes"], dtype=object)[y], name="label")


X, Y = rows()
WHOLE = X.assign(label=Y)
ARROW = pa.Table.from_pandas(WHOLE, preserve_index=False)


def csv(folder):
    WHOLE.to_csv(folder / "rows.csv", index=False)
    return str(folder / "rows.csv")


def files(folder):
    for part, start in enumerate(range(0, len(WHOLE), 50)):
        piece = pa.Table.from_pandas(WHOLE[start : start + 50], preserve_index=False)
        parquet.write_table(piece, folder / f"part-{part}.parquet", row_group_size=20)
    return str(folder / "*.parquet")


def dictionaries(folder):
    """Text as dictionaries, of which every file has its own."""
    for part, start in enumerate(range(0, len(WHOLE), 70)):
        piece = WHOLE[start : start + 70].astype({"word": "category", "label": "category"})
        piece.to_parquet(folder / f"{part}.parquet", index=False)
    return folder


def feather_file(folder):
    feather.write_feather(ARROW, folder / "rows.feather", chunksize=30)
    return folder / "rows.feather"


SOURCES = {
    "csv": csv,
    "parquet": files,
    "dictionaries": dictionaries,
    "feather": feather_file,
    "dataset": lambda folder: arrow_dataset.dataset(files(folder).removesuffix("*.parquet")),
    "stream": lambda _: pa.RecordBatchReader.from_batches(ARROW.schema, ARROW.to_batches(40)),
    "duckdb": lambda _: duckdb.from_arrow(ARROW),
    "lazy polars": lambda _: pl.from_arrow(ARROW).lazy(),
    "table": lambda _: open_table(WHOLE),
}
CLASSIFIERS = [
    kind
    for name in bayesgrove.__all__
    if name.endswith("Classifier") and isinstance(kind := getattr(bayesgrove, name), type)
]
SELECTORS = [
    bayesgrove.InfoSelector,
    bayesgrove.CFSSelector,
    bayesgrove.MDLSelector,
    bayesgrove.TreeSelector,
]


def model_bytes(model, path):
    save_model(model, path)
    return path.read_bytes()


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_the_same_model_from_every_source(kind, tmp_path):
    expected = kind().fit(X, Y)
    probabilities = expected.predict_proba(X).tobytes()
    file = model_bytes(expected, tmp_path / "frame.json")
    for name, make in SOURCES.items():
        folder = tmp_path / name
        folder.mkdir()
        model = kind().fit(make(folder), "label")
        assert model_bytes(model, tmp_path / "model.json") == file, name
        assert model.predict_proba(X).tobytes() == probabilities, name


@pytest.mark.parametrize("name", SOURCES)
def test_every_source_can_be_predicted(name, tmp_path):
    model = NaiveBayesClassifier().fit(X, Y)
    source = SOURCES[name](tmp_path)
    assert model.predict_proba(source).tobytes() == model.predict_proba(X).tobytes()


@pytest.fixture
def passes(monkeypatch):
    """How often each Parquet file is read, by pyarrow's own method."""
    counted = {}
    read = parquet.ParquetFile.iter_batches

    def iter_batches(self, *arguments, **options):
        key = self.metadata.serialized_size, self.metadata.num_rows
        counted[key] = counted.get(key, 0) + 1
        return read(self, *arguments, **options)

    monkeypatch.setattr(parquet.ParquetFile, "iter_batches", iter_batches)
    return counted


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("limit", [1 << 27, 0], ids=["kept", "spilled"])
@pytest.mark.parametrize("kind", [*CLASSIFIERS, *SELECTORS])
def test_files_are_read_twice_whatever_is_learned(kind, limit, tmp_path, passes):
    WHOLE.to_parquet(tmp_path / "rows.parquet")
    with config_context(memory_limit=limit):
        kind().fit(tmp_path / "rows.parquet", "label")
    assert list(passes.values()) == [2]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_codes_in_a_file_give_the_same_model(kind, tmp_path):
    path = files(tmp_path)
    expected = kind().fit(path, "label")
    with config_context(memory_limit=0), pytest.warns(SpillWarning, match=r"160 rows \(0\.0 MB\)"):
        model = kind().fit(path, "label")
    close = np.testing.assert_allclose
    close(model.predict_proba(X), expected.predict_proba(X), rtol=1e-11, atol=1e-13)


# What can be wrong with files


def test_a_category_in_one_file_only(tmp_path):
    X[:100].assign(label=Y).to_parquet(tmp_path / "1.parquet")
    rare = X[100:].assign(label=Y, word="rare")
    rare.to_parquet(tmp_path / "2.parquet")
    model = NaiveBayesClassifier().fit(tmp_path, "label")
    assert "rare" in model.network_.states("word")


def test_an_empty_part(tmp_path):
    WHOLE[:0].astype({"size": float}).to_parquet(tmp_path / "0.parquet")
    WHOLE.to_parquet(tmp_path / "1.parquet")
    model = NaiveBayesClassifier().fit(tmp_path, "label")
    assert model.predict_proba(X).tobytes() == (
        NaiveBayesClassifier().fit(X, Y).predict_proba(X).tobytes()
    )


def test_a_part_with_another_type_is_named(tmp_path):
    WHOLE.to_parquet(tmp_path / "0.parquet")
    WHOLE.assign(size="large").to_parquet(tmp_path / "1.parquet")
    with pytest.raises(TableError, match=r"'size' is numeric in .*0\.parquet and text in .*1\.par"):
        NaiveBayesClassifier().fit(tmp_path, "label")


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda folder: folder / "none.csv", FileNotFoundError, r"There is no file .*none\.csv"),
        (lambda folder: folder, FileNotFoundError, r"No file matches .*\*\.parquet"),
        (lambda folder: write_bytes(folder, b"\0\1\2\3" * 50), TableError, "NUL"),
        (lambda folder: write_bytes(folder, b""), TableError, "the file is empty"),
    ],
    ids=["not there", "a folder", "binary", "empty"],
)
def test_paths_that_are_not_tables(make, error, message, tmp_path):
    model = NaiveBayesClassifier()
    with pytest.raises(error, match=message):
        model.fit(make(tmp_path), "label")
    fitted = NaiveBayesClassifier().fit(X, Y)
    with pytest.raises(error, match=message):
        fitted.predict(make(tmp_path))


def write_bytes(folder, data):
    (folder / "rows.csv").write_bytes(data)
    return folder / "rows.csv"


def test_python_and_shell_say_the_same(tmp_path):
    path = write_bytes(tmp_path, b"a,b,label\n1,2,x\n1,2\n")
    with pytest.raises(TableError) as caught:
        NaiveBayesClassifier().fit(path, "label")
    command = [sys.executable, "-m", "bayesgrove", "fit", path, "-t", "label", "-o", "m.json"]
    shell = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert shell.returncode == 3
    assert " ".join(shell.stderr.split()) == f"Error: {caught.value}"


def test_standard_input(monkeypatch):
    text = io.TextIOWrapper(io.BytesIO(WHOLE.to_csv(index=False).encode()))
    monkeypatch.setattr(sys, "stdin", text)
    model = NaiveBayesClassifier().fit("-", "label")
    expected = NaiveBayesClassifier().fit(X, Y).predict_proba(X)
    assert model.predict_proba(X).tobytes() == expected.tobytes()


def test_a_long_stream_goes_to_a_file_and_says_so(tmp_path):
    reader = SOURCES["stream"](tmp_path)
    with (
        config_context(memory_limit=2000, spill_folder=tmp_path),
        pytest.warns(SpillWarning) as caught,
    ):
        model = NaiveBayesClassifier().fit(reader, "label")
    assert list(tmp_path.iterdir()) == []
    texts = [str(warning.message) for warning in caught]
    assert (
        "RecordBatchReader can be read only once and exceed the memory limit: all 160" in texts[0]
    )
    assert f"temporary file in {tmp_path}" in texts[0]
    expected = NaiveBayesClassifier().fit(X, Y).predict_proba(X)
    assert model.predict_proba(X).tobytes() == expected.tobytes()


def test_a_target_that_is_not_there(tmp_path):
    for name in ("csv", "parquet", "stream", "table"):
        folder = tmp_path / name
        folder.mkdir()
        with pytest.raises(TableError, match="no column 'labl'; did you mean 'label'"):
            NaiveBayesClassifier().fit(SOURCES[name](folder), "labl")


def test_options_of_reading_for_python(tmp_path):
    WHOLE.to_csv(tmp_path / "rows.csv", index=False, sep=";", decimal=",", na_rep="none")
    table = open_table(tmp_path / "rows.csv", na_values=["none"])
    model = NaiveBayesClassifier().fit(table, "label")
    expected = NaiveBayesClassifier().fit(X, Y).predict_proba(X)
    assert model.predict_proba(X).tobytes() == expected.tobytes()


def test_few_integers_beyond_floats_stay_apart_in_files(tmp_path):
    large = pd.DataFrame({"a": [2**60, 2**60 + 1] * 40, "label": ["p", "q"] * 40})
    large.to_parquet(tmp_path / "rows.parquet", row_group_size=7)
    files = NaiveBayesClassifier().fit(tmp_path / "rows.parquet", "label")
    memory = NaiveBayesClassifier().fit(large[["a"]], large["label"])
    assert files.network_.states("a") == memory.network_.states("a") == (2**60, 2**60 + 1)
    many = pd.DataFrame({"a": np.arange(2**60, 2**60 + 80), "label": ["p", "q"] * 40})
    many.to_parquet(tmp_path / "rows.parquet", row_group_size=7)
    assert "a" in NaiveBayesClassifier().fit(tmp_path / "rows.parquet", "label").cut_points_


def test_classes_have_the_type_of_their_column(tmp_path):
    for labels in ([1.0, 2.0], [1, 2], [True, False], ["1", "2"]):
        frame = X[:100].assign(label=labels * 50)
        frame.to_parquet(tmp_path / "rows.parquet")
        files = NaiveBayesClassifier().fit(tmp_path / "rows.parquet", "label")
        memory = NaiveBayesClassifier().fit(X[:100], frame["label"])
        assert files.classes_.tolist() == memory.classes_.tolist()
        assert type(files.classes_.tolist()[0]) is type(memory.classes_.tolist()[0])


def test_an_infinite_class_is_named_with_its_row(tmp_path):
    X[:2].assign(label=[1.0, np.inf]).to_parquet(tmp_path / "rows.parquet")
    with pytest.raises(TableError, match="row 2: the target 'label' holds numbers such as inf"):
        NaiveBayesClassifier().fit(tmp_path / "rows.parquet", "label")


def test_notes_about_reading_are_warnings(tmp_path):
    path = write_bytes(tmp_path, "a,label\nä,x\nö,y\n".encode("cp1252"))
    with pytest.warns(UserWarning, match="read as Windows-1252"):
        NaiveBayesClassifier().fit(path, "label")


def test_settings_hold_in_other_threads():
    before = bayesgrove.get_config()
    bayesgrove.set_config(memory_limit=12345)
    try:
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(bayesgrove.get_config).result().memory_limit == 12345
    finally:
        bayesgrove.set_config(memory_limit=before.memory_limit)


def test_a_bad_part_of_a_pattern_is_named(tmp_path):
    pattern = files(tmp_path)
    (tmp_path / "part-9.parquet").write_bytes(b"PAR1")
    with pytest.raises(TableError, match=r"part-9\.parquet: is not readable as Parquet"):
        NaiveBayesClassifier().fit(pattern, "label")
    with pytest.raises(FileNotFoundError, match="A pattern names Parquet files only"):
        NaiveBayesClassifier().fit(str(tmp_path / "*.csv"), "label")


def test_compressed_feather_is_unpacked_batch_by_batch(tmp_path):
    feather.write_feather(ARROW, tmp_path / "rows.feather", compression="lz4", chunksize=30)
    table = open_table(tmp_path / "rows.feather")
    assert table.rows == 160
    assert [batch.rows for batch in table.batches([0, 1])] == [30] * 5 + [10]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_the_first_version_of_feather(tmp_path):
    feather.write_feather(ARROW, tmp_path / "rows.feather", version=1)
    model = NaiveBayesClassifier().fit(tmp_path / "rows.feather", "label")
    assert model.predict_proba(X).tobytes() == (
        NaiveBayesClassifier().fit(X, Y).predict_proba(X).tobytes()
    )


# What a tester found


def test_a_text_means_the_same_whatever_else_is_in_its_file(tmp_path):
    rows = pd.DataFrame({"a": ["1.0", "2.50", "1.0", "n/a"] * 25, "label": ["p", "q"] * 50})
    rows.to_csv(tmp_path / "rows.csv", index=False)
    rows[:1].to_csv(tmp_path / "one.csv", index=False)
    model = NaiveBayesClassifier().fit(tmp_path / "rows.csv", "label")
    whole = model.predict_proba(tmp_path / "rows.csv")
    assert model.predict_proba(tmp_path / "one.csv").tolist() == whole[:1].tolist()


def test_a_stream_in_a_file_can_be_read_by_several_at_once(tmp_path):
    with config_context(memory_limit=0), pytest.warns(SpillWarning):
        table = open_table(SOURCES["stream"](tmp_path))
    for one, two in zip(table.batches([0]), table.batches([0]), strict=True):
        assert one.columns[0].labels == two.columns[0].labels
    with ThreadPoolExecutor(4) as pool:
        models = list(pool.map(lambda _: NaiveBayesClassifier().fit(table, "label"), range(8)))
    answers = {model.predict_proba(X).tobytes() for model in models}
    assert answers == {NaiveBayesClassifier().fit(X, Y).predict_proba(X).tobytes()}


def test_masked_cells_are_missing():
    words = np.ma.MaskedArray(np.array([["u"], ["v"]] * 20), np.arange(40)[:, None] % 3 == 0)
    coding = NaiveBayesClassifier().fit(words, [0, 1] * 20).schema_.codings[0]
    assert (coding.labels, coding.missing_state) == (("u", "v"), True)
    large = np.ma.MaskedArray([[2**60], [2**60 + 1]] * 20, np.arange(40)[:, None] % 3 == 0)
    coding = NaiveBayesClassifier().fit(large, [0, 1] * 20).schema_.codings[0]
    assert coding.labels == (2**60, 2**60 + 1)


def test_odd_dictionaries():
    floats = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2] * 20), pa.array([7.5, np.nan, 3.0]))
    model = NaiveBayesClassifier().fit(pa.table({"a": floats}), [0, 1, 1] * 20)
    assert model.schema_.codings[0].labels == (7.5, 3.0)
    indices = pa.array([0, None, 1] * 20, pa.uint64())
    words = pa.DictionaryArray.from_arrays(indices, pa.array(["u", "v"]))
    table = pa.table({"a": words, "label": ["p", "q", "p"] * 20})
    assert NaiveBayesClassifier().fit(table.to_reader(), "label").network_.states("a") == (
        *("u", "v"),
        None,
    )


def test_columns_that_are_views_of_packed_records():
    records = np.zeros(40, dtype=[("small", "u1"), ("a", "f8")])
    records["a"] = np.arange(40) % 7 / 2
    frame = pd.DataFrame({"a": records["a"], "b": ["u", "v"] * 20}, copy=False)
    y = np.arange(40) % 2
    expected = NaiveBayesClassifier().fit(frame.copy(), y).predict_proba(frame.copy())
    assert NaiveBayesClassifier().fit(frame, y).predict_proba(frame).tolist() == expected.tolist()


def test_a_record_batch_is_rows_in_memory():
    (batch,) = pa.Table.from_pandas(X, preserve_index=False).combine_chunks().to_batches()
    model = NaiveBayesClassifier().fit(batch, Y)
    expected = NaiveBayesClassifier().fit(X, Y).predict_proba(X)
    assert model.predict_proba(batch).tolist() == expected.tolist()


def test_run_ends_and_bytes():
    runs = pa.array([1, 1, 2, 2] * 10).dictionary_encode().cast(pa.int64())
    encoded = pa.compute.run_end_encode(runs)
    fixed = pa.array([b"aa", b"bb"] * 20, pa.binary(2))
    table = pa.table({"a": encoded, "b": fixed, "label": fixed})
    model = NaiveBayesClassifier().fit(table.to_reader(), "label")
    assert model.classes_.tolist() == ["aa", "bb"]
    assert model.network_.states("a") == (1, 2)


def test_names_of_folders_that_are_not_read_are_told(tmp_path):
    (tmp_path / "year=2020").mkdir()
    WHOLE.to_parquet(tmp_path / "year=2020" / "rows.parquet")
    with pytest.warns(UserWarning, match=r"folders such as 'year=2020' are not read"):
        NaiveBayesClassifier().fit(tmp_path, "label")


def test_a_target_of_nearly_as_many_classes_as_rows(tmp_path):
    WHOLE.assign(label=range(len(WHOLE))).to_parquet(tmp_path / "rows.parquet")
    with pytest.warns(UserWarning, match="'label' has 160 classes in 160 rows: is it an identif"):
        NaiveBayesClassifier().fit(tmp_path / "rows.parquet", "label")


def test_missing_classes_are_counted_once(tmp_path, monkeypatch):
    WHOLE.assign(label=Y.where(Y.index > 0)).to_parquet(tmp_path / "rows.parquet")
    monkeypatch.setattr("bayesgrove.encoding.training.SUMMARY_SHARE", 0)
    with pytest.raises(TableError, match="1 row without a value in the target 'label'"):
        NaiveBayesClassifier().fit(tmp_path / "rows.parquet", "label")


@pytest.mark.parametrize(
    "reading", [{"delimiter": "::"}, {"encoding": "nope"}, {"format": "xls"}, {"decimal": "x"}]
)
def test_options_of_reading_that_cannot_be(reading, tmp_path):
    ((name, value),) = reading.items()
    with pytest.raises(bayesgrove.OptionError, match=f"{name}='{value}'"):
        open_table(csv(tmp_path), **reading)
