"""``bayesgrove distill`` writes the student that Python makes, and tells the same losses."""

import numpy as np
import pandas as pd
import pytest

from bayesgrove import distill, load_model
from bayesgrove.evaluation import CrossValidation


@pytest.fixture
def files(tmp_path, ok):
    """A table with a class of numbers, and a grove."""
    rng = np.random.default_rng(0)
    size, code = rng.normal(size=200).round(3), rng.integers(1, 4, 200)
    kind = rng.choice(["a", "b"], 200)
    risk = (size + (kind == "a") + rng.normal(size=200) > 0.5).astype(int)
    rows = pd.DataFrame({"size": size, "code": code, "kind": kind, "risk": risk, "id": range(200)})
    path, model = tmp_path / "rows.csv", tmp_path / "grove.json"
    rows.to_csv(path, index=False)
    ok("fit", path, "-t", "risk", "--drop", "id", "-m", "grove:n_members=4", "-o", model)
    return path, model, rows.drop(columns="id")


@pytest.mark.parametrize("into", ["network", "scorecard"])
def test_the_student_is_that_of_python(files, tmp_path, ok, into):
    path, model, rows = files
    out = tmp_path / "student.json"
    words = ("--into", into, "--cv", "3", "--seed", "1", "--drop", "id")
    said = ok("distill", model, path, "-t", "risk", "-o", out, *words)
    X, y = rows.drop(columns="risk"), rows["risk"]
    own = distill(
        load_model(model), X, y, into=into, cv=CrossValidation(3, random_state=1), random_state=1
    )
    assert said == f"{own.to_text()}\n"
    student = load_model(out)
    np.testing.assert_allclose(student.predict_proba(X), own.model.predict_proba(X), atol=1e-9)
    assert ok("query", out, "risk", "--evidence", "kind=a").startswith("state,probability")


def test_wrong_words(files, tmp_path, run):
    path, model, _ = files
    out = tmp_path / "student.json"
    common = ("distill", model, path, "--drop", "id", "-o", out)
    assert run(*common, "-t", "risk", "--into", "tree").code == 2
    assert "'tree'" in run(*common, "-t", "risk", "--into", "tree").err
    assert "no column" in run(*common, "-t", "price").err
    said = run(*common, "-t", "kind")
    assert said.code == 3
    assert "classes of the teacher are 0, 1" in said.err
    assert run("distill", path, path, "-t", "risk", "-o", out).code == 4
    assert run("distill", model, path, "-t", "risk", "-o", model).code == 2
    assert not out.exists()
