"""fit and predict, against the estimators on frames that pandas makes by hand."""

import io
import json
import os
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bayesgrove import (
    EqualFrequencyDiscretizer,
    GroveClassifier,
    InfoASClassifier,
    KDBClassifier,
    NaiveBayesClassifier,
    TANClassifier,
    config_context,
    load_dataset,
    load_model,
    save_model,
)

CREDIT = load_dataset("credit-g").frame
# What pandas makes of the CSV: text and numbers, nothing declared.
PLAIN = CREDIT.astype(dict.fromkeys(CREDIT.select_dtypes("category"), object))
X, Y = PLAIN.drop(columns="class"), PLAIN["class"]


def holes(frame, share=0.1, seed=0):
    empty = np.random.default_rng(seed).random(frame.shape) < share
    empty[:, list(frame.columns).index("class")] = False
    return frame.astype(object).mask(empty)


@pytest.fixture
def credit(tmp_path):
    path = tmp_path / "credit.csv"
    PLAIN.to_csv(path, index=False)
    return path


@pytest.fixture
def fitted(tmp_path, credit, ok):
    path = tmp_path / "credit.json"
    ok("fit", credit, "--target", "class", "--model", "tan", "-o", path)
    return path


def table(text):
    return pd.read_csv(io.StringIO(text), keep_default_na=False)


def assert_predictions(text, model, rows):
    found = table(text)
    assert list(found) == ["prediction", *(f"P({label})" for label in model.classes_)]
    np.testing.assert_array_equal(found["prediction"].astype(str), model.predict(rows).astype(str))
    np.testing.assert_array_equal(found.iloc[:, 1:].to_numpy(), model.predict_proba(rows))


@pytest.mark.parametrize(
    ("spec", "model"),
    [
        ("nb", NaiveBayesClassifier()),
        ("tan", TANClassifier()),
        ("kdb:k=2,alpha=0.5", KDBClassifier(2, alpha=0.5)),
        ("nb:numeric=gaussian", NaiveBayesClassifier("gaussian")),
    ],
)
def test_predictions_are_those_of_the_estimator(tmp_path, credit, ok, run, spec, model):
    path = tmp_path / "m.json"
    said = run("fit", credit, "--target", "class", "--model", spec, "-o", path)
    assert (said.code, said.out) == (0, "")
    assert "1,000 rows of 20 columns; class: bad, good." in said.err
    model.fit(X, Y)
    assert_predictions(ok("predict", path, credit, "--proba"), model, X)
    assert table(ok("predict", path, credit))["prediction"].tolist() == model.predict(X).tolist()


def _bom(frame):
    return frame.to_csv(index=False).encode("utf-8-sig")


def _utf16(frame):
    return frame.to_csv(index=False).encode("utf-16")


def _semicolons(frame):
    return frame.to_csv(index=False, sep=";", decimal=",").encode()


def _tabs(frame):
    return frame.to_csv(index=False, sep="\t", lineterminator="\r\n").encode()


@pytest.mark.parametrize("write", [_bom, _utf16, _semicolons, _tabs])
def test_the_same_table_in_other_clothes(tmp_path, ok, write):
    frame = holes(PLAIN).infer_objects().assign(duration=PLAIN["duration"] + 0.5)
    (tmp_path / "t.csv").write_bytes(write(frame))
    ok("fit", tmp_path / "t.csv", "-t", "class", "-m", "tan", "-o", tmp_path / "m.json")
    attributes = frame.drop(columns="class")
    model = TANClassifier().fit(attributes, frame["class"])
    assert_predictions(
        ok("predict", tmp_path / "m.json", tmp_path / "t.csv", "--proba"), model, attributes
    )


@pytest.mark.filterwarnings("ignore::bayesgrove.UnseenValueWarning")
def test_holes_and_a_category_never_seen(tmp_path, run):
    frame = holes(PLAIN)
    frame.to_csv(tmp_path / "t.csv", index=False)
    new = frame.drop(columns="class")[:40].copy()
    new.loc[[3, 7], "purpose"] = "spaceship"
    new.to_csv(tmp_path / "new.csv", index=False)
    run("fit", tmp_path / "t.csv", "-t", "class", "-m", "tan", "-o", tmp_path / "m.json")
    said = run("predict", tmp_path / "m.json", tmp_path / "new.csv", "--proba")
    attributes = frame.drop(columns="class").infer_objects()
    model = TANClassifier().fit(attributes, frame["class"])
    assert_predictions(said.out, model, new.astype(attributes.dtypes))
    [line] = said.err.splitlines()
    assert line.startswith("Note: 2 values in 1 column did not occur in training")
    assert "'purpose', value 'spaceship'" in line


