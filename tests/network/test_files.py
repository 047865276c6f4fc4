"""Networks in files: exact round trips, other programs as oracles, and what bad files say."""

import contextlib
import gzip
import io
import json
import pickle
import time
import warnings
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from bayesgrove.datasets import data_folder
from bayesgrove.network import BayesianNetwork
from bayesgrove.network.files import ParseError, format_network, read_network, write_network
from bayesgrove.network.formats import bif, limits, net, xdsl, xmlbif

FORMATS = ("bif", "xmlbif", "net", "xdsl")
SPELLINGS = {
    "bif": bif.SPELLING,
    "xmlbif": xmlbif.SPELLING,
    "net": net.SPELLING,
    "xdsl": xdsl.SPELLING,
}
NETWORKS = (
    "alarm",
    "andes",
    "asia",
    "barley",
    "cancer",
    "child",
    "diabetes",
    "earthquake",
    "hailfinder",
    "hepar2",
    "insurance",
    "link",
    "mildew",
    "munin",
    "munin1",
    "munin2",
    "munin3",
    "munin4",
    "pathfinder",
    "pigs",
    "sachs",
    "survey",
    "water",
    "win95pts",
)


def random_network(states, parents, seed=0):
    rng = np.random.default_rng(seed)
    tables = {}
    for node, own in states.items():
        shape = [len(states[parent]) for parent in parents.get(node, ())]
        tables[node] = rng.dirichlet(np.ones(len(own)), size=shape)
    return BayesianNetwork.from_tables(states, parents, tables)


def small():
    """Nodes not in the order of the arcs, so that no writer can get away with its own order."""
    return random_network(
        {"wet": ("yes", "no"), "rain": ("no", "light", "heavy"), "season": ("dry", "rainy")},
        {"wet": ("rain", "season"), "rain": ("season",)},
    )


def nasty():
    """Names and labels that hardly any format carries."""
    states = {
        "a b": ("yes", "no way", ""),
        "A B": (1, "1", 2.5, None),
        "日本": (True, False, "True"),
        "table": ("<1000ms", "a,b", 'q"uo\\te', "x\ny", "\x00", " a", "a  b", "a//b"),
        "a": ("b", "c"),
        "A": ("b", "c"),
        "my_node": ("data", "node"),
        "1e5": (-3, 10**30, float("inf"), -0.0),
        "": ("é", "e", "\ud800"),
        "x": ("1e", "100g", "-1", "1.5", "&amp;", "%20", "]]>"),
    }
    parents = {
        "A B": ("a b", "日本"),
        "table": ("A B",),
        "A": ("a", "my_node", "a b"),
        "": ("table",),
    }
    return random_network(states, parents)


@cache
def folder_network(name):
    folder = data_folder()
    if folder is None:
        pytest.skip("no data folder: set BAYESGROVE_DATA to a folder with networks")
    return read_network(folder / "networks" / f"{name}.bif.gz")


def there_and_back(network, path):
    write_network(network, path)
    return read_network(path)


# Round trips


@pytest.mark.parametrize("name", NETWORKS)
def test_repository_networks_are_read_whole_and_come_back_from_every_format(name, tmp_path):
    network = folder_network(name)
    catalog = json.loads((data_folder() / "networks" / "catalog.json").read_text())["networks"]
    expected = next(entry for entry in catalog if entry["name"] == name)
    cards = {node: len(network.states(node)) for node in network.nodes}
    cells = {node: np.asarray(network.table(node)).size for node in network.nodes}
    assert len(network.nodes) == expected["nodes"]
    assert len(network.arcs) == expected["arcs"]
    assert max(cards.values()) == expected["max_states"]
    assert sum(cells.values()) == expected["cpt_numbers_expected"]
    assert (
        sum(cells[node] - cells[node] // cards[node] for node in cards)
        == (expected["free_parameters"])
    )
    # To save time, the large ones take turns.
    turn = NETWORKS.index(name) % 2
    for form in FORMATS if sum(cells.values()) < 50_000 else FORMATS[turn::2]:
        assert there_and_back(network, tmp_path / f"{name}.{form}") == network, form


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("network", [small(), nasty()], ids=["small", "nasty"])
def test_every_format_gives_back_the_same_network(network, form, tmp_path):
    again = there_and_back(network, tmp_path / f"network.{form}")
    assert again == network
    assert again.nodes == network.nodes
    for node in network.nodes:
        assert [(type(s), s) for s in again.states(node)] == [
            (type(s), s) for s in network.states(node)
        ]
        assert again.parents(node) == network.parents(node)
        assert_array_equal(again.table(node), network.table(node))


def labels():
    scalars = st.one_of(
        st.text(max_size=8),
        st.text(st.characters(), max_size=4),  # with surrogates
        st.sampled_from(["1", "x", "x_2", "True", "None", "table", "a b", "a_b", "node", ""]),
        st.integers(-3, 10**25),
        st.floats(allow_nan=False),
        st.booleans(),
        st.none(),
    )
    some = st.lists(scalars, min_size=1, max_size=4, unique_by=lambda label: label)
    return some.map(lambda found: sorted(found, key=lambda label: label is None))  # must be last


@st.composite
def networks(draw):
    names = draw(
        st.lists(st.text(st.characters(), max_size=6), min_size=1, max_size=5, unique=True)
    )
    states = {name: tuple(draw(labels())) for name in names}
    order = draw(st.permutations(names))
    parents = {
        child: draw(st.lists(st.sampled_from(order[:at]), max_size=3, unique=True))
        for at, child in enumerate(order)
        if at
    }
    return random_network(states, parents, draw(st.integers(0, 2**32)))


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=60, deadline=None)
@given(network=networks())
def test_any_labels_come_back_from_every_format(network, form, tmp_path_factory):
    path = tmp_path_factory.mktemp("any") / f"network.{form}"
    assert there_and_back(network, path) == network


@settings(max_examples=60, deadline=None)
@given(network=networks())
def test_any_network_can_be_drawn(network):
    check_dot(network, format_network(network, "dot"))


