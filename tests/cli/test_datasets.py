"""datasets lists what there is, and writes each as a table."""

import csv
import io

import pandas as pd

from bayesgrove.datasets import list_datasets, load_dataset


def test_the_list(ok):
    rows = list(csv.DictReader(io.StringIO(ok("datasets"))))
    assert [row["name"] for row in rows] == [info.name for info in list_datasets()]
    [credit] = [row for row in rows if (row["name"], row["source"]) == ("credit-g", "package")]
    assert (credit["rows"], credit["attributes"], credit["classes"]) == ("1000", "20", "2")


def test_a_data_set_as_csv(run):
    said = run("datasets", "vote")
    frame = pd.read_csv(io.StringIO(said.out), keep_default_na=False, na_values=[""])
    expected = load_dataset("vote").frame
    assert list(frame) == list(expected)
    assert frame.isna().sum().tolist() == expected.isna().sum().tolist()
    assert frame["class"].tolist() == expected["class"].tolist()
    assert "435 rows" in said.err


def test_whole_numbers_have_no_decimals(ok):
    assert ok("datasets", "credit-g").splitlines()[1].startswith("<0,6,")


def test_as_parquet(tmp_path, ok):
    assert ok("datasets", "iris", "-o", tmp_path / "iris.parquet") == ""
    found = pd.read_parquet(tmp_path / "iris.parquet")
    assert found["class"].astype(str).tolist() == load_dataset("iris").y.astype(str).tolist()


def test_mistakes(tmp_path, run):
    said = run("datasets", "credit", "--source", "package")
    assert (said.code, "Did you mean credit-g?" in said.err) == (2, True)
    assert run("datasets", "vote", "--source", "nowhere").code == 2
    assert run("datasets", "vote", "-o", tmp_path / "no" / "t.csv").code == 2
    assert run("datasets", "vote", "-o", tmp_path / "t.png").code == 2


def test_a_source_without_a_name_is_an_error(run):
    outcome = run("datasets", "--source", "openml")
    assert outcome.code == 2
    assert "give its name" in outcome.err
