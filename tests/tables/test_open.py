"""Tables by path: formats, kinds of columns, missing values, and what cannot be opened."""

import gzip
import io

import numpy as np
import pandas as pd
import pytest

from bayesgrove.tables import ReadOptions, TableError, open_table, table_of
from bayesgrove.tables import open as opening


@pytest.fixture
def table(tmp_path):
    def make(text, name="t.csv", **reading):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return open_table(str(path), **reading)

    return make


def labels(column):
    return [None if pd.isna(value) else value for value in column]


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["1", "2.5", "-3", "+4", " 5 ", "1e5", ".5", "6."], [1, 2.5, -3, 4, 5, 1e5, 0.5, 6]),
        (["1", "", "3"], [1, np.nan, 3]),
        (["0", "0.5", "-0.5", "10"], [0, 0.5, -0.5, 10]),
    ],
)
def test_columns_of_plain_numbers_are_numeric(table, cells, numbers):
    column = table("a,b\n" + "".join(f"{cell},x\n" for cell in cells)).column("a")
    assert column.dtype == np.float64
    np.testing.assert_array_equal(column, numbers)


@pytest.mark.parametrize(
    "cells",
    [
        ["1", "2", "NA"],
        ["nan", "inf"],
        ["1", "inf"],
        ["007", "12"],
        ["1_000", "2"],
        ["1,000", "2"],
        ["0x10", "1"],
        ["true", "false"],
        ["None", "null", "N/A"],
        ["1e999", "2"],
        ["١", "٢"],
        ["1.2.3", "4"],
        ["--1", "2"],
        ["9" * 400, "1"],
        ["e5", "1"],
        ["1 2", "3"],
    ],
)
def test_every_other_column_keeps_its_text(table, cells):
    column = table("a;b\n" + "".join(f"{cell};x\n" for cell in cells), decimal=".").column("a")
    assert labels(column) == cells
    assert list(column.cat.categories) == sorted(cells)


def test_integers_that_floats_would_round_are_labels(table):
    large = [str(2**60 + at) for at in range(3)]
    column = table("a,b\n" + "".join(f"{cell},x\n" for cell in [*large, ""])).column("a")
    assert labels(column) == [*large, None]


def test_only_the_empty_field_and_what_is_named_are_missing(table):
    text = "a,b\nNA,1\n?,2\n,3\nx,NA\n"
    assert labels(table(text).column("a")) == ["NA", "?", None, "x"]
    named = table(text, na_values=("NA", "?"))
    assert labels(named.column("a")) == [None, None, None, "x"]
    np.testing.assert_array_equal(named.column("b"), [1, 2, 3, np.nan])


def test_a_missing_text_is_compared_as_text(table):
    column = table("a,b\n-999,x\n-999.0,x\n1,x\n", na_values=("-999",)).column("a")
    np.testing.assert_array_equal(column, [np.nan, -999, 1])


@pytest.mark.parametrize(
    ("text", "reading", "expected"),
    [
        ("a;b\n12,5;1,25\n3;2,5\n", {}, {"a": [12.5, 3], "b": [1.25, 2.5]}),
        # 1,234 alone may be a thousand; another column of the file says what the comma is.
        ("a;b\n1,234;x\n2,345;y\n", {}, {"a": ["1,234", "2,345"]}),
        ("a;b\n1,234;2,5\n2,345;3\n", {}, {"a": [1.234, 2.345]}),
        ("a;b\n1,234;x\n2,345;y\n", {"decimal": ","}, {"a": [1.234, 2.345]}),
        # Thousands, and a column of both signs.
        ("a;b\n1,234,567;x\n2,5;y\n", {}, {"a": ["1,234,567", "2,5"]}),
        ("a;b\n1.5;x\n2,5;y\n", {}, {"a": ["1.5", "2,5"]}),
        ("a;b\n1.5;2,5\n2.5;3,5\n", {}, {"a": [1.5, 2.5], "b": ["2,5", "3,5"]}),
        ("a;b\n1.500;2,5\n2.500;3,5\n", {}, {"a": ["1.500", "2.500"], "b": [2.5, 3.5]}),
        ("a;b\n1.5;x\n2.5;y\n", {}, {"a": [1.5, 2.5]}),
        ("a\tb\n-1,5e3\tx\n,5\ty\n", {}, {"a": [-1500, 0.5]}),
        # Between commas a comma is never a decimal sign unless one says so.
        ('a,b\n"1,5",x\n"2,5",y\n', {}, {"a": ["1,5", "2,5"]}),
        ('a,b\n"1,5",x\n"2,5",y\n', {"decimal": ","}, {"a": [1.5, 2.5]}),
    ],
)
def test_decimal_signs(table, text, reading, expected):
    found = table(text, **reading)
    assert {name: found.column(name).tolist() for name in expected} == expected


