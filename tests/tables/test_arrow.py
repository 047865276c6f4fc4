"""Parquet and Feather: types, files that differ, batches, what is read from a pipe."""

import datetime
import io
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

from bayesgrove.encoding import Continuous, Nominal, Schema, encode_batch
from bayesgrove.tables import MissingPackageError, TableError, open_table
from bayesgrove.tables import open as opening

TABLE = pa.table(
    {
        "whole": pa.array([1, None, 2**60 + 1], pa.int64()),
        "real": [0.5, None, 2.0],
        "word": ["x", None, "NA"],
        "dict": pa.array(["p", "q", "p"]).dictionary_encode(),
        "flag": [True, False, None],
    }
)


@pytest.fixture
def parquet(tmp_path):
    def make(table=TABLE, name="t.parquet", **reading):
        pq.write_table(table, tmp_path / name)
        return open_table(str(tmp_path / name), **reading)

    return make


def plain(column):
    return [None if pd.isna(value) else value for value in column]


def test_columns_keep_their_types(parquet):
    table = parquet()
    assert {name: plain(table.column(name)) for name in table.names} == TABLE.to_pydict()
    assert table.rows == 3


def test_missing_texts(parquet):
    table = parquet(na_values=("NA", "2"))
    assert plain(table.column("word")) == ["x", None, None]
    assert plain(table.column("real")) == [0.5, None, None]


def test_feather_and_files_without_an_ending(tmp_path):
    feather.write_feather(TABLE, tmp_path / "t.feather")
    (tmp_path / "copy").write_bytes((tmp_path / "t.feather").read_bytes())
    for name in ("t.feather", "copy"):
        assert plain(open_table(str(tmp_path / name)).column("word")) == ["x", None, "NA"]


@pytest.mark.parametrize("form", ["parquet", "feather"])
def test_standard_input(monkeypatch, form):
    file = io.BytesIO()
    write = pq.write_table if form == "parquet" else feather.write_feather
    write(TABLE, file)
    monkeypatch.setattr(opening.sys, "stdin", io.TextIOWrapper(io.BytesIO(file.getvalue())))
    table = open_table("-", format=form).without(["flag"])
    assert table.names == ["whole", "real", "word", "dict"]
    assert plain(table.column("word")) == ["x", None, "NA"]


def test_names_that_occur_twice_in_a_pipe(monkeypatch):
    file = io.BytesIO()
    pq.write_table(pa.table([[1], [2]], names=["a", "a"]), file)
    monkeypatch.setattr(opening.sys, "stdin", io.TextIOWrapper(io.BytesIO(file.getvalue())))
    with pytest.raises(TableError, match="'a' occurs more than once"):
        open_table("-", format="parquet")


def test_standard_input_that_is_no_parquet(monkeypatch):
    monkeypatch.setattr(opening.sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a,b\n1,2\n")))
    with pytest.raises(TableError, match="standard input: is not readable as Parquet"):
        open_table("-", format="parquet")


def test_a_folder_and_a_pattern(tmp_path):
    words = pa.array(["x", "y"])
    pq.write_table(pa.table({"a": [1, 2], "b": words.dictionary_encode()}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"a": [2.5, None], "b": words}), tmp_path / "2.parquet")
    for path in (tmp_path, tmp_path / "*.parquet"):
        table = open_table(str(path))
        assert plain(table.column("a")) == [1, 2, 2.5, None]
        assert plain(table.column("b")) == ["x", "y", "x", "y"]


def test_files_with_different_columns_are_refused(tmp_path):
    pq.write_table(pa.table({"a": [1]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"b": [1]}), tmp_path / "2.parquet")
    with pytest.raises(TableError, match=r"the column 'a' is not in both .*1\.parquet and .*2\."):
        open_table(str(tmp_path))
    pq.write_table(pa.table({"a": ["x"]}), tmp_path / "2.parquet")
    with pytest.raises(TableError, match="do not have the same columns"):
        open_table(str(tmp_path))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pa.table({"a": pa.array([], pa.int64())}), "there are no rows"),
        (pa.table([[1], [2]], names=["a", "a"]), "'a' occurs more than once"),
    ],
)
def test_odd_files(parquet, table, message):
    with pytest.raises(TableError, match=message):
        parquet(table)


