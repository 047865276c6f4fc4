"""A table of texts: for a terminal, as Markdown, LaTeX or CSV."""

from __future__ import annotations

import csv
import io
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_LATEX = {c: f"\\{c}" for c in "&%$#_{}"} | {"~": r"\~{}", "^": r"\^{}", "\\": r"\textbackslash{}"}


@dataclass(frozen=True)
class TextTable:
    """Rows of text under a header; the last ``summary`` rows stand apart, notes below.

    Parameters
    ----------
    title : what it shows
    header : names of the columns; the first is that of the rows' names
    rows : cells
    summary : how many of the last rows sum up the others
    notes : sentences
    """

    title: str
    header: list[str]
    rows: list[list[str]]
    summary: int = 0
    notes: tuple[str, ...] = ()

    def to_text(self, width: int = 80) -> str:
        """Return text for a terminal: columns that do not fit come in a second block below."""
        blocks = [self._block(columns) for columns in self._fitting(width)]
        notes = [_wrapped(note, width) for note in self.notes]
        return "\n\n".join(
            [_wrapped(self.title, width), *blocks, *(["\n".join(notes)] if notes else [])]
        )

    def to_markdown(self) -> str:
        """Return a Markdown table."""
        head = [_markdown(self.header), "|" + "---|" * len(self.header)]
        lines = [*head, *map(_markdown, self.rows)]
        return "\n".join([f"**{self.title}**", "", *lines, *(f"\n{note}" for note in self.notes)])

    def to_latex(self) -> str:
        """Return a LaTeX table for the booktabs package."""
        body = [_latex(row) for row in self.rows]
        if self.summary:
            body.insert(len(body) - self.summary, r"\midrule")
        columns = "l" + "r" * (len(self.header) - 1)
        head = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", _latex(self.header), r"\midrule"]
        comments = [f"% {line}" for line in (self.title, *self.notes)]
        return "\n".join([*comments, *head, *body, r"\bottomrule", r"\end{tabular}"])

    def to_csv(self) -> str:
        """Return comma-separated text."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.header, *self.rows])
        return text.getvalue()

    def _widths(self) -> list[int]:
        return [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]

    def _fitting(self, width: int) -> list[list[int]]:
        """Return columns block by block: as many as fit beside the names of the rows."""
        first, *others = self._widths()
        blocks: list[list[int]] = [[]]
        used = first
        for column, needed in enumerate(others, 1):
            if blocks[-1] and used + 2 + needed > width:
                blocks.append([])
                used = first
            blocks[-1].append(column)
            used += 2 + needed
        return blocks

    def _block(self, columns: Sequence[int]) -> str:
        widths = self._widths()

        def line(row: Sequence[str]) -> str:
            cells = [row[column].rjust(widths[column]) for column in columns]
            return "  ".join([row[0].ljust(widths[0]), *cells]).rstrip()

        lines = [line(self.header), *map(line, self.rows)]
        rule = "-" * max(map(len, lines))
        if self.summary:
            lines.insert(len(lines) - self.summary, rule)
        return "\n".join([lines[0], rule, *lines[1:]])


def _wrapped(text: str, width: int) -> str:
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)


def _markdown(row: Sequence[str]) -> str:
    cells = (
        cell.strip().replace("|", "\\|").replace("*", "\\*").replace("\n", " ") for cell in row
    )
    return f"| {' | '.join(cells)} |"


def _latex(row: Sequence[str]) -> str:
    cells = ("".join(_LATEX.get(c, c) for c in cell) for cell in row)
    return " & ".join(cells).replace(" ± ", r" $\pm$ ") + r" \\"