def test_network_of_a_classifier_comes_back(tmp_path):
    import pandas as pd

    from bayesgrove import TANClassifier

    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "size (cm)": rng.normal(size=200),
            "count": rng.integers(0, 3, 200),
            "colour": rng.choice(["red", "light blue", None], 200),
        }
    )
    y = (X["size (cm)"] + X["count"] > 1).to_numpy()
    network = TANClassifier().fit(X, y).network_
    for form in FORMATS:
        again = there_and_back(network, tmp_path / f"tan.{form}")
        assert again == network
        assert again.class_node == network.class_node


def test_labels_that_a_format_carries_are_written_as_they_are():
    network = random_network(
        {"Mid-Node.1": ("yes", "100g", "a-b", "-1"), "kid": ("True", "None")},
        {"kid": ("Mid-Node.1",)},
    )
    text = format_network(network, "bif")
    assert "property" not in text
    assert "variable Mid-Node.1 {" in text
    assert "{ yes, 100g, a-b, -1 }" in text
    plain = random_network({"node 1 <é>": ("a b", "<1000ms", "2.5")}, {})
    text = format_network(plain, "xmlbif")
    assert "PROPERTY" not in text
    assert "<OUTCOME>&lt;1000ms</OUTCOME>" in text


def test_spellings_differ_and_give_way_to_strings():
    network = random_network({"n": (1, "1", True is None, "x1", "a b", "a_b", "a+b")}, {})
    for form in FORMATS:
        spelled = SPELLINGS[form].states(network.states("n"))
        assert len(set(spelled)) == len(spelled)
        assert spelled[3] == "x1"
        assert spelled[5] == "a_b"
    assert SPELLINGS["bif"].states((1, "1")) == ["x1", "1"]
    assert SPELLINGS["bif"].names(["A", "a"]) == ["A", "a_2"]
    assert SPELLINGS["net"].names(["A", "a"]) == ["A", "a"]


# Files


def test_format_is_said_or_in_the_name(tmp_path):
    network = small()
    for name in ("n.bif", "n.XMLBIF", "n.xml", "n.bifxml", "n.net.gz", "n.xdsl.GZ"):
        assert there_and_back(network, tmp_path / name) == network
    write_network(network, tmp_path / "n.txt", format="net")
    assert read_network(tmp_path / "n.txt", format="net") == network
    assert read_network(str(tmp_path / "n.txt"), format="net") == network
    with pytest.raises(ValueError, match=r"n\.txt does not end in one of \.bif, .*give the format"):
        read_network(tmp_path / "n.txt")
    with pytest.raises(ValueError, match="format='uai' must be"):
        write_network(network, tmp_path / "n.bif", format="uai")
    with pytest.raises(ValueError, match="format='dot' must be"):
        read_network(tmp_path / "n.bif", format="dot")


def test_packed_files_are_the_same_bytes_every_time(tmp_path):
    write_network(small(), tmp_path / "a.bif.gz")
    first = (tmp_path / "a.bif.gz").read_bytes()
    time.sleep(1.1)  # a time stamp would show
    write_network(small(), tmp_path / "b.bif.gz")
    assert (tmp_path / "b.bif.gz").read_bytes() == first
    assert gzip.decompress(first).decode() == format_network(small(), "bif")


def test_a_refusal_leaves_the_old_file(tmp_path):
    path = tmp_path / "n.bif"
    path.write_text("old")
    for label in ((1, 2), np.int64(1), 10**5000):
        network = random_network({"node": ("a", label)}, {})
        with pytest.raises(ValueError, match="'node' has "):
            write_network(network, path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["n.bif"]


def test_networks_beyond_the_limits_are_not_written(tmp_path, monkeypatch):
    network = small()
    monkeypatch.setattr("bayesgrove.network.formats.writer_nodes.MAX_CELLS", 19)
    with pytest.raises(ValueError, match=r"The tables have 20 cells, .*at most 19 are possible"):
        write_network(network, tmp_path / "n.bif")
    monkeypatch.setattr("bayesgrove.network.formats.writer_nodes.MAX_CELLS", 11)
    with pytest.raises(ValueError, match="'wet' has 2 parents and a table of 12 cells"):
        write_network(network, tmp_path / "n.bif")
    monkeypatch.undo()
    monkeypatch.setattr("bayesgrove.network.formats.writer_nodes.MAX_NODES", 2)
    with pytest.raises(ValueError, match="3 nodes with 7 states"):
        write_network(network, tmp_path / "n.bif")
    monkeypatch.undo()
    monkeypatch.setattr("bayesgrove.network.files.MAX_BYTES", 100)
    with pytest.raises(ValueError, match="The file would take 0 MB"):
        write_network(network, tmp_path / "n.bif")
    assert list(tmp_path.iterdir()) == []


def test_tables_too_large_to_be_written_out_are_refused(tmp_path):
    from bayesgrove import KDBClassifier

    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (40, 36)), rng.integers(0, 2, 40)
    network = KDBClassifier(k=30).fit(X, y).network_
    with pytest.raises(ValueError, match=r"'x\d+' has \d+ parents and a table of .*e\+\d+ cells"):
        write_network(network, tmp_path / "n.bif")


def test_out_of_memory_is_a_parse_error(tmp_path, monkeypatch):
    def fails(path, limit):
        raise MemoryError

    monkeypatch.setattr("bayesgrove.network.files.read_limited", fails)
    with pytest.raises(ParseError, match=r"n\.bif, line 1, column 1: there is not enough memory"):
        read_network(tmp_path / "n.bif")


def test_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_network(tmp_path / "none.bif")
    with pytest.raises(OSError, match="Cannot write"):
        write_network(small(), tmp_path / "no" / "folder.bif")


def test_many_nodes_are_read_in_linear_time(tmp_path):
    names = [f"n{k}" for k in range(6_000)]
    text = "".join(f"variable {name} {{ type discrete [1] {{ s }}; }} " for name in names)
    text += "".join(f"probability ( {name} ) {{ table 1; }} " for name in names)
    path = tmp_path / "many.bif"
    path.write_text(text)
    start = time.perf_counter()
    assert read_network(path).nodes == tuple(names)
    assert time.perf_counter() - start < 10


# Other programs


