"""A table of texts, to be shown in a terminal or written as Markdown, LaTeX or CSV."""

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
    """A table of texts with a title, summary rows and notes.

    Parameters
    ----------
    title : str
        Title above the table.
    header : list of str
        Names of the columns. The first column holds the names of the rows.
    rows : list of list of str
        Cells, row by row.
    summary : int, default=0
        Number of summary rows. These are the last rows, and a rule separates them from the others.
    notes : tuple of str, default=()
        Sentences below the table.

    Examples
    --------
    >>> from bayesgrove.evaluation import TextTable
    >>> print(TextTable("Accuracy", ["data set", "nb"], [["vote", "90.4"]]).to_text())
    Accuracy
    <BLANKLINE>
    data set    nb
    --------------
    vote      90.4
    """

    title: str
    header: list[str]
    rows: list[list[str]]
    summary: int = 0
    notes: tuple[str, ...] = ()

    def to_text(self, width: int = 80) -> str:
        """Return the table as text for a terminal.

        Parameters
        ----------
        width : int, default=80
            Number of characters per line. Columns that do not fit follow in a second block.

        Returns
        -------
        str
            The title, the table and the notes.
        """
        blocks = [self._block(columns) for columns in self._column_blocks(width)]
        notes = [_wrapped(note, width) for note in self.notes]
        return "\n\n".join(
            [_wrapped(self.title, width), *blocks, *(["\n".join(notes)] if notes else [])]
        )

    def to_markdown(self) -> str:
        """Return the table as Markdown.

        Returns
        -------
        str
            The title in bold, the table and the notes.
        """
        head = [_markdown(self.header), "|" + "---|" * len(self.header)]
        lines = [*head, *map(_markdown, self.rows)]
        return "\n".join([f"**{self.title}**", "", *lines, *(f"\n{note}" for note in self.notes)])

    def to_latex(self) -> str:
        """Return the table as LaTeX for the booktabs package.

        Returns
        -------
        str
            The table, with the title and the notes as comments above it.
        """
        body = [_latex(row) for row in self.rows]
        if self.summary:
            body.insert(len(body) - self.summary, r"\midrule")
        columns = "l" + "r" * (len(self.header) - 1)
        head = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", _latex(self.header), r"\midrule"]
        comments = [f"% {line}" for line in (self.title, *self.notes)]
        return "\n".join([*comments, *head, *body, r"\bottomrule", r"\end{tabular}"])

    def to_csv(self) -> str:
        """Return the header and the rows as comma-separated values.

        Returns
        -------
        str
            One line per row, without title and notes.
        """
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.header, *self.rows])
        return text.getvalue()

    def _widths(self) -> list[int]:
        """Return the width of the widest cell of each column."""
        return [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]

    def _column_blocks(self, width: int) -> list[list[int]]:
        """Return the columns of each block: as many as fit next to the names of the rows."""
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
        """Return the text of some columns, after the names of the rows."""
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