def test_unseen_values_of_all_batches_are_counted_once(tmp_path, fitted, run, monkeypatch):
    monkeypatch.setattr("bayesgrove.tables.delimited.BATCH_ROWS", 10)
    X[:35].assign(purpose="spaceship").to_csv(tmp_path / "new.csv", index=False)
    said = run("predict", fitted, tmp_path / "new.csv")
    assert len(said.out.splitlines()) == 36
    assert said.err.count("did not occur") == 1
    assert "35 values in 1 column" in said.err


def test_options_of_fit(tmp_path, credit, ok):
    path = tmp_path / "m.json"
    ok(
        *("fit", credit, "-t", "class", "-m", "nb", "-o", path),
        *("--drop", "age", "--drop", "job", "--categorical-features", "duration"),
        *("--discretizer", "equal-frequency:n_bins=4", "--missing", "ignore"),
    )
    model = load_model(path)
    assert model.get_params()["missing"] == "ignore"
    columns = X.drop(columns=["age", "job"])
    levels = sorted(columns["duration"].astype(int).unique())
    columns["duration"] = pd.Categorical(columns["duration"].astype(int), levels)
    expected = NaiveBayesClassifier(discretizer=EqualFrequencyDiscretizer(4), missing="ignore").fit(
        columns, Y
    )
    assert model.network_ == expected.network_
    # Columns that are not named are treated as if none were.
    assert model.network_.states("existing_credits") == (1, 2, 3, 4)
    new = tmp_path / "new.csv"
    X.drop(columns=["age", "job"]).to_csv(new, index=False)
    assert_predictions(ok("predict", path, new, "--proba"), expected, columns)


def test_fit_says_what_was_chosen_and_joined(tmp_path, run):
    file = tmp_path / "corral.csv"
    pd.concat(load_dataset("corral"), axis=1).to_csv(file, index=False)
    path = tmp_path / "model.json"
    result = run("fit", file, "-t", "class", "-m", "kdb:k=auto,theta=auto", "-o", path)
    model = load_model(path)
    assert f"Chosen from the rows: k={model.k_}, theta={model.theta_}." in result.err
    result = run("fit", file, "-t", "class", "-m", "jnb", "-o", path)
    assert "Joined: A0 with A1 with B0 with B1." in result.err
    assert len(load_model(path).groups_) == 3


def test_fit_says_which_columns_were_selected(tmp_path, credit, run):
    path = tmp_path / "model.json"
    result = run("fit", credit, "-t", "class", "-m", "info-as:metric=cgr,stop_by=chi2", "-o", path)
    model = InfoASClassifier("cgr", stop_by="chi2").fit(X, Y)
    shown = f"Selected: {', '.join(model.selected_[:10])} and {len(model.selected_) - 10} more."
    assert shown in " ".join(result.err.split())
    assert load_model(path).selected_ == model.selected_


def test_a_missing_text_at_fit_and_predict(tmp_path, run, ok):
    frame = holes(PLAIN[["age", "purpose", "class"]])
    frame.to_csv(tmp_path / "t.csv", index=False, na_rep="NA")
    ok(
        "fit",
        tmp_path / "t.csv",
        "-t",
        "class",
        "-m",
        "tan",
        "--na-values",
        "NA",
        "-o",
        tmp_path / "m.json",
    )
    attributes = frame.drop(columns="class").infer_objects()
    model = TANClassifier().fit(attributes, frame["class"])
    out = ok("predict", tmp_path / "m.json", tmp_path / "t.csv", "--proba", "--na-values", "NA")
    assert_predictions(out, model, attributes)
    said = run("predict", tmp_path / "m.json", tmp_path / "t.csv")
    line = 2 + int(np.argmax(frame["age"].isna()))
    assert said.code == 3
    assert f"line {line}: column 'age' was numeric in training, but holds 'NA'" in said.err
    assert "--na-values NA" in said.err