def peer(name):
    """Another program; its import must not be watched for warnings, at which pyAgrum crashes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip(name)


def loaded_by_pyagrum(path):
    with contextlib.redirect_stdout(io.StringIO()):
        return peer("pyagrum").loadBN(str(path))


def pyagrum_table(cpt, family):
    axes = list(reversed(cpt.names))
    return cpt.toarray().transpose([axes.index(name) for name in family])


def first_parent_fastest(table):
    """A table as one gets it by reading its cells in aGrUM's order of XDSL."""
    cards = table.shape[:-1]
    turned = table.reshape(*cards[::-1], table.shape[-1])
    return turned.transpose(*reversed(range(len(cards))), len(cards))


PEER_NETWORKS = ("asia", "alarm", "insurance", "nasty", "small")
EXTENSIONS = {"bif": "bif", "xmlbif": "bifxml", "net": "net", "xdsl": "xdsl"}


def peer_network(name):
    return {"nasty": nasty, "small": small}.get(name, lambda: folder_network(name))()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", PEER_NETWORKS)
def test_pyagrum_reads_what_is_written(name, form, tmp_path):
    network = peer_network(name)
    path = tmp_path / f"n.{EXTENSIONS[form]}"
    write_network(network, path, format=form)
    theirs = loaded_by_pyagrum(path)
    spelled = dict(zip(network.nodes, SPELLINGS[form].names(network.nodes), strict=True))
    if form == "xdsl":  # it names nodes as they are shown, which is their true name if it can be
        spelled = {n: n if n and n.isprintable() else spelled[n] for n in spelled}
    assert theirs.names() == set(spelled.values())
    for node in network.nodes:
        family = [spelled[name] for name in (*network.parents(node), node)]
        states = SPELLINGS[form].states(network.states(node))
        assert list(theirs.variable(spelled[node]).labels()) == states
        expected = np.asarray(network.table(node))
        if form == "xdsl":  # its order differs from GeNIe's: see xdsl.py
            expected = first_parent_fastest(expected)
        found = pyagrum_table(theirs.cpt(spelled[node]), family)
        # It reads BIF and NET in single precision.
        assert_allclose(found, expected, rtol=0, atol=1e-7 if form in ("bif", "net") else 1e-15)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", ["bif", "xmlbif", "net"])
def test_pyagrum_infers_the_same_from_what_is_written(form, tmp_path):
    network = folder_network("asia")
    path = tmp_path / f"n.{EXTENSIONS[form]}"
    write_network(network, path, format=form)
    inference = peer("pyagrum").LazyPropagation(loaded_by_pyagrum(path))
    inference.setEvidence({"asia": "yes", "xray": "no"})
    for node in ("tub", "lung", "dysp"):
        expected = network.posterior(node, {"asia": "yes", "xray": "no"})
        assert_allclose(inference.posterior(node).toarray(), list(expected.values()), atol=1e-6)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", ["asia", "nasty", "small"])
def test_pgmpy_reads_what_is_written(name, form, tmp_path):
    readers = peer("pgmpy.readwrite")
    network = peer_network(name)
    path = tmp_path / f"n.{form}"
    write_network(network, path)
    model = getattr(readers, f"{form.upper()}Reader")(str(path)).get_model()
    spelled = dict(zip(network.nodes, SPELLINGS[form].names(network.nodes), strict=True))
    assert set(model.nodes) == set(spelled.values())
    for node in network.nodes:
        cpd = model.get_cpds(spelled[node])
        family = [spelled[name] for name in (*network.parents(node), node)]
        assert cpd.state_names[spelled[node]] == SPELLINGS[form].states(network.states(node))
        found = cpd.values.transpose([cpd.variables.index(name) for name in family])
        assert_array_equal(found, network.table(node))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", FORMATS)
def test_what_pyagrum_writes_is_read(form, tmp_path):
    pyagrum = peer("pyagrum")
    pyagrum.initRandom(7)
    theirs = pyagrum.fastBN("a{x|y|z}->c{r|s}<-b[1,4];d{low|high}->c;c->e{1|2|7};f{u_1|v2|w}->e")
    path = tmp_path / f"n.{EXTENSIONS[form]}"
    pyagrum.saveBN(theirs, str(path))
    network = read_network(path)
    assert set(network.nodes) == theirs.names()
    if form != "xdsl":  # there it has an order of its own
        assert network.nodes == tuple(theirs.variable(k).name() for k in sorted(theirs.nodes()))
    for node in network.nodes:
        assert network.states(node) == theirs.variable(node).labels()
        expected = pyagrum_table(theirs.cpt(node), (*network.parents(node), node))
        assert_allclose(network.table(node), expected, atol=1e-6)  # it writes six digits


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", FORMATS)
def test_what_pgmpy_writes_is_read(form, tmp_path):
    readwrite = peer("pgmpy.readwrite")
    TabularCPD = peer("pgmpy.factors.discrete").TabularCPD
    model = peer("pgmpy.models").DiscreteBayesianNetwork([("b", "c"), ("a", "c"), ("c", "d")])
    rng = np.random.default_rng(3)
    states = {"a": ["x", "y", "z"], "b": ["1", "2"], "c": ["r", "s"], "d": ["u", "v_w", "t"]}
    if form == "bif":
        states["b"] = ["light blue", "red"]  # commas separate its states, and blanks may be inside
    for node in "abcd":
        given = list(model.predecessors(node))
        cards = [len(states[name]) for name in given]
        values = rng.dirichlet(np.ones(len(states[node])), size=int(np.prod(cards))).T
        names = {name: states[name] for name in [node, *given]}
        model.add_cpds(TabularCPD(node, len(states[node]), values, given, cards, names))
    path = tmp_path / f"n.{form}"
    getattr(readwrite, f"{form.upper()}Writer")(model).write(str(path))
    network = read_network(path)
    assert set(network.nodes) == set("abcd")
    for node in network.nodes:
        cpd = model.get_cpds(node)
        assert network.states(node) == tuple(states[node])
        family = (*network.parents(node), node)
        expected = cpd.values.transpose([cpd.variables.index(name) for name in family])
        assert_allclose(network.table(node), expected, atol=1e-8)  # NET is written with 8 digits


