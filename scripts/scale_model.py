"""From what was measured to what other machines would need: one straight line, and four limits.

The model: a study takes a start, and then each core plays as many deals a second as each core of
the measured machine did with all its cores at work. That is an assumption for any other number of
cores. Beside it stand limits of what cannot be shared out, each from a measurement of its own.
"""

import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

NETWORK: Final = 125e6  # bytes/s: one gigabit a second, an assumption
MINUTE, HOUR, DAY, YEAR = 60.0, 3_600.0, 86_400.0, 365.25 * 86_400.0  # [s]
NEEDED: Final = ("played", "records", "overhead", "blocks", "cluster", "resume")

Figures = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line: seconds = start + deals / rate.

    Attributes
    ----------
    start : float
        [s]
    rate : float
        [deals/s]
    """

    start: float
    rate: float

    def seconds(self, deals: float) -> float:
        """Return how long so many deals take."""
        return self.start + deals / self.rate


def fit(points: Iterable[tuple[float, float]]) -> Line:
    """Fit a line to (deals, seconds); each point counts by its relative error.

    Without that the largest size alone would decide.

    Raises
    ------
    ValueError
        If the points are of fewer than two sizes.
    """
    deals, seconds = np.array(list(points), float).T
    if len(np.unique(deals)) < 2:
        raise ValueError("a line needs points of two sizes")
    shares = np.column_stack([1 / seconds, deals / seconds])
    (start, slope), *_ = np.linalg.lstsq(shares, np.ones(len(deals)), rcond=None)
    return Line(float(start), float(1 / slope))


@dataclass(frozen=True, slots=True)
class Size:
    """All runs of one number of deals.

    Attributes
    ----------
    deals : int
    walls : list of float
        Time of each run [s].
    memory : float
        Peak of the largest process of any run [MB].
    size : int
        Of the directory in the end [bytes].
    most_files, most_size : int
        Files, and bytes in them, at most while it was played.
    """

    deals: int
    walls: list[float]
    memory: float
    size: int
    most_files: int
    most_size: int

    @property
    def wall(self) -> float:
        """Median time [s]."""
        return statistics.median(self.walls)


class Model:
    """What follows from the figures of `bench.py --size`.

    Parameters
    ----------
    figures : mapping
        As in docs/scale.json, with all of `NEEDED`.
    """

    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        self.cores: int = figures["cores"]
        self.sizes = _sizes(figures["played"].values())
        larger = self.sizes[1:]  # the smallest is played almost without workers
        self.line = fit((size.deals, wall) for size in larger for wall in size.walls)
        self.block: Figures = figures["blocks"]["one"]

    @property
    def core_rate(self) -> float:
        """Deals a second of one core, with all cores of the machine at work."""
        return self.line.rate / self.cores

    @property
    def block_seconds(self) -> float:
        """Time in which a core plays a block of the largest size [s]."""
        return float(self.block["deals"] / self.core_rate)

    @property
    def misfit(self) -> float:
        """Largest difference between a size it was fitted to and the line, as a share."""
        return max(abs(size.wall / self.line.seconds(size.deals) - 1) for size in self.sizes[1:])

    def cores_kept_busy(self, seconds: float) -> float:
        """Return how many cores play while one process needs so long for each block of theirs."""
        return self.block_seconds / seconds

    @property
    def parent(self) -> float:
        """Cores whose blocks one process can keep."""
        return self.cores_kept_busy(self.block["keep"])

    @property
    def parent_with_records(self) -> float:
        """Cores whose blocks and records one process can keep."""
        return self.cores_kept_busy(self.block["keep"] + self.block["keep_records"])

    @property
    def scheduler(self) -> float:
        """Cores whose tasks the scheduler of a Dask cluster can hand out."""
        tasks = self.figures["cluster"]["dask"]
        return self.cores_kept_busy(tasks["seconds"] / tasks["tasks"])

    def network(self, *, records: bool = False) -> float:
        """Return the cores whose results go through a network of one gigabit a second."""
        result = self.block["records_size" if records else "result_size"]
        return self.cores_kept_busy((result + self.block["task_size"]) / NETWORK)

    def seconds(self, deals: float, cores: int, *, shares: int = 1, cluster: bool = False) -> float:
        """Return how long a study takes.

        Parameters
        ----------
        deals : float
        cores : int
            In all.
        shares : int
            Into how many studies it is divided, each with a process that keeps its blocks.
        cluster : bool
            Whether the blocks go over a Dask cluster.
        """
        limit = min(self.parent, self.scheduler, self.network()) if cluster else self.parent
        return self.line.start + deals / (shares * min(cores / shares, limit) * self.core_rate)

    @property
    def bytes_a_deal(self) -> float:
        """Size of records on disk."""
        (records,) = self.figures["records"].values()
        return float(records["records"] / records["deals"])

    @property
    def gains(self) -> list[float]:
        """Time of one core over that of two, of each pair; none on a machine of one core."""
        pairs = self.figures.get("pairs", {}).values()
        return [pair["one"]["wall"] / pair["two"]["wall"] for pair in pairs]

    def overheads(self, clock: str) -> dict[int, list[float]]:
        """Return the share by which `contsim run` exceeds a bare run, by deals, of each pair.

        Parameters
        ----------
        clock : str
            ``processor`` or ``wall``.
        """
        found: dict[int, list[float]] = defaultdict(list)
        for pair in self.figures["overhead"].values():
            found[pair["deals"]].append(pair["run"][clock] / pair["bare"][clock] - 1)
        return dict(sorted(found.items()))


def _sizes(runs: Iterable[Figures]) -> list[Size]:
    by_deals: dict[int, list[Figures]] = defaultdict(list)
    for run in runs:
        by_deals[run["deals"]].append(run)
    return [
        Size(
            deals,
            [run["wall"] for run in found],
            *(max(run[name] for run in found) for name in ("memory", "size")),
            *(max(run[name] for run in found) for name in ("most_files", "most_size")),
        )
        for deals, found in sorted(by_deals.items())
    ]


def long_time(seconds: float) -> str:
    """Write a time as a reader thinks of it: 12 s, 41 min, 6.2 h, 3.1 days, 85 years."""
    for unit, name in ((YEAR, "years"), (DAY, "days"), (HOUR, "h"), (MINUTE, "min")):
        if seconds >= 2 * unit:
            return f"{short(seconds / unit)} {name}"
    return f"{short(seconds)} s"


def short(value: float) -> str:
    """Write a number with two digits, or with all before the point."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def size_text(size: float) -> str:
    """Write a number of bytes."""
    for unit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= unit:
            return f"{short(size / unit)} {name}"
    return f"{short(size)} bytes"


def power(deals: float) -> str:
    """Write a power of ten: 1e9."""
    return f"{deals:.0e}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")
