"""Charts and tables as files of their own: images to print or to put elsewhere, numbers as CSV."""

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from continental_sim.figures.plot_style import Chart, to_pdf, to_png, to_svg
from continental_sim.figures.tabular import Number, Table
from continental_sim.language import marked, tr

CHARTS: Final = "charts"
TABLES: Final = "tables"

_NAME: Final = 60  # characters of a file's name, at most
_NONE: Final = {"-", ""}  # what stands where there is nothing


def chart_files(drawn: Iterable[Chart]) -> Iterator[tuple[str, bytes]]:
    """Write each chart as PNG, SVG and PDF, and the numbers behind it as CSV.

    Parameters
    ----------
    drawn : iterable of Chart

    Yields
    ------
    name : str
        Of the file, within the report.
    data : bytes
    """
    for chart in drawn:
        place = f"{CHARTS}/{chart.name}"
        yield f"{place}.png", to_png(chart.figure)
        yield f"{place}.svg", to_svg(chart.figure, chart.name).encode()
        yield f"{place}.pdf", to_pdf(chart.figure)
        yield f"{place}.csv", to_csv(chart.numbers).encode()


def table_files(tables: Iterable[Table]) -> Iterator[tuple[str, bytes]]:
    """Write each table as CSV, named by its title.

    Yields
    ------
    name : str
        Of the file, within the report.
    data : bytes
    """
    names: dict[str, int] = {}
    for table in tables:
        name = file_name(table.title)
        names[name] = again = names.get(name, 0) + 1
        yield f"{TABLES}/{name}{f'-{again}' if again > 1 else ''}.csv", to_csv(table).encode()


def file_name(title: str) -> str:
    """Name a file by a title, without what stands in brackets: these are often figures."""
    plain = unicodedata.normalize("NFKD", re.sub(r"\(.*?\)", "", title).lower())
    letters = "".join(sign for sign in plain if not unicodedata.combining(sign))
    words = re.sub(r"[^a-z0-9]+", "-", letters).strip("-")
    return words[:_NAME].rstrip("-") or "table"


def to_csv(table: Table) -> str:
    """Write a table as CSV, its numbers plain and their bounds in columns of their own.

    A column of numbers becomes as many as it needs: the number, its low and high bound, and a note
    where some cells are words.

    Parameters
    ----------
    table : Table
    """
    columns = [
        part
        for title, cells in zip(table.head, _columns(table), strict=True)
        for part in _parts(title, cells)
    ]
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow([title for title, _ in columns])
    writer.writerows(zip(*(cells for _, cells in columns), strict=True))
    return sink.getvalue()


def _columns(table: Table) -> Iterable[Sequence[object]]:
    return zip(*table.rows, strict=True) if table.rows else [()] * len(table.head)


_Read = Callable[[Number], object]
_NUMBERS: Final[Sequence[tuple[str, _Read]]] = (
    ("{title}", lambda cell: cell.value),
    (marked("{title} low"), lambda cell: cell.low),
    (marked("{title} high"), lambda cell: cell.high),
)


def _parts(title: str, cells: Sequence[object]) -> Iterator[tuple[str, list[object]]]:
    """Take a column apart into those of a file."""
    numbers = [cell if isinstance(cell, Number) else None for cell in cells]
    if not any(numbers):
        yield title, [*cells]
        return
    for words, read in _NUMBERS:
        column = ["" if (value := _plain(cell, read)) is None else value for cell in numbers]
        if any(value != "" for value in column):
            yield tr(words, title=title), column
    notes = ["" if isinstance(cell, Number) or cell in _NONE else cell for cell in cells]
    if any(notes):
        yield tr("{title} note", title=title), notes


def _plain(cell: Number | None, read: _Read) -> object:
    return None if cell is None else read(cell)