# Dialects


def read_text(tmp_path, form, text):
    path = tmp_path / f"n.{form}"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_network(path)


DOG = """// Bayesian Network in the Interchange Format
network "Dog-Problem" { //3 variables
        property "credal-set constant-density-bounded 1.1" ;
}
variable  "light-on" { //2 values
        type discrete[2] {  "true"  "false" };
        property "position = (218, 195)" ;
}
probability (  "dog-out"  "bowel-problem"  "family-out" ) { //3 variable(s) and 8 values
        table 0.99 0.97 0.9 0.3 0.01 0.03 0.1 0.7 ;
}
probability (  "light-on"  "family-out" ) { table 0.6 0.05 0.4 0.95 ; }
/* blocks come in
   any order */
variable  "bowel-problem" { type discrete[2] { "true" "false" }; }
variable dog-out { type discrete[2] { "true" "false" }; }
variable "family-out" { type discrete [2] { true, false }; }
probability ( "bowel-problem" ) { table 0.01 0.99 ; }
probability ( "family-out" ) { table 0.15 0.85 ; }
"""


def test_bif_of_javabayes_has_the_first_state_of_the_node_first(tmp_path):
    network = read_text(tmp_path, "bif", DOG)
    assert network.nodes == ("light-on", "bowel-problem", "dog-out", "family-out")
    assert network.parents("dog-out") == ("bowel-problem", "family-out")
    # the tables as printed with the example: P(dog-out | bowel-problem, family-out)
    assert_array_equal(
        network.table("dog-out"),
        [[[0.99, 0.01], [0.97, 0.03]], [[0.9, 0.1], [0.3, 0.7]]],
    )
    assert_array_equal(network.table("light-on"), [[0.6, 0.4], [0.05, 0.95]])


def test_bif_rows_come_in_any_order_with_a_default(tmp_path):
    network = read_text(
        tmp_path,
        "bif",
        """network x { }
        variable a { type discrete [ 2 ] { <1000ms, b/c }; property anything goes; }
        variable b { type discrete [ 3 ] { 2.5, +, a=b }; }
        variable c { type discrete [ 2 ] { s, t }; }
        probability ( a ) { table .25, 75E-2; }
        probability ( b ) { default 0.2, 0.3, 0.5; }
        probability ( c | b, a ) {
          default 0.5, 0.5; // for all others
          (a=b, b/c) 0.125, 0.875;
          ("2.5" /* quoted */ <1000ms) 1 0;
        }""",
    )
    assert network.states("a") == ("<1000ms", "b/c")
    assert_array_equal(network.table("a"), [0.25, 0.75])
    assert_array_equal(network.table("b"), [0.2, 0.3, 0.5])
    assert network.parents("c") == ("a", "b")
    expected = np.full((2, 3, 2), 0.5)
    expected[1, 2] = 0.125, 0.875
    expected[0, 0] = 1, 0
    assert_array_equal(network.table("c"), expected)


def test_bif_names_and_states_may_have_blanks_between_commas(tmp_path):
    network = read_text(
        tmp_path,
        "bif",
        """variable wind force { type discrete [ 2 ] { very strong, weak }; }
        variable b { type discrete [ 2 ] { x, y }; }
        probability ( wind force ) { table 0.5, 0.5; }
        probability ( b | wind force ) { (very strong) 0.1, 0.9; (weak) 0.2, 0.8; }""",
    )
    assert network.states("wind force") == ("very strong", "weak")
    assert_array_equal(network.table("b"), [[0.1, 0.9], [0.2, 0.8]])


WEKA = """<?xml version="1.0" encoding="US-ASCII"?>
<!-- DTD for the XMLBIF 0.3 format -->
<!DOCTYPE BIF [
  <!ELEMENT BIF ( NETWORK )*>
    <!ATTLIST BIF VERSION CDATA #REQUIRED>
  <!ELEMENT NETWORK ( NAME, ( PROPERTY | VARIABLE | DEFINITION )* )>
  <!ELEMENT NAME (#PCDATA)>
  <!ELEMENT VARIABLE ( NAME, ( OUTCOME |  PROPERTY )* ) >
    <!ATTLIST VARIABLE TYPE (nature|decision|utility) "nature">
]>
<BIF VERSION="0.3">
<NETWORK>
<NAME>iris</NAME>
<VARIABLE>
<NAME>length</NAME>
<OUTCOME>'\\'(-inf-2.45]\\''</OUTCOME>
<OUTCOME>'\\'(2.45-inf)\\''</OUTCOME>
<PROPERTY>position = (0,0)</PROPERTY>
</VARIABLE>
<VARIABLE TYPE="nature">
<NAME>class</NAME>
<OUTCOME>A &amp; B</OUTCOME>
<OUTCOME>C&#x44;</OUTCOME>
</VARIABLE>
<DEFINITION>
<FOR>length</FOR>
<GIVEN>class</GIVEN>
<TABLE>
0.9 0.1
0.25 0.75 <!-- the last -->
</TABLE>
</DEFINITION>
<DEFINITION><FOR> class </FOR><TABLE> 0.5 0.5 </TABLE></DEFINITION>
</NETWORK>
</BIF>
"""


def test_xmlbif_of_weka_is_read(tmp_path):
    network = read_text(tmp_path, "xml", WEKA)
    assert network.nodes == ("length", "class")
    assert network.states("class") == ("A & B", "CD")
    assert network.states("length")[0] == "'\\'(-inf-2.45]\\''"
    assert_array_equal(network.table("length"), [[0.9, 0.1], [0.25, 0.75]])


def test_encodings(tmp_path):
    network = random_network({"größe": ("klein", "groß")}, {})
    text = format_network(network, "xmlbif")
    for encoding in ("UTF-8", "ISO-8859-1", "windows-1252", "UTF-16"):
        data = text.replace("UTF-8", encoding).encode(encoding)
        assert read_text(tmp_path, "xml", data) == network, encoding
    assert read_text(tmp_path, "xml", b"\xef\xbb\xbf" + text.encode()) == network
    plain = 'net { }\nnode g { states = ("klein" "groß"); }\npotential (g) { data = (1 0); }'
    for encoding in ("utf-8", "utf-8-sig", "cp1252"):
        assert read_text(tmp_path, "net", plain.encode(encoding)).states("g") == ("klein", "groß")


