import { matchesLabels } from '../../label-selector.ts';
import type { MalformedPod, PodRef, PodView } from '../../model/pod.ts';
import type { Scope } from '../../model/scope.ts';
import type { PodBatch } from './list-body.ts';

/**
 * What of a list was asked for. A proxy or a cache may answer a request with the answer to another one, and what somebody left out
 * by a namespace or a label must not be swept because of it. The other selectors are about what is judged anyway.
 */
export function asAsked(
  batch: PodBatch,
  namespace: string | undefined,
  { labelSelector }: Pick<Scope, 'labelSelector'>,
): PodBatch {
  if (namespace === undefined && labelSelector === undefined) return batch;
  const { pods, malformed, atWork } = batch;
  const isElsewhere = (ref: PodRef) => namespace !== undefined && ref.namespace !== namespace;
  const isUnlike = ({ labels }: PodView) =>
    labelSelector !== undefined && !matchesLabels(labelSelector, labels);
  const elsewhere = [...pods.map(({ ref }) => ref), ...atWork].filter(isElsewhere);
  const unlike = pods.filter((pod) => !isElsewhere(pod.ref) && isUnlike(pod)).map(({ ref }) => ref);
  return {
    pods: pods.filter((pod) => !isElsewhere(pod.ref) && !isUnlike(pod)),
    atWork: atWork.filter((ref) => !isElsewhere(ref)),
    malformed: [
      ...malformed,
      ...elsewhere.map(notAsked(`it came with a list of namespace ${namespace}`)),
      ...unlike.map(notAsked(`it came with a list of ${labelSelector}, which it does not match`)),
    ],
  };
}

function notAsked(problem: string): (ref: PodRef) => MalformedPod {
  return ({ namespace, name }) => ({ namespace, name, problem });
}
