# The Jobs whose finished work runs again or has failed because of the sweep: `jq -rf harmed-jobs.jq report.json`
.warnings[]
| select(.kind == "JobHarmed")
| "\(.namespace)/\(.job): \(.harm)"