def test_net_of_hugin_is_read(tmp_path):
    network = read_text(
        tmp_path,
        "net",
        r"""
net
{
    node_size = (80 40);   % a comment; with { braces
    HR_Grid_X = "10";
}
discrete node B
{
    label = "a \"label\" of 100%";
    position = (187 255);
    states = ("no \"way\"" "b\\c" 3);
    subtype = label;
}
node A { states = ("x" "y"); HR_State_0 = ""; }
node C { states = (r s); }
potential (C | B A)
{
    data = ((( 0.1 0.9 )	%  A=x  B=no (way
             ( 0.2 0.8 ))
            (( 0.3 0.7 )
             ( 0.4 0.6 ))
            (( 0.5 0.5 )
             ( 0.625 0.375 )));
    experience = (1 1 1 1 1 1);
}
potential (A) { data = 0.25 0.75; }
potential (B |) { data = (0.2 0.3 0.5); }
""",
    )
    assert network.nodes == ("B", "A", "C")
    assert network.states("B") == ('no "way"', "b\\c", "3")
    assert network.states("C") == ("r", "s")
    assert network.parents("C") == ("B", "A")
    assert_array_equal(np.asarray(network.table("C"))[2, 1], [0.625, 0.375])
    assert_array_equal(np.asarray(network.table("C"))[0, 1], [0.2, 0.8])


XDSL = """<?xml version="1.0" encoding="ISO-8859-1"?>
<smile version="1.0" id="n" numsamples="1000">
  <nodes>
    <cpt id="a"><state id="x" /><state id="y" /><probabilities>0.25 0.75</probabilities></cpt>
    <cpt id="b"><state id="p" /><state id="q" /><state id="r" />
      <probabilities>0.2 0.3 0.5</probabilities><property id="other">5</property></cpt>
    <deterministic id="c"><state id="s" /><state id="t" /><parents>a b</parents>
      <resultingstates>s t s t t t</resultingstates></deterministic>
    <cpt id="d"><state id="u" /><state id="v" /><parents>a b</parents>
      <probabilities>0.1 0.9 0.2 0.8 0.3 0.7 0.4 0.6 0.5 0.5 0.625 0.375</probabilities></cpt>
  </nodes>
  <extensions>
    <genie version="1.0" app="GeNIe 2.0">
      <node id="d"><name>Dee</name></node>
      <submodel id="m"><name>M</name><node id="a"><name>a</name></node></submodel>
      <textbox><caption>words</caption></textbox>
      <node id="c"><name>c</name></node><node id="b"><name>b</name></node>
    </genie>
  </extensions>
</smile>
"""


def test_xdsl_of_genie_is_read(tmp_path):
    network = read_text(tmp_path, "xdsl", XDSL)
    assert network.nodes == ("d", "a", "c", "b")
    assert network.parents("d") == ("a", "b")
    assert_array_equal(np.asarray(network.table("d"))[1, 2], [0.625, 0.375])
    assert_array_equal(np.asarray(network.table("d"))[0, 1], [0.2, 0.8])
    expected = [[[1, 0], [0, 1], [1, 0]], [[0, 1], [0, 1], [0, 1]]]
    assert_array_equal(network.table("c"), expected)
    other = XDSL.replace('<node id="d"><name>Dee</name></node>', "")
    assert read_text(tmp_path, "xdsl", other).nodes == ("a", "b", "c", "d")


# Graphviz


def check_dot(network, text):
    """A reading of the few forms that the writer uses, by the rules of the DOT language."""
    lines = text.split("\n")
    assert lines[0] == "digraph {"
    assert lines[-2:] == ["}", ""]
    body = [line.removeprefix("  ").removesuffix(";") for line in lines[1:-2]]
    nodes = [line for line in body if '" -> "' not in line]
    arcs = [
        tuple(part.strip('"') for part in line.split(" -> ")) for line in body if line not in nodes
    ]
    names = {}
    for line, node in zip(nodes, network.nodes, strict=True):
        name, _, options = line[1:].partition('"')
        label = options.partition('label="')[2]
        assert ("style=filled" in options) == (node == network.class_node)
        if not label:
            assert name == node
        elif all(c.isprintable() for c in node):
            shown = label.rpartition('"')[0].replace("&amp;", "&")
            assert shown.replace("\\\\", "\0").replace('\\"', '"').replace("\0", "\\") == node
        names[name] = node
    assert len(names) == len(network.nodes)
    assert {(names[a], names[b]) for a, b in arcs} == network.arcs
    assert len(arcs) == len(network.arcs)
    text.encode()


def test_dot():
    network = random_network(
        {'sa"id': ("x", "y"), "rain": ("x", "y"), "line\nbreak\\": ("x",)},
        {"rain": ('sa"id',), "line\nbreak\\": ("rain",)},
    )
    assert format_network(network, "dot") == (
        "digraph {\n"
        '  "sa_id" [label="sa\\"id"];\n'
        '  "rain";\n'
        '  "line_break" [label="line\\nbreak\\\\", style=filled, fillcolor=lightblue];\n'
        '  "sa_id" -> "rain";\n'
        '  "rain" -> "line_break";\n'
        "}\n"
    )
    check_dot(nasty(), format_network(nasty(), "dot"))


# Bad files

A = "variable a { type discrete [ 2 ] { x, y }; }\n"
B = "variable b { type discrete [ 2 ] { p, q }; }\n"
PA = "probability ( a ) { table 0.5, 0.5; }\n"
N = 'node a { states = ("x" "y"); }\n'
X = '<smile><nodes><cpt id="a"><state id="x"/><state id="y"/>'
V = "<BIF><NETWORK><VARIABLE><NAME>a</NAME><OUTCOME>x</OUTCOME><OUTCOME>y</OUTCOME>"
LAUGHS = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10 if k else "ha"}">\n' for k in range(9))
FORTY = "".join(f"variable v{k} {{ type discrete [4] {{ a, b, c, d }}; }}\n" for k in range(41))
CHAIN = ", ".join(f"v{k}" for k in range(40))
TEN = "".join(
    f"variable w{k} {{ type discrete [10] {{ 0 1 2 3 4 5 6 7 8 9 }}; }}\n" for k in range(401)
)
LONG_CHAIN = ", ".join(f"w{k}" for k in range(400))

