"""Tables written in parts; nothing half-written is left behind."""

import io

import pandas as pd
import pytest

from bayesgrove.tables import require_suffix, table_writer
from bayesgrove.tables import write as writing

PARTS = [
    pd.DataFrame({"a": ["x", 'y,"z"'], "p": [0.1, 0.25]}),
    pd.DataFrame({"a": [None, "w"], "p": [1 / 3, 1.0]}),
]
WHOLE = pd.concat(PARTS, ignore_index=True)


def write(path):
    with table_writer(str(path)) as writer:
        for part in PARTS:
            writer.write(part)


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("t.csv", pd.read_csv),
        ("t.tsv", lambda path: pd.read_csv(path, sep="\t")),
        ("t.parquet", pd.read_parquet),
        ("t.feather", pd.read_feather),
        ("t", pd.read_csv),
    ],
)
def test_parts_make_one_table(tmp_path, name, read):
    write(tmp_path / name)
    pd.testing.assert_frame_equal(read(tmp_path / name), WHOLE)
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_what_fails_leaves_the_old_file(tmp_path, name):
    (tmp_path / name).write_bytes(b"old")

    def fail():
        with table_writer(str(tmp_path / name)) as writer:
            writer.write(PARTS[0])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert (tmp_path / name).read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_only_known_endings():
    for path in ("a.csv", "a.TSV", "a", "/dev/null", "a.parquet"):
        require_suffix(path)
    with pytest.raises(OSError, match=r"Cannot write a\.xlsx: the ending \.xlsx"):
        require_suffix("a.xlsx")


@pytest.mark.parametrize("terminal", [True, False])
def test_only_a_terminal_gets_cleaned_text(monkeypatch, terminal):
    class Stdout(io.TextIOWrapper):
        def isatty(self):
            return terminal

    out = io.BytesIO()
    monkeypatch.setattr(writing.sys, "stdout", Stdout(out))
    with table_writer(None, str.upper) as writer:
        writer.write(PARTS[0][["p"]].rename(columns={"p": "name"}))
    assert out.getvalue().startswith(b"NAME" if terminal else b"name")
