"""``compare`` and ``reproduce`` on the command line: views, folders, refusals and exit codes."""

import csv
import io
from dataclasses import replace

import pandas as pd
import pytest

import bayesgrove.evaluation
from bayesgrove import GroveClassifier, NaiveBayesClassifier, TANClassifier, load_dataset
from bayesgrove.reproduce import PAPERS, find_paper


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    lines = (
        f"{k},{20 + k % 50},{'yes' if k % 4 else 'no'},{'ill' if k % 50 > 30 else 'well'}\n"
        for k in range(120)
    )
    path.write_text("id,age,smoker,state\n" + "".join(lines))
    return path


def rows_of(text):
    return list(csv.reader(io.StringIO(text)))


def test_bundled_data_sets_by_name(ok):
    text = ok("compare", "corral", "iris", "-m", "nb,kdb:k=1,alpha=0.5", "--cv", "3", "-j", "1")
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    header = next(line for line in lines if line.startswith("data set"))
    assert header.split() == ["data", "set", "nb", "kdb:k=1,alpha=0.5"]
    assert any(line.startswith("corral") for line in lines)
    data = {name: load_dataset(name) for name in ("corral", "iris")}
    expected = bayesgrove.evaluation.compare({"nb": NaiveBayesClassifier()}, data, "3")
    for name in data:
        (line,) = [line for line in lines if line.startswith(name)]
        assert line.split()[1] == f"{100 * expected.means('accuracy').loc[name, 'nb']:.2f}"
    assert "corrected resampled t-test" in " ".join(lines)


def test_the_default_models(ok):
    text = ok("compare", "corral", "--cv", "2", "-j", "1", "--style", "csv")
    assert rows_of(text)[0] == ["data set", "grove", "nb", "tan", "kdb:k=2"]
    data = {"corral": load_dataset("corral")}
    expected = bayesgrove.evaluation.compare({"grove": GroveClassifier()}, data, "2")
    mean = expected.means("accuracy").loc["corral", "grove"]
    assert rows_of(text)[1][1].split()[0] == f"{100 * mean:.2f}"


def test_many_models_still_fit_80_columns(ok):
    models = ",".join(["nb", *(f"kdb:k={k}" for k in range(5)), "tan"])
    text = ok("compare", "corral", "-m", models, "--cv", "2", "-j", "1")
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("average rank") > 1
    assert all(f"kdb:k={k}" in text for k in range(5))


def test_a_file_with_its_target(ok, people):
    arguments = ("compare", people, "-t", "state", "--drop", "id", "-m", "nb,tan", "-j", "1")
    text = ok(*arguments, "--cv", "30x60/40", "--seed", "7", "--style", "csv", "--metric", "auc")
    rows = rows_of(text)
    assert rows[0] == ["data set", "nb", "tan"]
    assert rows[1][0] == "people"
    frame = pd.read_csv(people).astype({"age": float})
    result = bayesgrove.evaluation.compare(
        {"nb": NaiveBayesClassifier(), "tan": TANClassifier()},
        (frame[["age", "smoker"]], frame["state"]),
        bayesgrove.evaluation.RandomSplits(60, 40, repeats=30, random_state=7),
    )
    assert [cell.split()[0] for cell in rows[1][1:]] == [
        f"{mean:.3f}" for mean in result.means("auc").iloc[0]
    ]


def test_a_categorical_column_is_one(ok, people):
    base = ("compare", people, "-t", "state", "--drop", "id", "-m", "nb", "-j", "1", "--cv", "2")
    as_numbers = ok(*base, "--style", "csv", "--metric", "parameters")
    as_levels = ok(
        *base, "--style", "csv", "--metric", "parameters", "--categorical-features", "age"
    )
    assert rows_of(as_numbers)[1] != rows_of(as_levels)[1]