def test_options_of_reading(table):
    assert table("a:b\n1:2\n", delimiter=":").names == ["a", "b"]
    assert table("ä,b\n1,2\n".encode("cp437"), encoding="cp437").names == ["ä", "b"]
    assert table("a,b\n1,2\n", name="t.dat", format="csv").names == ["a", "b"]


def test_a_packed_table_is_unpacked(table):
    assert table(gzip.compress(b"a,b\n1,2\n"), name="t.csv.gz").names == ["a", "b"]
    with pytest.raises(ValueError, match="damaged gzip"):
        table(gzip.compress(b"a,b\n1,2\n")[:-6], name="t.csv.gz")


def test_places_are_lines(table):
    found = table('a,b\n"x\ny",1\nz,2\n')
    assert [found.place(row) for row in (0, 1)] == ["line 2", "line 4"]


def test_columns_can_be_left_out(table):
    found = table("a,b,c\n1,2,3\n").without(["b"])
    assert found.names == ["a", "c"]
    [batch] = found.batches([0, 1])
    assert batch.names == ["a", "c"]


def test_standard_input(monkeypatch):
    monkeypatch.setattr(opening.sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a,b\n1,2\n")))
    found = open_table("-")
    assert (found.source, found.rows) == ("standard input", 1)


def test_a_packed_standard_input_is_refused(monkeypatch):
    packed = io.BytesIO(gzip.compress(b"a,b\n1,2\n"))
    monkeypatch.setattr(opening.sys, "stdin", io.TextIOWrapper(packed))
    with pytest.raises(TableError, match="gunzip"):
        open_table("-")


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (b"", "t.csv", "the file is empty"),
        (b"PK\x03\x04...", "t.xlsx", "save the sheet as CSV"),
        (b"nonsense", "t.parquet", "not readable as Parquet"),
        (b"nonsense", "t.feather", "not readable as Feather"),
        (b"nonsense", "t.arff", "neither @attribute nor @data"),
    ],
)
def test_what_is_no_table_is_refused(table, data, name, message):
    with pytest.raises(TableError, match=message) as caught:
        table(data, name)
    assert name in str(caught.value)


def test_what_is_not_there_is_an_error_of_the_system(tmp_path):
    for path in ("none.csv", "none.parquet", "*.parquet", "none.arff"):
        with pytest.raises(FileNotFoundError, match=path.replace("*", r"\*")):
            open_table(str(tmp_path / path))
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(FileNotFoundError, match="parquet"):
        open_table(str(tmp_path / "folder.csv"))
    with pytest.raises(IsADirectoryError, match="is a folder"):
        table_of(str(tmp_path), ReadOptions(format="csv"))


def test_a_table_too_large_for_memory_is_refused(table, monkeypatch):
    monkeypatch.setattr("bayesgrove._utils.memory.SMALL", 0)
    monkeypatch.setattr("bayesgrove._utils.memory.available_memory", lambda: 10)
    with pytest.raises(MemoryError, match="make a Parquet file of it"):
        table("a,b\n1,2\n")
