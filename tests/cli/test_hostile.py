"""Hostile tables x fit, predict, inspect: right, or a sentence that names the cause."""

import csv
import gzip
import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bayesgrove import TANClassifier, load_model, save_model

ROWS = 40
RNG = np.random.default_rng(0)
BASE = pd.DataFrame(
    {
        "num": RNG.normal(size=ROWS).round(3),
        "cat": ["p", "q", "r", "q"] * (ROWS // 4),
        "y": ["u", "v"] * (ROWS // 2),
    }
)
FINE, BAD = 0, 3


def text(frame=BASE, **options):
    return frame.to_csv(index=False, **options)


def column(name, values):
    return text(BASE.assign(**{name: values}))


def parquet(frame=BASE, **columns):
    file = io.BytesIO()
    table = pa.Table.from_pandas(frame, preserve_index=False)
    for name, values in columns.items():
        table = table.append_column(name, values)
    pq.write_table(table, file)
    return file.getvalue()


def arff(rows, num="numeric"):
    head = f"@relation r\n@attribute num {num}\n@attribute cat {{p,q,r}}\n@attribute y {{u,v}}\n"
    return head + "@data\n" + rows


DAYS = list(range(ROWS))
LONG = pd.concat([BASE] * 75)
WIDE = pd.concat([BASE, pd.DataFrame(RNG.integers(2, size=(ROWS, 80)))], axis=1)
ROW_LINES = text().splitlines()
ARFF_ROWS = "".join(f"{line}\n" for line in ROW_LINES[1:])

# Name -> (contents, exit code of fit, a word of its message, ending). Where the contents are fine
# for fit they are for predict and inspect; otherwise these may be more lenient.
TABLES = {
    "plain": (text(), FINE, ""),
    "empty": ("", BAD, "the file is empty"),
    "blank": ("\n \n\n", BAD, "the file is empty"),
    "header-only": (ROW_LINES[0] + "\n", BAD, "no row below it"),
    "one-row": ("\n".join(ROW_LINES[:2]), FINE, "only one value"),
    "two-rows": ("\n".join(ROW_LINES[:3]), FINE, ""),
    "one-class": (column("y", "u"), FINE, "only one value"),
    "no-header": ("\n".join(ROW_LINES[1:]), BAD, "there is no column 'y'"),
    "headers-are-numbers": (text(header=["1", "2", "3"]), BAD, "there is no column 'y'"),
    "target-alone": (text(BASE[["y"]]), BAD, "no column other than the target"),
    "target-empty": (column("y", ""), BAD, "40 rows without a value in the target"),
    "target-holes": (column("y", ["u", ""] * 20), BAD, "20 rows without a value"),
    "target-fractions": (column("y", BASE["num"]), BAD, "not classes"),
    "target-whole": (column("y", [0, 1] * 20), FINE, ""),
    "target-padded": (column("y", ["00", "01"] * 20), FINE, ""),
    "target-identifier": (column("y", range(ROWS)), FINE, ""),
    "target-words": (column("y", [f"class {k}" for k in range(ROWS)]), FINE, ""),
    "target-huge": (column("y", [str(10**30 + k % 2) for k in range(ROWS)]), FINE, ""),
    "all-empty-column": (column("cat", ""), FINE, ""),
    "all-empty-number": (column("num", ""), FINE, ""),
    "constant-number": (column("num", 1.5), FINE, ""),
    "constant-word": (column("cat", "p"), FINE, ""),
    "infinity-word": (column("num", ["inf", "1"] * 20), FINE, ""),
    "nan-word": (column("num", ["nan", "1"] * 20), FINE, ""),
    "na-words": (column("cat", ["NA", "null", "None", "nan"] * 10), FINE, ""),
    "na-in-numbers": (column("num", ["NA", *map(str, range(39))]), FINE, ""),
    "too-large-number": (column("num", ["1e999", *map(str, range(39))]), FINE, ""),
    "tiny-numbers": (column("num", [f"{k}e-320" for k in range(ROWS)]), FINE, ""),
    "large-numbers": (column("num", [f"{k}e300" for k in range(ROWS)]), FINE, ""),
    "large-integers": (column("num", [2**60 + k for k in range(ROWS)]), FINE, ""),
    "giant-integers": (column("num", ["9" * 400 + str(k) for k in range(ROWS)]), FINE, ""),
    "minus-zero": (column("num", ["-0", "0", "-0.0", "+0"] * 10), FINE, ""),
    "leading-zeros": (column("num", ["007", "7", "07", "1"] * 10), FINE, ""),
    "blanks-around-numbers": (column("num", [f" {k}.5 " for k in range(ROWS)]), FINE, ""),
    "numbers-and-words": (column("num", ["1", "x", "2.5", "y"] * 10), FINE, ""),
    "booleans": (column("num", ["true", "false"] * 20), FINE, ""),
    "dates": (column("num", [f"2020-01-{k % 28 + 1}" for k in range(ROWS)]), FINE, ""),
    "identifiers": (text(BASE.assign(id=[f"id{k}" for k in range(ROWS)])), FINE, ""),
    "many-levels": (text(LONG.assign(cat=[f"l{k}" for k in range(len(LONG))])), FINE, ""),
    "many-columns": (text(WIDE), FINE, ""),
    "duplicate-names": (text(header=["num", "num", "y"]), BAD, "'num' occurs more than once"),
    "duplicate-target": (text(header=["num", "y", "y"]), BAD, "'y' occurs more than once"),
    "empty-name": (text(header=["num", "", "y"]), FINE, "is called 'column 2'"),
    "empty-names": (text(header=["", "", "y"]), FINE, "is called 'column 1'"),
    "markup-names": (text(header=["[red]", "[/]", "y"]), FINE, ""),
    "escape-names": (text(header=["\x1b[2Jnum", "c\x07at", "y"]), FINE, ""),
    "escape-labels": (column("cat", ["\x1b[31mp", "q"] * 20), FINE, ""),
    "script-labels": (column("cat", ["<script>alert(1)</script>", "'; --"] * 20), FINE, ""),
    "bidi-labels": (column("cat", ["a\u202eb", "c"] * 20), FINE, ""),
    "formula-labels": (column("cat", ["=1+1", "@x"] * 20), FINE, ""),
    "name-with-equals": (text(header=["a=b", "c d", "y"]), FINE, ""),
    "name-with-newline": (text(header=["a\nb", "cat", "y"]), FINE, ""),
    "name-prediction": (text(header=["prediction", "P(u)", "y"]), FINE, ""),
    "target-named-class_": (text(header=["y_", "cat", "y"]), FINE, ""),
    "bom": (text().encode("utf-8-sig"), FINE, ""),
    "utf-16": (text().encode("utf-16"), FINE, ""),
    "utf-16-be": (b"\xfe\xff" + text().encode("utf-16-be"), FINE, ""),
    "utf-16-without-mark": (text().encode("utf-16-le"), BAD, "--encoding utf-16-le"),
    "utf-32": (text().encode("utf-32"), FINE, ""),
    "cp1252": (column("cat", ["ä", "ö"] * 20).encode("cp1252"), FINE, "Windows-1252"),
    "undecodable": (text().encode() + b"1,\x81\x8d,u\n", BAD, "line 42: the bytes 81 8d"),
    "emoji": (column("cat", ["🌳", "é"] * 20), FINE, ""),
    "nul": (text().encode() + b"1,\0,u\n", BAD, "line 42: holds a NUL byte"),
    "binary": (RNG.bytes(5000), BAD, "the bytes"),
    "controls": (bytes(range(1, 32)) * 50, BAD, "control characters"),
    "spreadsheet": (b"PK\x03\x04" + RNG.bytes(99), BAD, "save the sheet as CSV", ".xlsx"),
    "packed": (gzip.compress(text().encode()), FINE, "", ".csv.gz"),
    "packed-cut": (gzip.compress(text().encode())[:-9], BAD, "damaged gzip", ".csv.gz"),
    "ragged-long": (text() + "1,p,u,extra\n", BAD,
                    "line 42: the row has 4 fields, but the header has 3"),
    "ragged-short": (text() + "1,p\n", BAD, "line 42: the row has 2 fields, but the header has 3"),
    "trailing-delimiter": (text().replace("u\n", "u,\n"), BAD, "line 2: the row has 4 fields"),
    "open-quote": (text() + '1,"p,u\n', BAD, "line 42"),
    "quoted-newlines": (column("cat", ["a\nb", "c\r\nd"] * 20), FINE, ""),
    "all-quoted": (text(quoting=csv.QUOTE_ALL), FINE, ""),
    "stray-quotes": (text().replace("p", '5" pipe').replace("q", "'q"), FINE, ""),
    "crlf": (text(lineterminator="\r\n"), FINE, ""),
    "cr": (text(lineterminator="\r"), FINE, ""),
    "no-final-newline": (text().rstrip("\n"), FINE, ""),
    "blank-lines": (text().replace("\n", "\n\n"), FINE, ""),
    "semicolons-decimal-comma": (text(sep=";", decimal=","), FINE, ""),
    "tabs": (text(sep="\t"), FINE, ""),
    "pipes": (text(sep="|"), FINE, ""),
    "thousands": (column("num", [f"{k},{k + 100},000" for k in range(1, 41)]), FINE, ""),
    "mixed-decimals": (text(BASE.assign(num=["1,5", "2.5"] * 20), sep=";"), FINE, ""),
    "huge-field": (column("cat", ["x" * 300_000, "q"] * 20), FINE, ""),
    "comma-inside": (column("cat", ["a,b", "c;d"] * 20), FINE, ""),
    "parquet": (parquet(), FINE, "", ".parquet"),
    "parquet-cut": (parquet()[:-30], BAD, "not readable as Parquet", ".parquet"),
    "parquet-dates": (parquet(d=pa.array(DAYS, pa.date32())), BAD, "'d' holds dates", ".parquet"),
    "parquet-lists": (parquet(d=pa.array([[1]] * ROWS)), BAD, "'d' holds", ".parquet"),
    "parquet-infinity": (parquet(BASE.assign(num=[np.inf, 1.5] * 20)), BAD, "infinity", ".parquet"),
    "parquet-no-rows": (parquet(BASE[:0]), BAD, "there are no rows", ".parquet"),
    "parquet-nulls": (parquet(z=pa.nulls(ROWS)), FINE, "", ".parquet"),
    "parquet-decimals": (parquet(z=pa.array(DAYS, pa.decimal128(5, 2))), FINE, "", ".parquet"),
    "csv-called-parquet": (text(), BAD, "not readable as Parquet", ".parquet"),
    "parquet-called-csv": (parquet(), FINE, "", ".csv"),
    "parquet-without-ending": (parquet(), FINE, "", ""),
    "arff": (arff(ARFF_ROWS), FINE, "", ".arff"),
    "arff-bad-level": (arff(ARFF_ROWS + "1,z,u\n"), BAD, "line 46: 'z' is not among", ".arff"),
    "arff-bad-number": (arff("x,p,u\n"), BAD, "line 6: 'x' of the numeric attribute", ".arff"),
    "arff-date": (arff(ARFF_ROWS, "date"), BAD,
                  "line 2: the attribute 'num' has the type date", ".arff"),
    "arff-cut": (arff("")[:60], BAD, "", ".arff"),
    "arff-sparse": (arff("{0 1.5, 1 q}\n{2 v}\n{1 r, 2 v}\n" * 5), FINE, "", ".arff"),
}  # fmt: skip


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("hostile") / "m.json"
    save_model(TANClassifier().fit(BASE[["num", "cat"]], BASE["y"]), path)
    return path


@pytest.fixture
def case(request, tmp_path):
    contents, code, word, *ending = TABLES[request.param]
    path = tmp_path / f"t{ending[0] if ending else '.csv'}"
    path.write_bytes(contents.encode() if isinstance(contents, str) else contents)
    return path, code, word


every = pytest.mark.parametrize("case", TABLES, indirect=True)


def test_there_are_enough_of_them():
    assert len(TABLES) >= 60


def check_failure(said, path):
    """A sentence on stderr, nothing on stdout, and never our own mistake."""
    assert said.code in (2, 3)
    assert said.out == ""
    [*notes, last] = said.err.splitlines()
    assert last.startswith("Error: ")
    assert last.endswith(".")
    assert all(line.startswith("Note: ") for line in notes)
    assert len(last) < 600 + len(str(path))


def check_predictions(out, rows):
    found = pd.read_csv(io.StringIO(out), keep_default_na=False, dtype=str)
    odds = found.iloc[:, -(found.shape[1] - 1) :].astype(float).to_numpy()
    assert len(found) == rows
    np.testing.assert_allclose(odds.sum(axis=1), 1)
    assert not found["prediction"].isin(["", "nan", "None"]).any()


@every
def test_fit(case, run, tmp_path):
    path, code, word = case
    said = run("fit", path, "--target", "y", "--model", "tan", "-o", tmp_path / "m.json")
    assert (said.code, said.out) == (code, ""), said.err
    assert word in said.err
    if code != FINE:
        check_failure(said, path)
        assert not (tmp_path / "m.json").exists()
        return
    again = run("predict", tmp_path / "m.json", path, "--proba")
    assert again.code == 0, again.err
    assert "did not occur" not in again.err
    rows = int(said.err.split("fitted to ")[1].split(" rows")[0].replace(",", ""))
    check_predictions(again.out, rows)
    assert load_model(tmp_path / "m.json").network_.class_node == "y"


@every
def test_predict(case, run, model):
    path, *_ = case
    said = run("predict", model, path, "--proba")
    if said.code:
        check_failure(said, path)
    else:
        check_predictions(said.out, len(said.out.splitlines()) - 1)


@every
@pytest.mark.parametrize("target", [["--target", "y"], []])
def test_inspect(case, run, target):
    path, code, _ = case
    said = run("inspect", path, *target)
    if said.code:
        assert code != FINE
        check_failure(said, path)
    else:
        assert "what will be done" in said.out
        assert "\x1b" not in said.out
