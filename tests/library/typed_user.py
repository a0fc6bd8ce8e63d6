"""What a user may write: `mypy --strict` must accept all of it but the lines that say otherwise."""

from typing import assert_type

import continental_sim as cs

study = cs.Study(
    ["fastest", "stock", "random", "random"],
    deals=1e5,
    seed=1,
    game="continental",
    rules="continental",
    set={"recycles": 0},
    duplicate=False,
)
assert_type(study.deals, int)
assert_type(study.rules, cs.GameRules)


def told(done: int, of: int) -> None:
    print(f"{done:,} of {of:,}")


result = cs.simulate(study, out="study", workers=2, progress=told)
assert_type(result, cs.StudyResult)
assert_type(result.summary, cs.Summary)
assert_type(result.figure("wins[0]"), cs.Estimate | cs.Mean)
assert_type(result.summary.turns, cs.Mean)
assert_type(result.summary.ends["exit"].low, float | None)
frame = result.to_pandas("cube")
print(frame["count"].sum(), result.plot("payments").axes)
assert_type(cs.open_study("study").with_level(0.99), cs.StudyResult)
assert_type(cs.replay(study, 3), str)
assert_type(cs.load_rules("continental-5", set={"ace": "low"}), cs.GameRules)
assert_type(cs.compare(["fastest", "stock"], deals=1e3), cs.ComparisonResult)
assert_type(cs.whatif(["recycles=0", "ace=low"], grid="jokers=0,4"), cs.WhatifResult)
print(cs.exact_odds("continental"))
try:
    cs.Study("fastest", deals=0)
except cs.ContsimError as error:
    print(error)

# Each of these must be refused: with --strict, an ignore that ignores nothing is an error.
cs.simulate("fastest")  # type: ignore[arg-type]
cs.Study("fastest", deal=1)  # type: ignore[call-arg]
cs.simulat  # type: ignore[attr-defined]  # noqa: B018
