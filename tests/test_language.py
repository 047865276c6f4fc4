"""Plain English: phrases that readers stumbled over, and empty names, do not come back."""

import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
TEXTS = [
    *SOURCES,
    *sorted((ROOT / "src").rglob("*.hpp")),
    *sorted((ROOT / "src").rglob("README.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted(ROOT.glob("*.md")),
]

THINGS = (
    r"(row|cell|column|node|class|table|split|value|attribute|leaf|step|tree|label|set|call|pair)"
)
STUMBLES = {
    r"(?<!there )\b(is|are|was|were) no (?!longer)": "write 'is not a'",
    r"\bso many\b": "say which number",
    r"\bholes?\b": "write 'missing values'",
    r"\b(pseudo-count|pass|weight|number|bit|byte|count|look-up|table|name)s? an? "
    + THINGS: "write 'per'",
    r"as long as it pays": "say what improves",
    r"\btells? (most|more|less|nothing|the same|something)\b": "write 'information about'",
    r"\bfewest words\b": "write 'shortest description length'",
    r"\bjudg(e|es|ed|ing)\b": "write 'validate', 'evaluate' or 'score'",
    r"\b(beforehand|whatever|besides|thereof|whilst)\b": "use a plainer word",
    r"\"\"\"(What|Of) ": "begin with a verb, or with a noun for a property or class",
}
QUOTED = r"@renamed\(.*|^- \"per row\", not .*|^\| `[A-Z].*` \|.*"
"""Old names, and examples of what not to write."""
EMPTY_NAMES = {"own", "found"}


def lines_with(pattern, path):
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for number, line in enumerate(lines, 1)
        if re.search(pattern, re.sub(QUOTED, "", line), re.IGNORECASE)
    ]


@pytest.mark.parametrize("pattern", STUMBLES)
def test_sentences(pattern):
    stumbles = [line for path in TEXTS for line in lines_with(pattern, path)]
    assert not stumbles, f"{STUMBLES[pattern]}:\n" + "\n".join(stumbles)


def test_variables_are_named_for_what_they_hold():
    empty = [
        f"{path.relative_to(ROOT)}:{token.start[0]}: {token.line.strip()}"
        for path in SOURCES
        for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline)
        if token.type == tokenize.NAME and token.string in EMPTY_NAMES
    ]
    assert not empty, "\n".join(empty)
