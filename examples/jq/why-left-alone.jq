# How many pods were left alone for which reason: `jq -rf why-left-alone.jq report.json`. The pods themselves are in the report of a sweep
# with --verbose.
.totals.excludedBecause
| to_entries
| sort_by(-.value)[]
| "\(.value) \(.key)"