BAD = [
    ("bif", "", 1, 1, "there are no nodes."),
    ("bif", "network x { }\n", 1, 1, "there are no nodes."),
    ("bif", "nonsense", 1, 1, "expected 'network', 'variable' or 'probability', found 'nonsense'."),
    ("bif", "variable { }", 1, 1, "expected one name after 'variable'."),
    ("bif", "variable a x\n", 2, 1, "expected a name or '{', found the end of the file."),
    ("bif", "variable a {\n  foo;\n}", 2, 3, "expected 'type', 'property' or '}', found 'foo'."),
    ("bif", "variable a { type continuous; }", 1, 19, "expected 'discrete', found 'continuous'."),
    ("bif", "variable a { }", 1, 1, "node 'a' has no states."),
    ("bif", "variable a { type discrete [3] { x, y }; }", 1, 19, "3 states are announced, and 2"),
    ("bif", "variable a { type discrete [z] { x, y }; }", 1, 19, "z states are announced, and 2"),
    ("bif", "variable a { type discrete [2] { x, x }; }", 1, 1, "'a' has the state 'x' more than"),
    ("bif", A + A, 2, 1, "there is more than one node 'a'."),
    ("bif", A, 1, 1, "node 'a' has no table."),
    ("bif", A + PA + PA, 3, 13, "there is more than one table for 'a'."),
    ("bif", A + "probability ( b ) { table 1; }", 2, 13, "a table with 'b', which is not a node."),
    ("bif", A + "probability ( ) { table 1; }", 2, 13, "the table has no node."),
    (
        "bif",
        A + "probability ( a | b ) { table 1; }",
        2,
        13,
        "a table with 'b', which is not a node.",
    ),
    (
        "bif",
        A + "probability ( a ) { table 0.5; }",
        2,
        21,
        "1 probabilities are given; 'a' needs 2",
    ),
    ("bif", A + "probability ( a ) { table 0.5, x5; }", 2, 32, "'x5' is not a number."),
    ("bif", A + "probability ( a ) { table 0.5, nan; }", 2, 32, "'nan' is not a number."),
    ("bif", A + "probability ( a ) { table 0.5, 1_0; }", 2, 32, "'1_0' is not a number."),
    ("bif", A + "probability ( a ) { table 0.5, ١; }", 2, 32, "'١' is not a number."),
    ("bif", A + "probability ( a ) { table 1.5,\n -0.5; }", 3, 2, "-0.5 is not a probability."),
    ("bif", A + "probability ( a ) { table 0.5, 1e999; }", 2, 32, "1e999 is not a probability."),
    ("bif", A + "probability ( a ) { table 0.5, 0.6; }", 1, 1, "'a' sum to 1.1, not to 1."),
    (
        "bif",
        A + "probability ( a ) { table 0.5 ( 0.5; }",
        2,
        31,
        "expected a number or ';', found '('",
    ),
    (
        "bif",
        A + "probability ( a ) { tables 0.5, 0.5; }",
        2,
        21,
        "expected '(', 'table', 'default'",
    ),
    (
        "bif",
        A + B + PA + "probability ( b | a ) { (x) 0.5, 0.5; }",
        4,
        13,
        "'b' has no probabilities for (y).",
    ),
    (
        "bif",
        A + B + PA + "probability ( b | a ) { (x) 0.5, 0.5;\n (x) 1, 0; }",
        5,
        2,
        "there is more than one row for (x).",
    ),
    (
        "bif",
        A + B + PA + "probability ( b | a ) {\n (x) 0.5, 0.5; (z) 1, 0; }",
        5,
        16,
        "'z' is not a state of 'a'.",
    ),
    (
        "bif",
        A + B + PA + "probability ( b | a ) { (x, y) 0.5, 0.5; }",
        4,
        25,
        "the row has 2 states, and 'b' has 1 parents.",
    ),
    (
        "bif",
        A + B + PA + "probability ( b | a ) { (x) 0.5, 0.25, 0.25; }",
        4,
        25,
        "3 probabilities are given; 'b' needs 2.",
    ),
    (
        "bif",
        A + B + PA + "probability ( b | a ) { default 1, 0; default 0, 1; }",
        4,
        39,
        "there is more than one default.",
    ),
    (
        "bif",
        A + B + PA + "probability ( b | a ) { (x) 1, 0; table 1, 1, 0, 0; }",
        4,
        35,
        "there are probabilities of 'b' already.",
    ),
    (
        "bif",
        A + B + "probability ( a | b ) { table 1, 1, 0, 0; }\n"
        "probability ( b | a ) { table 1, 1, 0, 0; }\n",
        2,
        1,
        "the arcs make a cycle: 'b' -> 'a' -> 'b'.",
    ),
    ("bif", A + "probability ( a | a ) { table 1, 1, 0, 0; }", 1, 1, "the arcs make a cycle"),
    ("bif", FORTY + f"probability ( v40 | {CHAIN} ) {{ }}", 42, 13, "a table of 4.84e+24 cells"),
    ("bif", TEN + f"probability ( w400 | {LONG_CHAIN} ) {{ }}", 402, 13, "a table of 1e401 cells"),
    ("bif", A + PA[:-3], 2, 36, "expected '}', found the end of the file."),
    ("bif", A + 'probability ( "a ) { }', 2, 15, "the string is not closed."),
    ("bif", A + PA + "/* comment", 3, 1, "the comment is not closed."),
    ("bif", A + "probability ( a ) { table 0.5, /* 0.5; }", 2, 32, "the comment is not closed."),
    ("bif", A + "(" * 100_000, 2, 1, "expected 'network', 'variable' or 'probability', found '('."),
    (
        "bif",
        A + "variable b { type discrete [1] { {{{",
        2,
        34,
        "expected a name or '}', found",
    ),
    ("bif", A + "vari\0able", 2, 5, "the character '\\x00' is not allowed in a text file."),
    ("bif", A.encode() + b"variable \xff", 2, 10, "the byte 0xff is not UTF-8."),
    ("bif", bytes(range(256)), 2, 118, "the byte 0x80 is not UTF-8."),
    ("net", "", 1, 1, "there are no nodes."),
    ("net", "net { }\nfoo", 2, 1, "'foo': only discrete chance nodes are read."),
    ("net", "{", 1, 1, "expected 'net', 'node' or 'potential', found '{'."),
    ("net", N + "decision d { }", 2, 1, "'decision': only discrete chance nodes are read."),
    ("net", "continuous node c { }", 1, 1, "'continuous': only discrete chance nodes are read."),
    ("net", "class X { }", 1, 1, "'class': only discrete chance nodes are read."),
    ("net", "node a { }", 1, 1, "node 'a' has no states."),
    ("net", "node a { states ", 1, 17, "expected '=', found the end of the file."),
    ("net", 'node a { states = ("x" "y; }', 1, 24, "the string is not closed."),
    ("net", N + N, 2, 1, "there is more than one node 'a'."),
    ("net", N, 1, 1, "node 'a' has no table."),
    ("net", N + "potential (a) { }", 2, 11, "the table of 'a' has no data."),
    ("net", N + "potential (a) { model_nodes = (); }", 2, 17, "tables that a model generates"),
    ("net", N + "potential (a a) { data = (1 0); }", 2, 11, "more than one node together"),
    (
        "net",
        N + "potential (a | b) { data = (1 0); }",
        2,
        11,
        "a table with 'b', which is not a node.",
    ),
    ("net", N + "potential (a) { data = (1 0 0); }", 2, 11, "the table of 'a' has 3 numbers; it"),
    ("net", N + "potential (a) { data = (1 zero); }", 2, 27, "'zero' is not a number."),
    ("net", N + "potential (a) { data = ((1 0); }", 2, 11, "the parentheses of the data do not"),
    ("net", N + "potential (a) { data = )1 0(; }", 2, 11, "the parentheses of the data do not"),
    (
        "net",
        N + f"potential (a) {{ data = {'(' * 100_000}1 0{')' * 100_000}; }}",
        2,
        11,
        "the parentheses of the data do not",
    ),
    ("net", N + "potential (a) { data = (0.5 0.6); }", 1, 1, "'a' sum to 1.1, not to 1."),
    ("net", N + "potential (a) { data = (1 0", 2, 28, "expected '}', found the end of the file."),
    ("net", N.encode() + b"\x00", 2, 1, "the character '\\x00' is not allowed in a text file."),
    ("xmlbif", "", 1, 1, "no element found."),
    ("xmlbif", "<smile/>", 1, 1, "expected the element <bif>, found <smile>."),
    ("xmlbif", "<BIF/>", 1, 1, "<BIF> has no <network>."),
    ("xmlbif", "<BIF>\n<NETWORK/></BIF>", 1, 1, "there are no nodes."),
    ("xmlbif", "<BIF>\n <NETWORK>\n", 3, 1, "no element found."),
    ("xmlbif", "<BIF>\n <NETWORK></BIF>", 2, 13, "mismatched tag."),
    ("xmlbif", "<BIF>&nbsp;</BIF>", 1, 6, "undefined entity."),
    ("xmlbif", '<!DOCTYPE BIF SYSTEM "x"><BIF>&nbsp;</BIF>', 1, 31, "entity 'nbsp' is not known."),
    ("xmlbif", f"<!DOCTYPE BIF [\n{LAUGHS}]><BIF>&l8;</BIF>", 2, 13, "the entity 'l0' is declared"),
    (
        "xmlbif",
        '<!DOCTYPE BIF [<!ENTITY x SYSTEM "file:///etc/passwd">]><BIF>&x;</BIF>',
        1,
        54,
        "the entity 'x' is declared, and entities are not read.",
    ),
    (
        "xmlbif",
        '<?xml version="1.0" encoding="rot13"?><BIF/>',
        1,
        1,
        "encoding 'rot13' is not read.",
    ),
    ("xmlbif", "<BIF>" + "<a>" * 1000, 1, 303, "elements are nested more than 100 deep."),
    ("xmlbif", "<BIF>\0</BIF>", 1, 6, "not well-formed (invalid token)."),
    ("xmlbif", b"<BIF>\xff</BIF>", 1, 6, "not well-formed (invalid token)."),
    (
        "xmlbif",
        '<BIF><NETWORK>\n<VARIABLE TYPE="decision"/>',
        2,
        28,
        "no element found.",
    ),
    (
        "xmlbif",
        '<BIF><NETWORK>\n<VARIABLE TYPE="decision"/></NETWORK></BIF>',
        2,
        1,
        "a variable of type 'decision': only 'nature' is read.",
    ),
    ("xmlbif", f"{V}</VARIABLE></NETWORK></BIF>", 1, 15, "node 'a' has no table."),
    (
        "xmlbif",
        f"{V}</VARIABLE>\n<DEFINITION><FOR>a</FOR>\n<TABLE>0.5 half</TABLE></DEFINITION>"
        "</NETWORK></BIF>",
        3,
        1,
        "'half' is not a number.",
    ),
    (
        "xmlbif",
        f"{V}</VARIABLE>\n<DEFINITION><FOR>a</FOR><FOR>b</FOR></DEFINITION></NETWORK></BIF>",
        2,
        25,
        "there is more than one <FOR> in <DEFINITION>.",
    ),
    (
        "xdsl",
        "<smile>\n<nodes>\n<noisymax id='a'/></nodes></smile>",
        3,
        1,
        "of the kind 'noisymax'",
    ),
    ("xdsl", "<smile>\n<dynamic/></smile>", 2, 1, "dynamic networks are not read."),
    ("xdsl", "<smile><nodes>\n<cpt/></nodes></smile>", 2, 1, "<cpt> has no attribute 'id'."),
    ("xdsl", f"{X}</cpt></nodes></smile>", 1, 15, "<cpt> has no <probabilities>."),
    (
        "xdsl",
        f"{X}<parents>a</parents><probabilities>1 0 1 0</probabilities></cpt></nodes></smile>",
        1,
        15,
        "the arcs make a cycle",
    ),
    (
        "xdsl",
        f"{X}<probabilities>1 0 0</probabilities></cpt></nodes></smile>",
        1,
        15,
        "the table of 'a' has 3 numbers; it needs 2.",
    ),
    (
        "xdsl",
        "<smile><nodes><deterministic id='a'><state id='x'/>\n"
        "<resultingstates>z</resultingstates></deterministic></nodes></smile>",
        2,
        1,
        "'z' is not a state of 'a'.",
    ),
    (
        "xdsl",
        "<smile><nodes><deterministic id='a'><state id='x'/>\n"
        "<resultingstates>x x</resultingstates></deterministic></nodes></smile>",
        2,
        1,
        "'a' has 2 resulting states; its parents need 1.",
    ),
]


