"""The style of charts."""

import warnings

from continental_sim.figures.plot_style import new_figure, to_png


def test_letters_that_the_font_lacks_and_too_little_room_are_no_warnings():
    figure, axes = new_figure("\u6226\u7565" * 20, "", height=0.3)
    axes.set_yticks([0, 1], ["\u6226\u7565" * 60, "b"])
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert to_png(figure).startswith(b"\x89PNG")
    assert not told
