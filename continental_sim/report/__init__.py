"""Reports: the figures and charts of a study as an HTML page and a Markdown page."""

from continental_sim.report.pages import write_report

__all__ = ["write_report"]