@pytest.mark.parametrize(("form", "text", "line", "column", "reason"), BAD, ids=range(len(BAD)))
def test_bad_files_say_where_and_what(form, text, line, column, reason, tmp_path):
    start = time.perf_counter()
    with pytest.raises(ParseError) as caught:
        read_text(tmp_path, form, text)
    assert time.perf_counter() - start < 1
    error = caught.value
    assert (error.line, error.column) == (line, column), str(error)
    assert error.path == str(tmp_path / f"n.{form}")
    assert str(error).startswith(f"{error.path}, line {line}, column {column}: ")
    assert reason in str(error)
    assert len(str(error)) < len(error.path) + 200
    assert isinstance(error, ValueError)


def test_damaged_gzip_is_a_parse_error(tmp_path):
    packed = gzip.compress(format_network(small(), "bif").encode())
    for data in (packed[:-10], packed[:20], packed[:30] + b"junk" + packed[34:]):
        with pytest.raises(ParseError, match=r"line 1, column 1: the file is a damaged gzip file"):
            read_text(tmp_path, "bif", data)


def test_files_beyond_the_limits_are_not_read(tmp_path, monkeypatch):
    text = format_network(small(), "bif")
    monkeypatch.setattr("bayesgrove.network.files.MAX_BYTES", 100)
    with pytest.raises(ParseError, match=r"line 1, column 1: the file holds more than 0 MB"):
        read_text(tmp_path, "bif.gz", gzip.compress(text.encode()))
    monkeypatch.undo()
    for name, value, reason in (
        ("MAX_NODES", 2, "more than 2 nodes"),
        ("MAX_STATES", 6, "or 6 states"),
        ("MAX_CELLS", 19, "the tables up to this one have 20 cells; at most 19 are possible."),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(f"bayesgrove.network.formats.parsed_network.{name}", value)
            with pytest.raises(ParseError, match=reason):
                read_text(tmp_path, "bif", text)
    monkeypatch.setattr("bayesgrove.network.formats.elements.MAX_ELEMENTS", 10)
    with pytest.raises(ParseError, match="there are more than 10 elements"):
        read_text(tmp_path, "xml", format_network(small(), "xmlbif"))


def test_every_network_that_is_written_is_within_the_limit_of_elements():
    """A node has 29 parents at most; its elements are counted in xmlbif.py and xdsl.py."""
    per_node = max(3 + 2 + 3 + 29, 5 + 6)
    assert limits.MAX_NODES * per_node + limits.MAX_STATES + 3 < limits.MAX_ELEMENTS


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("%5B1%2C%20%222%22", "is not percent-encoded JSON as bayesgrove writes it."),
        ("%5B1, 2%5D", "is not percent-encoded JSON as bayesgrove writes it."),
        ("%5B1%2C2%5D", "is not percent-encoded JSON as bayesgrove writes it."),
        ("%5b1%2C%20%222%22%5D", "is not percent-encoded JSON as bayesgrove writes it."),
        ("%5B1%2C%20%FF%5D", "is not percent-encoded JSON as bayesgrove writes it."),
        ("%5B" * 100_000, "is not percent-encoded JSON as bayesgrove writes it."),
        ("%5B" + "9" * 5000 + "%2C%201%5D", "is not percent-encoded JSON"),
        ("1", "is not a list of labels."),
        ("%5B1%2C%20%5B%5D%5D", "is not a list of labels."),
        ("%5B1%2C%20NaN%5D", "is not a list of labels."),
        ("%5B1%5D", "does not belong to the states that are written."),
        ("%5B1%2C%203%5D", "does not belong to the states that are written."),
        ("%5B1%2C%201%5D", "does not belong to the states that are written."),
    ],
)
@pytest.mark.parametrize("form", FORMATS)
def test_damaged_labels_are_refused(form, word, reason, tmp_path):
    network = random_network({"other": ("x", "y"), "n": (1, "2")}, {"n": ("other",)})
    text = format_network(network, form)
    true = "%5B1%2C%20%222%22%5D"
    assert text.count(true) == 1
    with pytest.raises(ParseError, match="the property bayesgrove_labels ") as e:
        read_text(tmp_path, form, text.replace(true, word))
    assert reason in str(e.value)
    assert e.value.line > 1


@pytest.mark.parametrize("form", FORMATS)
def test_damaged_names_are_refused(form, tmp_path):
    network = random_network({"a b": ("x",), "a+b": ("x",), "c": ("x",)}, {})
    text = format_network(network, form)
    if form != "xmlbif":
        for true, word in (("%22a%20b%22", "%22a%20c%22"), ("%22a%20b%22", "null")):
            with pytest.raises(
                ParseError,
                match="bayesgrove_name does not belong to a node that is written 'a_b'",
            ):
                read_text(tmp_path, form, text.replace(true, word))
        with pytest.raises(ParseError, match="there is more than one node 'a b'"):
            read_text(tmp_path, form, text.replace("%22a%2Bb%22", "%22a%20b%22"))


def test_errors_can_be_pickled():
    error = ParseError("n.bif", 3, 4, "no.")
    again = pickle.loads(pickle.dumps(error))
    assert (again.path, again.line, again.column) == ("n.bif", 3, 4)
    assert str(again) == str(error) == "n.bif, line 3, column 4: no."
