import type { Pod } from '../../world/objects.ts';
import { ageColumn, type Column, column, nameColumn } from './columns.ts';
import { age } from './human-duration.ts';
import { summarizePod } from './pod-status.ts';

export const podColumns: readonly Column[] = [
  nameColumn,
  column('Ready', 'The aggregate readiness state of this pod for accepting traffic.'),
  column('Status', 'The aggregate status of the containers in this pod.'),
  column(
    'Restarts',
    'The number of times the containers in this pod have been restarted and when the last container in this pod has restarted.',
  ),
  ageColumn,
  column(
    'IP',
    'podIP address allocated to the pod. Routable at least within the cluster. Empty if not yet allocated.',
    1,
  ),
  column(
    'Node',
    'NodeName indicates in which node this pod is scheduled. If empty, this pod is a candidate for scheduling by ' +
      'the scheduler defined in schedulerName. Once this field is set, the kubelet for this node becomes ' +
      'responsible for the lifecycle of this pod. This field should not be used to express a desire for the pod ' +
      'to be scheduled on a specific node. ' +
      'https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename',
    1,
  ),
  column(
    'Nominated Node',
    'nominatedNodeName is set only when this pod preempts other pods on the node, but it cannot be scheduled right ' +
      'away as preemption victims receive their graceful termination periods. This field does not guarantee that ' +
      'the pod will be scheduled on this node. Scheduler may decide to place the pod elsewhere if other nodes ' +
      'become available sooner. Scheduler may also decide to give the resources on this node to a higher priority ' +
      'pod that is created after preemption. As a result, this field may be different than PodSpec.nodeName when ' +
      'the pod is scheduled.',
    1,
  ),
  column(
    'Readiness Gates',
    'If specified, all readiness gates will be evaluated for pod readiness. A pod is ready when all its containers ' +
      'are ready AND all conditions specified in the readiness gates have status equal to "True" More info: ' +
      'https://git.k8s.io/enhancements/keps/sig-network/580-pod-readiness-gates',
    1,
  ),
];

export function podCells(pod: Pod, now: Date): readonly unknown[] {
  const { ready, total, reason, restarts, lastRestart } = summarizePod(pod);
  return [
    pod.metadata.name,
    `${ready}/${total}`,
    reason,
    restarts > 0 && lastRestart ? `${restarts} (${age(lastRestart, now)} ago)` : String(restarts),
    age(pod.metadata.creationTimestamp, now),
    pod.status['podIP'] ?? '<none>',
    pod.spec.nodeName ?? '<none>',
    pod.status['nominatedNodeName'] ?? '<none>',
    readinessGates(pod),
  ];
}

function readinessGates(pod: Pod): string {
  const gates = (pod.spec['readinessGates'] ?? []) as { conditionType: string }[];
  if (gates.length === 0) return '<none>';
  const held = gates.filter(({ conditionType }) =>
    pod.status.conditions?.some(({ type, status }) => type === conditionType && status === 'True'),
  );
  return `${held.length}/${gates.length}`;
}

/** The row conditions of a finished pod, which let clients hide it. */
export function podRowConditions(pod: Pod): { conditions?: readonly unknown[] } {
  const { phase } = pod.status;
  if (phase !== 'Succeeded' && phase !== 'Failed') return {};
  const message = phase === 'Succeeded' ? 'The pod has completed successfully.' : 'The pod failed.';
  return { conditions: [{ type: 'Completed', status: 'True', reason: phase, message }] };
}
