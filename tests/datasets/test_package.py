import pandas as pd
import pytest

from bayesgrove.datasets import load_dataset


@pytest.mark.parametrize("name", ["vote", "credit-g"])
def test_equals_the_folder_copy_cell_by_cell(name, data_folder):
    ours, theirs = load_dataset(name), load_dataset(name, source="folder")
    assert ours.info.source == "package"
    pd.testing.assert_frame_equal(ours.frame, theirs.frame, check_categorical=False)
    for column in ours.X.select_dtypes("category"):
        levels, copied = (set(d.X[column].cat.categories) for d in (ours, theirs))
        assert levels == copied


def test_vote():
    X, y = load_dataset("vote")
    assert X.shape == (435, 16)
    assert X.isna().to_numpy().sum() == 392
    assert all(X[column].cat.categories.to_list() == ["n", "y"] for column in X)
    assert y.name == "class"
    assert y.value_counts().to_dict() == {"democrat": 267, "republican": 168}


def test_credit_g_keeps_unseen_levels_in_their_declared_place():
    X, y = load_dataset("credit-g")
    purposes = X["purpose"].cat.categories.to_list()
    assert purposes.index("vacation") == 7
    assert "vacation" not in set(X["purpose"])
    assert X["personal_status"].cat.categories[-1] == "female single"
    assert y.value_counts().to_dict() == {"good": 700, "bad": 300}
    assert X.dtypes.astype(str).value_counts().to_dict() == {"category": 13, "float64": 7}