def test_types_at_predict_are_those_of_training(tmp_path, ok):
    text = "a,b,y\n" + "".join(f"{i % 3},{'x' if i % 4 else '007'},{i % 2}\n" for i in range(40))
    (tmp_path / "t.csv").write_text(text)
    ok("fit", tmp_path / "t.csv", "-t", "y", "-m", "tan", "-o", tmp_path / "m.json")
    model = load_model(tmp_path / "m.json")
    assert model.classes_.tolist() == [0, 1]
    assert model.network_.states("a") == (0, 1, 2)
    assert model.network_.states("b") == ("007", "x")
    # In this file a would be text, and b a number.
    (tmp_path / "new.csv").write_text("b,a\n007,2\n007,x\n007,1.0\n")
    with pytest.warns(UserWarning, match="did not occur"):
        expected = model.predict_proba(pd.DataFrame({"a": [2, 9, 1], "b": ["007"] * 3}))
    found = table(ok("predict", tmp_path / "m.json", tmp_path / "new.csv", "--proba"))
    np.testing.assert_array_equal(found[["P(0)", "P(1)"]].to_numpy(), expected)
    assert found["prediction"].isin([0, 1]).all()


def test_columns_are_matched_by_name(tmp_path, fitted, credit, ok, run):
    shuffled = PLAIN[sorted(PLAIN)]
    shuffled.to_csv(tmp_path / "new.csv", index=False)
    expected = ok("predict", fitted, credit, "--proba")
    assert ok("predict", fitted, tmp_path / "new.csv", "--proba") == expected
    X.drop(columns=["age", "job"]).to_csv(tmp_path / "new.csv", index=False)
    said = run("predict", fitted, tmp_path / "new.csv")
    assert said.code == 3
    assert "the model needs the columns 'age', 'job', which are not there" in said.err
    X.rename(columns={"age": " Age"}).to_csv(tmp_path / "new.csv", index=False)
    said = run("predict", fitted, tmp_path / "new.csv")
    assert "the column 'age', which is not there (there is ' Age')" in said.err


def test_added_columns_are_dropped_or_kept(tmp_path, fitted, credit, ok, run):
    new = X[:5].assign(id=["a", "", "c", "d,e", "f"], extra=1)
    new.to_csv(tmp_path / "new.csv", index=False)
    said = run("predict", fitted, tmp_path / "new.csv")
    assert said.code == 3
    assert "the columns 'id', 'extra'" in said.err
    assert "--drop" in said.err
    assert "--keep" in said.err
    out = ok(
        "predict", fitted, tmp_path / "new.csv", "--drop", "extra", "--keep", "id", "--keep", "age"
    )
    found = table(out)
    assert list(found) == ["id", "age", "prediction"]
    assert found["id"].tolist() == ["a", "", "c", "d,e", "f"]
    said = run("predict", fitted, tmp_path / "new.csv", "--drop", "extra", "--keep", "nothing")
    assert (said.code, "there is no column 'nothing'" in said.err) == (3, True)
    new.rename(columns={"id": "prediction"}).to_csv(tmp_path / "new.csv", index=False)
    said = run("predict", fitted, tmp_path / "new.csv", "--drop", "extra", "--keep", "prediction")
    assert (said.code, "--keep prediction" in said.err) == (2, True)


def test_outputs(tmp_path, fitted, credit, ok, run):
    out = ok("predict", fitted, credit, "--proba", "--keep", "age")
    for name, read in {"o.csv": pd.read_csv, "o.parquet": pd.read_parquet}.items():
        assert (
            ok("predict", fitted, credit, "--proba", "--keep", "age", "-o", tmp_path / name) == ""
        )
        found = read(tmp_path / name)
        pd.testing.assert_frame_equal(found.astype({"age": float}), table(out))


def test_classes_keep_their_types_in_parquet(tmp_path, ok):
    frame = pd.DataFrame({"a": ["x", "y"] * 10, "y": [0, 1] * 10})
    frame.to_csv(tmp_path / "t.csv", index=False)
    ok("fit", tmp_path / "t.csv", "-t", "y", "-o", tmp_path / "m.json")
    ok("predict", tmp_path / "m.json", tmp_path / "t.csv", "-o", tmp_path / "o.parquet")
    found = pd.read_parquet(tmp_path / "o.parquet")
    assert found["prediction"].dtype == np.int64
    assert found["prediction"].tolist() == frame["y"].tolist()


