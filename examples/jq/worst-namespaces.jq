# How many stuck pods each namespace has, the worst first: `jq -rf worst-namespaces.jq report.json`
.pods
| group_by(.namespace)
| sort_by(-length)[]
| "\(length) \(.[0].namespace)"