@pytest.mark.parametrize(
    ("style", "start"),
    [("markdown", "**accuracy"), ("latex", "% accuracy"), ("csv", "data set,nb"), ("text", "acc")],
)
def test_styles(ok, style, start):
    text = ok("compare", "corral", "-m", "nb", "--cv", "2", "-j", "1", "--style", style)
    assert text.startswith(start)
    assert "corral" in text
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_base_and_test(ok):
    arguments = ("compare", "iris", "-m", "nb,tan", "--cv", "3", "-j", "1")
    assert "better than nb, *: significantly worse (corrected" in ok(*arguments)
    other = ok(*arguments, "--base", "tan", "--test", "paired")
    assert "better than tan, *: significantly worse (paired" in other


def test_calibrated_probabilities(ok, run, tmp_path):
    out = tmp_path / "run"
    arguments = ("compare", "vote", "-m", "nb,tan", "--cv", "3", "-j", "1", "--metric", "brier")
    rows = rows_of(ok(*arguments, "--calibrate", "--style", "csv", "-o", out))
    expected = bayesgrove.evaluation.compare(
        {"nb": NaiveBayesClassifier(), "tan": TANClassifier()},
        {"vote": load_dataset("vote")},
        "3",
        calibrate=True,
    )
    assert [cell.split()[0] for cell in rows[1][1:]] == [
        f"{mean:.3f}" for mean in expected.means("brier").iloc[0]
    ]
    assert rows[1][1:] != rows_of(ok(*arguments, "--style", "csv"))[1][1:]
    refused = run(*arguments, "-o", out, "--resume")
    assert refused.code in (2, 3)
    assert "its models differ" in " ".join(refused.err.split())


def test_processes_give_the_same(ok):
    arguments = ("compare", "corral", "-m", "nb,tan", "--cv", "3")
    assert ok(*arguments, "-j", "2") == ok(*arguments, "-j", "1")


def test_a_folder_keeps_the_run(ok, run, tmp_path):
    out = tmp_path / "run"
    arguments = ("compare", "corral", "vote", "-m", "nb,tan", "--cv", "3", "-j", "1", "-o", out)
    text = ok(*arguments)
    names = {path.name for path in out.iterdir()}
    assert names >= {"run.json", "results.jsonl", "results.csv", "times.csv", "summary.md"}
    pytest.importorskip("matplotlib")
    assert names >= {"box.png", "time.png", "ranks.png"}
    assert (out / "box.png").read_bytes().startswith(b"\x89PNG")
    before = (out / "results.csv").read_bytes()

    refused = run(*arguments)
    assert refused.code in (2, 3)
    assert refused.out == ""
    assert "holds a run already" in refused.err

    lines = (out / "results.jsonl").read_text().splitlines(keepends=True)
    (out / "results.jsonl").write_text("".join(lines[:5]) + lines[5][:20])
    assert ok(*arguments, "--resume") == text
    assert (out / "results.csv").read_bytes() == before
    assert (out / "results.jsonl").read_text().splitlines(keepends=True)[:5] == lines[:5]

    other = run(*arguments, "--resume", "--seed", "1")
    assert other.code in (2, 3)
    assert "another run: its protocol" in other.err
    assert (out / "results.csv").read_bytes() == before


def test_a_file_that_cannot_be_read_fails_in_its_cells(run, tmp_path):
    missing = tmp_path / "gone.csv"
    found = run("compare", "corral", missing, "-t", "y", "-m", "nb,tan", "--cv", "2", "-j", "1")
    assert found.code == 5
    lines = found.out.splitlines()
    assert "FAILED" in next(line for line in lines if line.startswith("gone"))
    assert "FAILED" not in next(line for line in lines if line.startswith("corral"))
    assert "There is no file" in " ".join(found.out.split())


def test_a_model_that_takes_too_long_fails_in_its_cells(run, monkeypatch):
    def slowly(self, X, y):
        import time

        time.sleep(30)

    monkeypatch.setattr(TANClassifier, "fit", slowly)
    arguments = ("corral", "-m", "nb,tan", "--cv", "split:100", "-j", "1", "--time-limit", "0.5")
    found = run("compare", *arguments)
    assert found.code == 5
    assert "took longer than 0.5 seconds" in found.out