def test_standard_input(fitted, credit, ok):
    new = X[:9].to_csv(index=False)
    assert len(ok("predict", fitted, "-", stdin=new).splitlines()) == 10
    file = io.BytesIO()
    X[:9].to_parquet(file)
    out = ok("predict", fitted, "-", "--format", "parquet", stdin=file.getvalue())
    assert out == ok("predict", fitted, "-", stdin=new)


def test_fit_from_standard_input_gives_the_same_model(tmp_path, fitted, ok):
    text = PLAIN.to_csv(index=False)
    ok("fit", "-", "-t", "class", "-m", "tan", "-o", tmp_path / "m.json", stdin=text)
    assert (tmp_path / "m.json").read_bytes() == fitted.read_bytes()


@pytest.mark.parametrize(
    "extra", [[], ["--categorical-features", "age", "--categorical-features", "purpose"]]
)
def test_parquet_in_batches_and_loaded_give_the_same_model(tmp_path, ok, extra):
    path = tmp_path / "t.parquet"
    holes(PLAIN).infer_objects().to_parquet(path, row_group_size=100)
    command = ["fit", path, "-t", "class", "-m", "tan", "--drop", "job", *extra, "-o"]
    ok(*command, tmp_path / "loaded.json")
    with config_context(memory_limit=0):
        ok(*command, tmp_path / "streamed.json")
    loaded, streamed = (load_model(tmp_path / f"{n}.json") for n in ("loaded", "streamed"))
    assert loaded.network_ == streamed.network_
    assert ("age" in loaded.cut_points_) == (not extra)


def test_missing_texts_in_parquet_files(tmp_path, ok):
    PLAIN.to_parquet(tmp_path / "t.parquet")
    command = (
        "fit",
        tmp_path / "t.parquet",
        "-t",
        "class",
        "--model",
        "tan",
        "--na-values",
        "car",
        "--na-values",
        "24",
    )
    ok(*command, "-o", tmp_path / "m.json")
    frame = X.mask(X.isin(["car", 24]))
    expected = TANClassifier().fit(frame, Y.to_numpy()).network_
    for node in X:
        assert load_model(tmp_path / "m.json").network_.states(node) == expected.states(node)


def test_parquet_is_predicted_batch_by_batch(tmp_path, fitted, ok, monkeypatch):
    X.assign(id=range(len(X))).to_parquet(tmp_path / "new.parquet")
    X.to_csv(tmp_path / "new.csv", index=False)
    expected = table(ok("predict", fitted, tmp_path / "new.csv", "--proba"))
    monkeypatch.setattr("bayesgrove.tables.parquet.BATCH_ROWS", 300)
    command = ("predict", fitted, tmp_path / "new.parquet", "--proba", "--keep", "id")
    found = table(ok(*command))
    pd.testing.assert_frame_equal(found.drop(columns="id"), expected)
    ok(*command, "-o", tmp_path / "o.parquet")
    assert pq.ParquetFile(tmp_path / "o.parquet").num_row_groups == 4
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "o.parquet"), found)
    assert found["id"].tolist() == list(range(len(X)))


def test_parquet_columns_that_cannot_be_used(tmp_path, run, ok):
    table = pa.table(
        {
            "a": ["x", "y"] * 5,
            "l": [[1]] * 10,
            "d": pa.array([0] * 10, pa.date32()),
            "y": [0, 1] * 5,
        }
    )
    pq.write_table(table, tmp_path / "t.parquet")
    command = ("fit", tmp_path / "t.parquet", "-t", "y", "-o", tmp_path / "m.json")
    assert "Column 'l' holds" in run(*command).err
    assert "Column 'd' holds dates" in run(*command, "--drop", "l").err
    ok(*command, "--drop", "l", "--drop", "d")


