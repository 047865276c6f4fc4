import pandas as pd
import pytest
import sklearn.datasets
from sklearn.utils import Bunch

from bayesgrove.datasets import load_dataset


@pytest.fixture
def fetched(monkeypatch):
    """What the replaced download returns; tests may change it."""
    data = pd.DataFrame(
        {
            "code": pd.Categorical([1, 2, 1]),
            "count": pd.array([3, None, 5], dtype="Int64"),
            "words": ["a", "b", "c"],
        }
    )
    target = pd.Series(pd.Categorical(["p", "q", "p"]), name="Outcome")
    details = {"id": "61", "version": "2", "licence": "Public"}
    bunch = Bunch(data=data, target=target, target_names=["Outcome"], details=details)
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", lambda name, **options: bunch)
    return bunch


def test_columns_get_the_types_of_every_source(fetched):
    X, y = load_dataset("openml:only")
    assert X["code"].cat.categories.to_list() == ["1", "2"]
    assert X["count"].dtype == "float64"
    assert X["count"].isna().to_list() == [False, True, False]
    assert X["words"].to_list() == ["a", "b", "c"]
    assert y.name == "Outcome"
    assert y.cat.categories.to_list() == ["p", "q"]


def test_description(fetched):
    info = load_dataset("openml:only").info
    assert (info.source, info.nominal, info.numeric, info.missing) == ("openml", 1, 1, 1)
    assert (info.licence, info.note) == ("Public", "OpenML data set 61, version 2")


def test_forced_source(fetched):
    assert load_dataset("vote", source="openml").info.source == "openml"
    assert load_dataset("openml:vote", source="openml").info.name == "vote"


def test_openml_is_never_asked_by_a_typo(monkeypatch):
    asked = []
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", lambda *a, **k: asked.append(a))
    with pytest.raises(ValueError, match="ask OpenML: openml:credit-q"):
        load_dataset("credit-q")
    with pytest.raises(ValueError, match="No data set 'openml:vote' in package"):
        load_dataset("openml:vote", source="package")
    assert asked == []


def test_one_class_column_is_needed(fetched):
    fetched.target_names = ["a", "b"]
    with pytest.raises(ValueError, match="2 class columns, not one"):
        load_dataset("openml:only")
