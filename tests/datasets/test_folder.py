import gzip
import json
import math

import pytest

import bayesgrove.datasets
from bayesgrove.datasets import Description, _folder, list_datasets, load_dataset

CSV = 'id,code,answer,size,words,class\na7,1,NA,1.5,some text,p\nb8,2,,,"more, text",q\n'
COLUMNS = [
    {"name": "id", "kind": "nominal", "missing": 0},
    {"name": "code", "kind": "nominal", "missing": 0, "values": ["2", "1"]},
    {
        "name": "answer",
        "kind": "nominal",
        "missing": 1,
        "values": ["NA"],
        "declared_not_seen": ["never"],
    },
    {"name": "size", "kind": "numeric", "missing": 1},
    {"name": "words", "kind": "text", "missing": 0},
    {"name": "class", "kind": "nominal", "missing": 0, "values": ["q", "p"]},
]
ENTRY = {
    "name": "tiny",
    "file": "tiny.csv.gz",
    "n_rows": 2,
    "n_attributes": 5,
    "n_nominal": 3,
    "n_numeric": 1,
    "n_classes": 2,
    "class_kind": "nominal",
    "identifier_columns": ["id"],
    "columns": COLUMNS,
    "licence": "none",
    "note": "made up",
}


@pytest.fixture
def tiny_folder(tmp_path, monkeypatch):
    def write(csv=CSV):
        (tmp_path / "tiny.csv.gz").write_bytes(gzip.compress(csv.encode()))

    catalog = {"datasets": [ENTRY, ENTRY | {"name": "lost", "file": "lost.csv.gz"}]}
    (tmp_path / "catalog.json").write_text(json.dumps(catalog))
    write()
    monkeypatch.setenv("BAYESGROVE_DATA", str(tmp_path))
    return write


def test_columns_get_the_kinds_and_levels_of_the_catalogue(tiny_folder):
    X, y = load_dataset("tiny")
    assert X["code"].cat.categories.to_list() == ["2", "1"]
    assert X["code"].to_list() == ["1", "2"]
    assert X["answer"].cat.categories.to_list() == ["NA", "never"]
    assert X["answer"].isna().to_list() == [False, True]
    assert X["id"].cat.categories.to_list() == ["a7", "b8"]
    assert X["size"].dtype == "float64"
    assert X["words"].to_list() == ["some text", "more, text"]
    assert y.cat.categories.to_list() == ["q", "p"]


def test_description_names_the_identifiers(tiny_folder):
    expected = Description(
        "tiny", "folder", 2, 5, 3, 1, 2, 2, "none", note="made up", identifiers=("id",)
    )
    assert load_dataset("tiny").info == expected
    assert [info for info in list_datasets() if info.source == "folder"] == [expected]
    assert "identifiers: id" in str(expected)


def test_undeclared_value_is_an_error(tiny_folder):
    tiny_folder(CSV.replace(",2,", ",3,"))
    with pytest.raises(ValueError, match="Column 'code' has undeclared values: 3"):
        load_dataset("tiny")


def test_data_folder_is_the_named_one_or_none(tiny_folder, tmp_path, monkeypatch):
    assert bayesgrove.datasets.data_folder() == tmp_path
    monkeypatch.setenv("BAYESGROVE_DATA", str(tmp_path / "absent"))
    assert bayesgrove.datasets.data_folder() is None
    assert not any(info.source == "folder" for info in list_datasets())


def test_without_the_variable_there_is_no_data_folder(monkeypatch):
    monkeypatch.delenv("BAYESGROVE_DATA", raising=False)
    assert bayesgrove.datasets.data_folder() is None


def test_every_set_is_as_catalogued(data_folder):
    catalog = json.loads((data_folder / "catalog.json").read_text(encoding="utf-8"))
    percent = {entry["name"]: entry["missing_percent"] for entry in catalog["datasets"]}
    infos = _folder.descriptions()
    assert {info.name for info in infos} == set(percent)
    for info in infos:
        cells = info.rows * info.attributes
        assert math.isclose(100 * info.missing / cells, percent[info.name], abs_tol=5e-4)
        if info.name != "covtype":  # half a million rows: too slow for a unit test
            assert load_dataset(info.name, source="folder").info == info


def test_levels_only_declared_are_kept(data_folder):
    X, y = load_dataset("anneal")
    assert X["product-type"].cat.categories.to_list() == ["C", "H", "G"]
    assert y.cat.categories.to_list() == ["1", "2", "3", "5", "U", "4"]


def test_numeric_target_stays_numeric(data_folder):
    dataset = load_dataset("cpu-performance")
    assert dataset.y.dtype == "float64"
    assert "numeric target" in str(dataset.info)
