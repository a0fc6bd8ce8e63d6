"""`contsim luck`: is a score skill?"""

from typing import Annotated

import typer

from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.numbers import DEALS, SHARE, Whole
from continental_sim.cli.options import AsJson, Level, print_json, print_text
from continental_sim.words import are, counted

app = new_app()

POWERS = (0.5, 0.8, 0.95)
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2)  # above what luck gives


@app.command(cls=Command, epilog="Example: contsim luck 60 100")
def luck(
    wins: Annotated[
        int, typer.Argument(parser=Whole("wins", 0, DEALS.high), metavar="WINS", help="Deals won.")
    ],
    deals: Annotated[int, typer.Argument(parser=DEALS, metavar="DEALS", help="Deals played.")],
    share: Annotated[
        float,
        typer.Option(
            parser=SHARE,
            metavar="SHARE",
            help="What luck alone would give: 1/2 for two players' wins, 1/4 for one of four.",
        ),
    ] = 0.5,
    level: Level = 0.95,
    as_json: AsJson = False,
) -> None:
    """Tell whether a score may be luck, and how many deals would tell.

    Chances are those of the binomial distribution, exactly.
    """
    from continental_sim.figures.formats import interval_text, percent
    from continental_sim.figures.luck import deals_to_tell, judge_score

    found = judge_score(wins, deals, share, level)
    shares = [share + step for step in STEPS if share + step < 1]
    needed = {
        each: {power: deals_to_tell(each, share, level, power) for power in POWERS}
        for each in shares
    }
    if as_json:
        print_json(
            {
                "share": found.share.to_json(),
                "by_luck": share,
                "as_many": found.as_many,
                "as_uneven": found.as_uneven,
                "level": level,
                "needed": [
                    {"share": each, "power": power, "deals": number}
                    for each, row in needed.items()
                    for power, number in row.items()
                ],
            }
        )
        return
    print_text(
        f"{wins:,} of {counted(deals, 'deal')} {are(wins)} a share of {wins / deals:.4g} "
        f"({percent(level)}: {interval_text(found.share)}). Luck alone gives {share:.4g}. "
        f"It gives so many or more with a chance of {found.as_many:.3g}, so uneven a score, "
        f"one way or the other, with {found.as_uneven:.3g}: "
        f"{'more than luck' if found.as_uneven < 1 - level else 'no proof'} at a level of "
        f"{percent(level)}."
    )
    print_text("")
    print_text(
        f"Deals that tell a player from luck at a level of {percent(level)}, for players who"
    )
    print_text("win a share of the deals in the long run, and by how often so many are enough:")
    typer.echo("  share" + "".join(f"{percent(power):>14}" for power in POWERS))
    for each, row in needed.items():
        typer.echo(f"{each:>7.4g}" + "".join(f"{number:>14,}" for number in row.values()))
