"""How much memory is left: the machine, control groups, and the limit of the process."""

import subprocess
import sys

import pytest

from bayesgrove._utils.memory import _of_control_groups, available_memory


def group(root, path, limit, used, names=("memory.max", "memory.current"), cached=0):
    place = root / path
    place.mkdir(parents=True, exist_ok=True)
    (place / names[0]).write_text(f"{limit}\n")
    (place / names[1]).write_text(f"{used}\n")
    (place / "memory.stat").write_text(f"anon 5\ninactive_file {cached}\n")


def belongs(root, text):
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(text)


@pytest.mark.parametrize(
    ("limits", "left"),
    [
        ((1000, "max"), 700),
        (("max", 500), 400),
        (("max", "max"), sys.maxsize),
        ((1000, 350), 250),
        ((200, "max"), 0),
    ],
)
def test_the_narrowest_control_group_counts(tmp_path, limits, left):
    belongs(tmp_path, "0::/outer/inner\n")
    group(tmp_path, "sys/fs/cgroup/outer", limits[0], 300)
    group(tmp_path, "sys/fs/cgroup/outer/inner", limits[1], 100)
    assert _of_control_groups(tmp_path) == left


def test_memory_of_files_is_given_back(tmp_path):
    belongs(tmp_path, "0::/inner\n")
    group(tmp_path, "sys/fs/cgroup/inner", 1000, 900, cached=600)
    assert _of_control_groups(tmp_path) == 700


def test_control_groups_of_version_1(tmp_path):
    belongs(tmp_path, "5:cpu:/x\n3:memory,pids:/box\n")
    names = "memory.limit_in_bytes", "memory.usage_in_bytes"
    group(tmp_path, "sys/fs/cgroup/memory/box", 1000, 400, names)
    assert _of_control_groups(tmp_path) == 600


def test_without_control_groups_there_is_no_limit(tmp_path):
    assert _of_control_groups(tmp_path) == sys.maxsize
    belongs(tmp_path, "0::/gone\n")
    assert _of_control_groups(tmp_path) == sys.maxsize


def test_the_limit_of_the_address_space_counts():
    resource = pytest.importorskip("resource")
    del resource
    code = (
        "import resource; limit = 3 << 30; resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\n"
        "from bayesgrove._utils.memory import available_memory; print(available_memory())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 0 < int(done.stdout) < 3 << 30
    assert available_memory() > 0
