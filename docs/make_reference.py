"""Write docs/reference/: one page per package, from the docstrings. Run by ``make reference``."""

from __future__ import annotations

import inspect
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpydoc.docscrape import NumpyDocString
from public_names import public_methods, public_objects

FOLDER = Path(__file__).parent / "reference"
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

TITLES = {
    "classifiers": "Classifiers",
    "selectors": "Selectors and other transformers",
    "structures": "Structure learners",
    "parameters": "Parameter learners",
    "selection": "Attribute selection",
    "weighting": "Attribute weights",
    "averaging": "Averages over networks",
    "trees": "Decision trees",
    "contracts": "What a learner must provide",
    "evaluation": "Comparisons",
    "network": "Networks",
    "report": "Pictures",
    "datasets": "Data sets",
    "checks": "Checks for classifiers",
    "tools": "Tables, model files and settings",
}
TOOLS = "tools"
HEAD = """# Reference

Every public class and function, with all options, from the docstrings. Methods are listed with
their first sentence; `help()` shows their options. Methods that come from scikit-learn, such as
`score` and `get_params`, are not listed. The [glossary](../glossary.md) explains the terms."""


def pages() -> dict[str, str]:
    """Return the text of every page, by file name."""
    members: dict[str, dict[str, Any]] = {page: {} for page in TITLES}
    for name, member in public_objects().items():
        members[_page(name, member)][name] = member
    texts = {f"{page}.md": _page_text(TITLES[page], members[page]) for page in TITLES}
    lines = [
        f"- [{TITLES[page]}]({page}.md): {', '.join(f'`{_short(name)}`' for name in members[page])}"
        for page in TITLES
    ]
    texts["README.md"] = f"{HEAD}\n\n" + "\n".join(lines) + "\n"
    return texts


def _short(name: str) -> str:
    return name.rsplit(".", 1)[1]


def _page(name: str, member: Any) -> str:
    """Return the page of a public name."""
    package = name.split(".")[1] if name.count(".") > 1 else member.__module__.split(".")[1]
    if package in TITLES:
        return package
    if hasattr(member, "predict_proba"):
        return "classifiers"
    is_transformer = inspect.isclass(member) and hasattr(member, "fit")
    return "selectors" if is_transformer else TOOLS


def _page_text(title: str, members: Mapping[str, Any]) -> str:
    parts = [f"# {title}", *(_entry(name, member) for name, member in members.items())]
    return "\n\n".join(parts) + "\n"


def _entry(name: str, member: Any) -> str:
    """Return the section of a class or function."""
    doc = NumpyDocString(inspect.getdoc(member) or "")
    parts = [f"## {_short(name)}", _call(name, member), *_prose(doc)]
    sections = ("Parameters", "Attributes", "Returns", "Yields", "Raises")
    parts += [_listed(section, doc[section]) for section in sections if doc[section]]
    if inspect.isclass(member) and not issubclass(member, BaseException):
        described = {entry.name for key in ("Parameters", "Attributes") for entry in doc[key]}
        parts += _properties(member, described)
        parts += _methods(member)
    if doc["Notes"]:
        parts.append("**Notes**\n\n" + "\n".join(doc["Notes"]))
    if doc["References"]:
        parts.append("**References**\n\n" + "\n".join(doc["References"]))
    if doc["Examples"]:
        parts.append("**Example**\n\n```python\n" + "\n".join(doc["Examples"]) + "\n```")
    return "\n\n".join(parts)


def _call(name: str, member: Any) -> str:
    if inspect.isclass(member) and issubclass(member, BaseException):
        return f"`{name}`, a kind of `{member.__mro__[1].__name__}`"
    if getattr(member, "_is_protocol", False):  # An interface has no constructor.
        return f"`{name}`"
    try:
        options = inspect.signature(member).parameters.values()
    except (TypeError, ValueError):
        return f"`{name}`"
    plain = [option.replace(annotation=inspect.Parameter.empty) for option in options]
    text = str(inspect.Signature(plain))
    return f"```\n{name}{text}\n```"


def _prose(doc: NumpyDocString) -> list[str]:
    return [
        text for key in ("Summary", "Extended Summary") if (text := "\n".join(doc[key]).strip())
    ]


def _listed(section: str, entries: Iterable[Any]) -> str:
    lines = []
    for entry in entries:
        kind = f" (`{entry.type}`)" if entry.type and entry.name else ""
        label = f"`{entry.name or entry.type}`{kind}"
        lines.append(f"- {label}: {_meaning(entry.desc)}")
    return f"**{section}**\n\n" + "\n".join(lines)


def _meaning(lines: Iterable[str]) -> str:
    """Return a description as one line; the items of a list stay lines of their own."""
    text = ""
    for line in lines:
        if line.strip():
            text += f"\n  {line}" if line.startswith("- ") else f" {line.strip()}"
    return text.strip()


def _properties(owner: type, described: Container[str]) -> list[str]:
    """Return the section of the properties that no other section describes."""
    lines = []
    for name in sorted(set(dir(owner))):
        member = inspect.getattr_static(owner, name)
        is_property = isinstance(member, (property, cached_property))
        if is_property and not name.startswith("_") and name not in described:
            summary = " ".join(NumpyDocString(inspect.getdoc(member) or "")["Summary"])
            lines.append(f"- `{name}`: {summary}")
    return ["**Properties**\n\n" + "\n".join(lines)] if lines else []


def _methods(owner: type) -> list[str]:
    lines = []
    for name in public_methods(owner):
        method = getattr(owner, name)
        summary = " ".join(NumpyDocString(inspect.getdoc(method) or "")["Summary"])
        names = [option for option in inspect.signature(method).parameters if option != "self"]
        lines.append(f"- `{name}({', '.join(names)})`: {summary}")
    return ["**Methods**\n\n" + "\n".join(lines)] if lines else []


def main() -> None:
    """Write all pages; remove pages that are no longer made."""
    FOLDER.mkdir(exist_ok=True)
    texts = pages()
    for old in FOLDER.glob("*.md"):
        if old.name not in texts:
            old.unlink()
    for name, text in texts.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