def test_everything_may_fail(run, tmp_path):
    found = run("compare", tmp_path / "gone.csv", "-t", "y", "-m", "nb", "-j", "1")
    assert found.code == 5
    assert "gone" in found.out + found.err
    assert "There is no file" in found.out + found.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("corral", "-m", "nb,forest"), "There is no model 'forest'"),
        (("corral", "-m", "nb,kdb:depth=2"), "is not an option"),
        (("corral", "--metric", "f1"), "--metric 'f1' must be one of accuracy,"),
        (("corral", "-m", "nb", "--base", "tan"), "--base 'tan' must be one of nb."),
        (("corral", "--test", "sign"), "--test 'sign' must be one of corrected,"),
        (("corral", "--style", "html"), "--style 'html' must be one of text,"),
        (("corral", "--cv", "ten"), "cv='ten' is not understood"),
        (("corral", "--seed", "-1"), "random_state=-1 must be"),
        (("corral", "-j", "0"), "n_jobs=0 must be"),
        (("corral", "--resume"), "--resume needs --folder: the folder of the run."),
        (("corral", "--time-limit", "0"), "time_limit=0.0 must be"),
        (("people.csv",), "for a file, give the --target"),
        (("no-such-set",), "is not a data set; for a file, give the --target"),
    ],
)
def test_what_cannot_be_asked_is_refused(run, arguments, words):
    found = run("compare", *arguments)
    assert found.code == 2
    assert found.out == ""
    assert words in " ".join(found.err.split())


def test_without_tables_there_is_nothing_to_do(run):
    found = run("compare")
    assert found.code == 2
    assert "TABLE" in found.err


# reproduce ------------------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch):
    """The paper with one of its data sets, which is made, not loaded."""
    _only_on(monkeypatch, lambda: tuple(load_dataset("corral", source="generated")))


def _only_on(monkeypatch, corral):
    paper = find_paper("003")
    (table,) = paper.tables
    (experiment,) = table.experiments
    table = replace(table, experiments=(replace(experiment, data={"corral": corral}),))
    monkeypatch.setitem(PAPERS, "sahami-1996", lambda: replace(paper, tables=(table,)))


def test_a_paper_beside_ours(ok, small, tmp_path):
    text = ok("reproduce", "003", "--quick", "-j", "1", "-o", tmp_path / "run")
    lines = text.splitlines()
    assert lines[0].startswith("Paper 003, table 2")
    assert max(map(len, lines)) <= 80
    cells = [line for line in lines if line.startswith("corral")]
    assert len(cells) == 8
    assert all(line.endswith(("agrees", "differs")) for line in cells)
    assert "of 8 cells agree." in text
    again = ok("reproduce", "003", "--quick", "-j", "1", "-o", tmp_path / "run", "--resume")
    assert again == text
    as_csv = rows_of(ok("reproduce", "003", "--table", "2", "--quick", "-j", "1", "--style", "csv"))
    figures = ["ours", "our sd", "theirs", "printed sd", "distance"]
    assert as_csv[0] == ["data set", "method", *figures, "verdict"]
    assert as_csv[3][:2] == ["corral", "KDB k=1"]
    assert as_csv[3][4:6] == ["100.0", "0.0"]


def test_data_that_are_not_there_are_a_partial_result(run, monkeypatch):
    def missing():
        raise ValueError("It is not there.")

    _only_on(monkeypatch, missing)
    found = run("reproduce", "003", "--quick", "-j", "1")
    assert found.code == 5
    assert "It is not there." in found.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("999",),
            "There is no paper '999'; the papers are singh-1995 (000), dash-2003 (001), hall-2006",
        ),
        (("003", "--table", "9"), "table='9' is not a table of paper 003; its tables: 2."),
        (("003", "--style", "html"), "--style 'html' must be one of"),
    ],
)
def test_what_cannot_be_reproduced_is_refused(run, arguments, words):
    found = run("reproduce", *arguments)
    assert (found.code, found.out) == (2, "")
    assert words in " ".join(found.err.split())
