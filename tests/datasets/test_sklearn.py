import numpy as np
import pytest

from bayesgrove.datasets import load_dataset


@pytest.mark.parametrize(
    ("name", "shape", "classes"),
    [
        ("iris", (150, 4), ["setosa", "versicolor", "virginica"]),
        ("wine", (178, 13), ["class_0", "class_1", "class_2"]),
        ("breast-cancer-wisconsin", (569, 30), ["malignant", "benign"]),
        ("digits", (1797, 64), list("0123456789")),
    ],
)
def test_bundled_set(name, shape, classes):
    X, y = load_dataset(name)
    assert X.shape == shape
    assert (X.dtypes == "float64").all()
    assert y.name == "class"
    assert y.cat.categories.to_list() == classes


def test_iris_differs_from_uci_in_two_rows(data_folder):
    ours, theirs = load_dataset("iris"), load_dataset("iris", source="folder")
    differs = (ours.X.to_numpy() != theirs.X.to_numpy()).any(axis=1)
    assert np.flatnonzero(differs).tolist() == [34, 37]


@pytest.mark.parametrize(("name", "copy"), [("wine", "wine"), ("breast-cancer-wisconsin", "wdbc")])
def test_equals_the_folder_copy(name, copy, data_folder):
    ours, theirs = load_dataset(name), load_dataset(copy, source="folder")
    np.testing.assert_array_equal(ours.X, theirs.X)