def test_arff(tmp_path, ok):
    levels = ",".join(f"'{level}'" for level in CREDIT["purpose"].cat.categories)
    rows = "".join(f"'{p}',{a:g},{c}\n" for p, a, c in PLAIN[["purpose", "age", "class"]].values)
    (tmp_path / "t.arff").write_text(
        f"@relation r\n@attribute purpose {{{levels}}}\n@attribute age numeric\n"
        f"@attribute class {{good,bad}}\n@data\n{rows}"
    )
    ok("fit", tmp_path / "t.arff", "-t", "class", "-m", "tan", "-o", tmp_path / "m.json")
    model = TANClassifier().fit(CREDIT[["purpose", "age"]], CREDIT["class"].astype(object))
    assert "vacation" in model.network_.states("purpose")  # declared, and in no row
    out = ok("predict", tmp_path / "m.json", tmp_path / "t.arff", "--proba")
    assert_predictions(out, model, CREDIT[["purpose", "age"]])


def test_a_model_that_was_fitted_without_names(tmp_path, ok):
    rng = np.random.default_rng(0)
    values, labels = rng.normal(size=(50, 3)), np.array(["u", "v"] * 25)
    model = NaiveBayesClassifier().fit(values, labels)
    save_model(model, tmp_path / "m.json")
    frame = pd.DataFrame(values, columns=["p", "q", "r"])
    frame.to_csv(tmp_path / "new.csv", index=False)
    out = ok("predict", tmp_path / "m.json", tmp_path / "new.csv", "--proba")
    assert_predictions(out, model, values)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nowhere.csv", "-t", "class"], 2, "There is no file nowhere.csv."),
        (["{credit}", "-t", "klass"], 3, "no column 'klass'; did you mean 'class'?"),
        (["{credit}", "-t", "class", "--drop", "clss"], 3, "there is no column 'clss'"),
        (["{credit}", "-t", "class", "--categorical-features", "x"], 3, "there is no column 'x'"),
        (["{credit}", "-t", "class", "--drop", "class"], 2, "--drop leaves out the target"),
        (["{credit}", "-t", "class", "-m", "forest"], 2, "the models are nb, tan, kdb"),
        (["{credit}", "-t", "class", "-m", "kdb:k=-1"], 2, "k=-1 must be"),
        (["{credit}", "-t", "class", "-m", "tan:root=x"], 2, "root='x' is neither"),
        (["{credit}", "-t", "class", "-m", "nb:alpha=-1"], 2, "alpha=-1"),
        (["{credit}", "-t", "class", "--discretizer", "x"], 2, "no discretizer 'x'"),
        (["{credit}", "-t", "class", "--missing", "x"], 2, "must be value, ignore or em"),
        (["{credit}", "-t", "class", "--delimiter", "ab"], 2, "must be one character"),
        (["{credit}", "-t", "class", "--decimal", "x"], 2, "a point or a comma"),
        (["{credit}", "-t", "class", "--encoding", "klingon"], 2, "'klingon' is unknown"),
        (["{credit}", "-t", "class", "--encoding", "zlib"], 2, "'zlib' is unknown"),
        (["{credit}", "-t", "class", "--format", "xls"], 2, "must be one of csv, parquet"),
        (["{credit}", "-t", "class", "--format", "parquet"], 3, "not readable as Parquet"),
        (["{credit}", "-t", "class", "--delimiter", ";"], 3, "no column 'class'"),
        (["{credit}"], 2, "--target"),
        (["{credit}", "-t", "class", "--nonsense"], 2, "nonsense"),
    ],
)
def test_mistakes_at_fit(tmp_path, credit, run, arguments, code, message):
    words = [word.format(credit=credit) for word in arguments]
    said = run("fit", *words, "-o", tmp_path / "m.json", env={"COLUMNS": "200"})
    assert (said.code, said.out) == (code, "")
    assert message in said.err
    assert not (tmp_path / "m.json").exists()


@pytest.mark.parametrize("path", ["nowhere/m.json", ".", "credit.csv"])
def test_the_output_is_checked_first(tmp_path, credit, run, monkeypatch, path):
    monkeypatch.setattr("bayesgrove.tables.table_of", None)
    before = credit.read_bytes()
    said = run("fit", credit, "-t", "class", "-o", tmp_path / path)
    assert said.code == 2
    assert "Cannot write" in said.err
    assert credit.read_bytes() == before