def test_a_damaged_file_is_refused_when_it_is_read(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": np.arange(100_000)}), path, compression="snappy")
    data = bytearray(path.read_bytes())
    data[1000:50_000] = b"\xff" * 49_000
    path.write_bytes(data)
    with pytest.raises(TableError, match=r"t\.parquet: cannot be read"):
        open_table(str(path)).column("a")
    with pytest.raises(TableError, match=r"t\.parquet: cannot be read"):
        list(open_table(str(path)).batches([0]))


@pytest.mark.parametrize("name", ["t.parquet", "t.feather"])
@pytest.mark.parametrize("keep", [0, 3, 0.5, -1])
def test_files_that_were_cut_off_are_refused(tmp_path, name, keep):
    write = pq.write_table if name == "t.parquet" else feather.write_feather
    write(TABLE, tmp_path / name)
    data = (tmp_path / name).read_bytes()
    end = int(keep * len(data)) if isinstance(keep, float) else keep
    (tmp_path / name).write_bytes(data[:end])
    with pytest.raises(TableError):
        open_table(str(tmp_path / name))


def test_bytes_are_text(parquet, monkeypatch):
    table = pa.table({"a": [b"x", b"y"], "b": pa.array([b"p", b"q"]).dictionary_encode()})
    assert plain(parquet(table).column("a")) == ["x", "y"]
    assert plain(parquet(table).column("b")) == ["p", "q"]
    with pytest.raises(TableError, match="cannot be read"):
        parquet(pa.table({"a": [b"\xff"]})).column("a")
    file = io.BytesIO()
    pq.write_table(table, file)
    monkeypatch.setattr(opening.sys, "stdin", io.TextIOWrapper(io.BytesIO(file.getvalue())))
    assert plain(open_table("-", format="parquet").column("b")) == ["p", "q"]


def test_batches_are_small_and_complete(parquet, monkeypatch):
    monkeypatch.setattr("bayesgrove.tables.parquet.BATCH_ROWS", 10)
    table = parquet(pa.table({"id": np.arange(35), "a": [1, None, 3, 4, 5] * 7}))
    parts = list(table.batches([1], ["id"]))
    assert [part.rows for part in parts] == [10, 10, 10, 5]
    assert pd.concat([part.kept for part in parts])["id"].tolist() == list(range(35))
    assert {str(part.kept["id"].dtype) for part in parts} == {"int64[pyarrow]"}


def test_types_are_matched_with_those_of_a_model(parquet):
    table = parquet(pa.table({"n": [1, 2], "t": ["1", "2.5"], "b": [True, False]}))
    codings = [
        Nominal("n", ("1", "2"), missing_state=False),
        Continuous("t"),
        Nominal("b", ("False", "True"), missing_state=False),
    ]
    [batch] = table.batches([0, 1, 2])
    encoded = Schema(tuple(codings), named=True).encode(batch)
    assert [column.tolist() for column in encoded.columns] == [[0, 1], [1, 0]]
    assert encoded.continuous[0].tolist() == [1.0, 2.5]
    assert not encoded.unseen


def test_a_text_in_a_numeric_column_is_named_with_its_row(parquet, monkeypatch):
    monkeypatch.setattr("bayesgrove.tables.parquet.BATCH_ROWS", 10)
    table = parquet(pa.table({"a": ["1"] * 25 + ["?"]}))
    schema = Schema((Continuous("a"),), named=True)
    *before, last = table.batches([0])
    for at, batch in enumerate(before):
        encode_batch(schema, batch, table, 10 * at, 1)
    with pytest.raises(TableError, match=r"row 26: column 'a' was numeric .* '\?'"):
        encode_batch(schema, last, table, 20, 1)


def test_columns_that_are_chosen_are_labels(parquet):
    table = parquet(pa.table({"chosen": [3.0, 0.5, None], "other": [1, 2, 3]}))
    labelled = table.with_labels(["chosen"])
    assert plain(labelled.column("chosen")) == [3, 0.5, None]
    assert list(labelled.column("chosen").cat.categories) == [0.5, 3]
    assert labelled.column("other").dtype == np.int64
    with pytest.raises(TableError, match="no column 'chosn'; did you mean 'chosen'"):
        table.with_labels(["chosn"])


def test_dates_are_refused_with_their_column(parquet):
    table = parquet(pa.table({"d": [datetime.date(2020, 1, 1)] * 2}))
    with pytest.raises(ValueError, match="Column 'd' holds dates"):
        table.column("d")


def test_pyarrow_is_optional(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.dataset", None)
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    with pytest.raises(MissingPackageError, match=r'pip install "bayesgrove\[arrow\]"'):
        open_table(str(tmp_path / "t.parquet"))


def test_text_tables_come_in_batches_too(tmp_path, monkeypatch):
    monkeypatch.setattr("bayesgrove.tables.delimited.BATCH_ROWS", 2)
    (tmp_path / "t.csv").write_text("id,a\n1,2\n2,\n3,4\n")
    parts = list(open_table(str(tmp_path / "t.csv")).batches([1], ["id"]))
    assert [part.kept["id"].tolist() for part in parts] == [["1", "2"], ["3"]]
