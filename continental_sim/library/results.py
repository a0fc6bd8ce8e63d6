"""What comes of a study, a comparison or a what-if, as Python and notebooks show it."""

import difflib
import html
from collections.abc import Collection
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from continental_sim.comparing.answers import Answers
from continental_sim.comparing.duels import Duels
from continental_sim.comparing.duels_table import duels_text, duels_to_json
from continental_sim.comparing.metagame import find_metagame
from continental_sim.comparing.whatif_table import answer_text, answer_to_json
from continental_sim.errors import ContsimError
from continental_sim.figures.estimates import Estimate, Mean
from continental_sim.figures.formats import listed
from continental_sim.figures.metrics import find_metric
from continental_sim.figures.stats import summarise
from continental_sim.figures.summary import Summary
from continental_sim.figures.summary_table import render_table
from continental_sim.files import parquet
from continental_sim.files.store import RECORDS, StoredStudy, check_records, records_path, table_of
from continental_sim.library.places import checked_level
from continental_sim.rules import GameRules
from continental_sim.words import counted

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from matplotlib.figure import Figure

    from continental_sim.figures.plot_style import Chart


class _Result:
    """What all results share: the text of the command line, and charts by name."""

    def _draw(self) -> "list[Chart]":
        raise NotImplementedError

    @property
    def charts(self) -> tuple[str, ...]:
        """Names of the charts, as `plot` takes them."""
        return tuple(chart.name for chart in self._draw())

    def plot(self, name: str) -> "Figure":
        """Draw a chart; a notebook shows it.

        Parameters
        ----------
        name : str
            One of `charts`.

        Returns
        -------
        matplotlib.figure.Figure
            Drawn anew by each call, and unknown to pyplot: nothing has to be closed.

        Raises
        ------
        ContsimError
            If there is no such chart; the nearest one is named.
        """
        drawn = {chart.name: chart.figure for chart in self._draw()}
        return drawn[_one_of(drawn, name, "chart")]

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def _one_of(names: Collection[str], name: str, what: str) -> str:
    """Return a name, if it is one of several."""
    if name in names:
        return name
    near = difflib.get_close_matches(str(name), list(names), n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {listed(list(names))}"
    raise ContsimError(f"there is no {what} {name!r}: {hint}")


class StudyResult(_Result):
    """What came of a study.

    A notebook shows the main figures with their intervals, and `print` all that `contsim show`
    prints. `simulate` and `open_study` make it.

    Parameters
    ----------
    stored : StoredStudy
        The study as its directory holds it.
    directory : Path or None
        Where it is kept, if it is.
    level : float
        Confidence level of all intervals.

    Attributes
    ----------
    directory : Path or None
        Where the files lie; None if they were not to be kept.
    level : float
        Confidence level of all intervals.
    """

    def __init__(self, stored: StoredStudy, directory: Path | None, level: float = 0.95) -> None:
        self._stored = stored
        self.directory = directory
        self.level = checked_level(level)

    @property
    def rules(self) -> GameRules:
        """The rules that were played."""
        return self._stored.rules

    @property
    def lineup(self) -> tuple[str, ...]:
        """The strategy of each player, as it was named."""
        return self._stored.lineup

    @property
    def seeds(self) -> tuple[int, ...]:
        """Seeds of its deals: one, unless it is merged."""
        return self._stored.seeds

    @property
    def deals(self) -> int:
        """Deals that are played."""
        return self._stored.cubes.deals

    @property
    def complete(self) -> bool:
        """Whether the study has come to its end."""
        return self._stored.complete

    @property
    def manifest(self) -> dict[str, object]:
        """What explains the study: rules, strategies with their sources, versions, run times."""
        return dict(self._stored.manifest)

    @cached_property
    def summary(self) -> Summary:
        """All figures, each an `Estimate` or a `Mean` with its interval."""
        return summarise(self._stored, self.level)

    def with_level(self, level: float) -> "StudyResult":
        """Return the same with intervals of another level.

        Parameters
        ----------
        level : float
            Between 0 and 1.

        Returns
        -------
        StudyResult
            Of the same deals.

        Raises
        ------
        ContsimError
            If the level is not between 0 and 1.
        """
        return StudyResult(self._stored, self.directory, level)

    def figure(self, name: str) -> Estimate | Mean:
        """Return one figure with its interval.

        Parameters
        ----------
        name : str
            As ``--until`` takes it, such as ``"wins[0]"`` or ``"exits.first_turn"``.

        Returns
        -------
        Estimate or Mean
            A rate, or a mean.

        Raises
        ------
        ContsimError
            If there is no such figure (the nearest one is named), or the rules settle it.
        """
        metric, key = find_metric(name, self.rules)
        return metric.get(self.summary, key)

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the stored files, as `to_pandas` and `to_arrow` take them."""
        names = [file.name for file in self._stored.files.study]
        return (*names, *([RECORDS] if self._stored.manifest["state"].get("records") else []))

    def to_arrow(self, file: str = "cube") -> "pa.Table":
        """Return a stored file as an Arrow table, which DuckDB and polars read.

        Parameters
        ----------
        file : str
            One of `files`: ``"cube"`` has a row for each different outcome, with its count.

        Returns
        -------
        pyarrow.Table
            Each field has its unit and its meaning in its metadata.

        Raises
        ------
        ContsimError
            If the study has no such file, or it is damaged.
        """
        _one_of(self.files, file, "file")
        if file == RECORDS:
            check_records(self._stored)
            return parquet.read_table(records_path(self._stored.directory))
        by_name = {each.name: each for each in self._stored.files.study}
        return table_of(self._stored, by_name[file])

    def to_pandas(self, file: str = "cube") -> "pd.DataFrame":
        """Return a stored file as a data frame.

        Parameters
        ----------
        file : str
            One of `files`: ``"cube"`` has a row for each different outcome, with its count.

        Returns
        -------
        pandas.DataFrame
            With pandas' own nullable types: whole numbers stay whole where values are missing, and
            labels are categories.

        Raises
        ------
        ContsimError
            If the study has no such file, or it is damaged.
        """
        import pandas as pd

        table = self.to_arrow(file)
        kinds = {
            table.schema.field(name).type: kind
            for name in table.column_names
            if (kind := getattr(pd, _PANDAS.get(str(table.schema.field(name).type), ""), None))
        }
        found: pd.DataFrame = table.to_pandas(
            types_mapper=lambda kind: kinds[kind]() if kind in kinds else None
        )
        return found

    def _draw(self) -> "list[Chart]":
        from continental_sim.figures.plots import charts

        return charts(self.summary)

    def __str__(self) -> str:
        """Return the table that `contsim show` prints."""
        return render_table(self.summary)

    def __repr__(self) -> str:
        """Say in one line what was played."""
        seeds = f"seed {self.seeds[0]}" if len(self.seeds) == 1 else f"{len(self.seeds)} seeds"
        state = "" if self.complete else ", unfinished"
        kept = "" if self.directory is None else f", in {self.directory}"
        players = ", ".join(dict.fromkeys(self.lineup))
        what = f"{self.rules.title}, {players}, {counted(self.deals, 'deal')}, {seeds}"
        return f"<StudyResult: {what}{state}{kept}>"

    def _repr_html_(self) -> str:
        from continental_sim.report.notebook import study_part

        return study_part(self.summary)


# What pandas calls its nullable types; dictionaries become categories by themselves.
_PANDAS = {
    "int8": "Int8Dtype",
    "int16": "Int16Dtype",
    "int32": "Int32Dtype",
    "int64": "Int64Dtype",
    "bool": "BooleanDtype",
    "string": "StringDtype",
}


class ComparisonResult(_Result):
    """What came of a comparison of strategies.

    Parameters
    ----------
    found : Duels
        All that was found.
    directory : Path or None
        Where it is kept, if it is.

    Attributes
    ----------
    found : Duels
        All that was found: ``standings`` and ``pairs``, each figure with its interval.
    directory : Path or None
        Where the studies lie; None if they were not to be kept.
    """

    def __init__(self, found: Duels, directory: Path | None) -> None:
        self.found = found
        self.directory = directory

    def to_pandas(self) -> "pd.DataFrame":
        """Return how far each strategy is ahead of each other.

        Returns
        -------
        pandas.DataFrame
            A row a pair, with the columns of ``contsim compare --json``.
        """
        import pandas as pd

        return pd.json_normalize(duels_to_json(self.found)["pairs"])

    def _draw(self) -> "list[Chart]":
        from continental_sim.comparing.duel_plots import duel_charts

        return duel_charts(self.found, find_metagame(self.found))

    def __str__(self) -> str:
        """Return what `contsim compare` prints."""
        return duels_text(self.found)

    def __repr__(self) -> str:
        """Say in one line what was compared."""
        names = listed(self.found.comparison.compared)
        return f"<ComparisonResult: {names}, {counted(self.found.packs, 'pack')}>"


class WhatifResult(_Result):
    """What came of a what-if question.

    Parameters
    ----------
    found : Answers
        All that was found.
    directory : Path or None
        Where it is kept, if it is.
    level : float
        Confidence level of all intervals.
    reason : str
        Why no more was played, or "".

    Attributes
    ----------
    found : Answers
        All that was found: ``each`` has the ``differences`` of a variant from the baseline.
    directory : Path or None
        Where the studies lie; None if they were not to be kept.
    level : float
        Confidence level of all intervals.
    reason : str
        Why no more was played, if anything but the number of deals decided, or "".
    """

    def __init__(
        self, found: Answers, directory: Path | None, level: float, reason: str = ""
    ) -> None:
        self.found = found
        self.directory = directory
        self.level = level
        self.reason = reason

    def to_pandas(self) -> "pd.DataFrame":
        """Return what differs.

        Returns
        -------
        pandas.DataFrame
            A row a variant and figure, with the columns of ``contsim whatif --json``.
        """
        import pandas as pd

        told = [answer_to_json(answer, self.level) for answer in self.found.each]
        return pd.json_normalize(
            [{"of": answer["variant"], **each} for answer in told for each in answer["figures"]]
        )

    def _draw(self) -> "list[Chart]":
        from continental_sim.comparing.difference_plots import difference_charts

        return difference_charts(self.found.each, self.level)

    def __str__(self) -> str:
        """Return what `contsim whatif` prints."""
        ended = f"Ended: {self.reason}.\n" if self.reason else ""
        return f"{ended}{answer_text(self.found.each, self.level)}".strip("\n")

    def __repr__(self) -> str:
        """Say in one line what was asked."""
        names = listed([answer.name for answer in self.found.each])
        return f"<WhatifResult: {names}, {counted(self.found.each[0].deals, 'deal')} of each>"
