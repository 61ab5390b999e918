# The pods that are still stuck, and what to do about each sidecar: `jq -rf still-stuck.jq report.json`
.pods[]
| . as $pod
| .containers[]
| select(.advice)
| "\($pod.namespace)/\($pod.name) \(.name): \(.advice)"