def test_mistakes_at_predict(tmp_path, fitted, credit, run):
    text = fitted.read_text()
    (tmp_path / "cut.json").write_text(text[: len(text) // 2])
    (tmp_path / "other.json").write_text(json.dumps({"a": 1}))
    for name in ("cut.json", "other.json"):
        said = run("predict", tmp_path / name, credit)
        assert said.code == 4
        assert name in said.err
    assert run("predict", credit, fitted).code == 4
    assert run("predict", tmp_path / "none.json", credit).code == 2
    assert run("predict", fitted, tmp_path / "none.csv").code == 2
    said = run("predict", fitted, credit, "-o", tmp_path / "o.xlsx")
    assert (said.code, "the ending .xlsx" in said.err) == (2, True)
    assert run("predict", fitted, credit, "-o", fitted).code == 2
    assert fitted.read_text() == text


def test_rows_without_a_class(tmp_path, run):
    frame = PLAIN.copy()
    frame.loc[[4, 9], "class"] = None
    frame.to_csv(tmp_path / "t.csv", index=False)
    said = run("fit", tmp_path / "t.csv", "-t", "class", "-o", tmp_path / "m.json")
    assert said.code == 3
    assert "2 rows without a value in the target 'class' (first: line 6)" in said.err


def test_one_class_is_noted(tmp_path, run):
    PLAIN.assign(**{"class": "x"}).to_csv(tmp_path / "t.csv", index=False)
    said = run("fit", tmp_path / "t.csv", "-t", "class", "-o", tmp_path / "m.json")
    assert said.code == 0
    assert "only one value" in said.err


def test_nothing_is_left_beside_the_output(tmp_path, fitted, credit, run):
    before = sorted(os.listdir(tmp_path))
    run("predict", fitted, credit, "-o", tmp_path / "nowhere" / "o.csv")
    run("fit", credit, "-t", "age", "-m", "kdb:k=-1", "-o", tmp_path / "m.json")
    assert sorted(os.listdir(tmp_path)) == before


def test_smoothing_weights_and_corrections(run, ok, tmp_path, credit):
    path = tmp_path / "model.json"
    text = "tan:smoothing=backoff,weights=conditional,corrections=true"
    ok("fit", credit, "--target", "class", "--model", text, "-o", path)
    model = TANClassifier(smoothing="backoff", weights="conditional", corrections=True).fit(X, Y)
    found = ok("predict", path, credit, "--proba")
    assert_predictions(found, model, X)
    note = "which is without the exponents of the tables and the corrections of cells"
    for command in (("query", path, "class"), ("export", path, "--to", "bif")):
        assert note in run(*command).err
    outcome = run("fit", credit, "--target", "class", "--model", "tan:weights=x", "-o", path)
    assert outcome.code != 0
    assert "weights='x' must be 'conditional'" in outcome.err


def test_the_default_is_the_grove(run, ok, tmp_path, credit):
    path = tmp_path / "model.json"
    said = run("fit", credit, "--target", "class", "-o", path)
    assert (said.code, said.out) == (0, "")
    model = GroveClassifier().fit(X, Y)
    assert_predictions(ok("predict", path, credit, "--proba"), model, X)
    fitted, parts, most = said.err.splitlines()
    assert fitted.startswith("grove fitted to 1,000 rows of 20 columns; class: bad, good.")
    tables = re.fullmatch(r"16 members, (\d+) rule tables?\. Out-of-fold log-loss: (.*)\.", parts)
    assert int(tables[1]) == model.n_rule_tables_
    assert float(tables[2]) == pytest.approx(model.out_of_fold_loss_, abs=0.0005)
    ranked = X.columns[np.argsort(-model.feature_importances_)]
    assert most == f"Most important: {', '.join(ranked[:3])}."


def test_what_a_grove_says_depends_on_its_parts(run, tmp_path):
    frame = pd.DataFrame({"a": ["x", "y"] * 20, "b": ["z"] * 40, "y": ["u", "v"] * 20})
    frame.to_csv(tmp_path / "t.csv", index=False)
    command = ("fit", tmp_path / "t.csv", "-t", "y", "-o", tmp_path / "m.json")
    said = run(*command, "-m", "grove:n_members=4,rules=false,trees=true")
    assert re.search(r"^4 members, \d+ trees?\. Out-of-fold log-loss: 0\.", said.err, re.MULTILINE)
    assert "Most important: a.\n" in said.err
    said = run(*command, "--drop", "a", "-m", "grove:n_members=4,rules=false")
    assert "4 members. Out-of-fold log-loss: 0." in said.err
    assert "Most important: no column.\n" in said.err
