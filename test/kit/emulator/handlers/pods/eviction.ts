import { markDisrupted } from '../../world/disrupt-pod.ts';
import type { KubeObject, Pod } from '../../world/objects.ts';
import { writeOf } from '../admission/admission.ts';
import { admit } from '../admission/admit.ts';
import { type Answer, json } from '../answer.ts';
import { type Call, namedObject } from '../call.ts';
import { matchesLabelSelector } from '../read/label-selector.ts';
import { badRequest, StatusError } from '../status.ts';
import { parseJson } from '../write/body.ts';
import { checkPreconditions, type DeleteOptions, remove } from '../write/delete.ts';
import { isDryRun } from '../write/dry-run.ts';

interface DisruptionBudget extends KubeObject {
  readonly spec?: { readonly selector?: unknown };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly disruptionsAllowed?: number;
    readonly desiredHealthy?: number;
    readonly currentHealthy?: number;
  };
}

/** Eviction: a delete that a PodDisruptionBudget may refuse. */
export function evict(call: Call): Answer {
  const pod = namedObject<Pod>(call);
  const body = parseJson(call.request.body) as {
    metadata?: { name?: string };
    deleteOptions?: DeleteOptions;
  };
  if ((body.metadata?.name ?? '') !== pod.metadata.name) {
    throw badRequest('name in URL does not match name in Eviction object');
  }
  const options = body.deleteOptions ?? {};
  const dryRun = isDryRun(call, options.dryRun);
  const kind = { group: 'policy', version: 'v1', kind: 'Eviction' };
  // The deletion that follows is not admitted once more.
  admit({ ...writeOf(call, 'CREATE', { object: body as KubeObject, dryRun }), kind });
  checkPreconditions(call.resource, pod, options);
  const budget = budgetFor(call, pod);
  if (!dryRun) {
    const { store, clock } = call.backend;
    if (budget) spend(call, budget);
    remove(call.backend, 'pods', markDisrupted(store, clock, pod, 'Eviction'), options);
  }
  return json(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
}

/** The budget that allows the eviction; undefined if the pod needs none. */
function budgetFor({ backend }: Call, pod: Pod): DisruptionBudget | undefined {
  const { namespace, labels = {}, deletionTimestamp } = pod.metadata;
  if (deletionTimestamp || ['Pending', 'Succeeded', 'Failed'].includes(pod.status.phase)) return undefined;
  const budgets = backend.store
    .list<DisruptionBudget>('poddisruptionbudgets', namespace)
    .filter(({ spec }) => spec?.selector !== undefined && matchesLabelSelector(spec.selector, labels));
  const [budget, another] = budgets;
  if (!budget) return undefined;
  if (another) {
    throw new StatusError(
      500,
      'InternalError',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const {
    observedGeneration = 0,
    disruptionsAllowed = 0,
    desiredHealthy = 0,
    currentHealthy = 0,
  } = budget.status ?? {};
  const { name, generation = 1 } = budget.metadata;
  if (observedGeneration < generation) {
    throw tooManyRequests(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  if (disruptionsAllowed <= 0) {
    throw tooManyRequests(
      `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
    );
  }
  return budget;
}

function spend({ backend }: Call, { metadata, status = {} }: DisruptionBudget): void {
  const { namespace, name } = metadata;
  const decrement = { ...status, disruptionsAllowed: (status.disruptionsAllowed ?? 0) - 1 };
  backend.store.update('poddisruptionbudgets', namespace, name, (current) => ({
    ...current,
    status: decrement,
  }));
}

function tooManyRequests(why: string, retryAfterSeconds?: number): StatusError {
  return new StatusError(
    429,
    'TooManyRequests',
    "Cannot evict pod as it would violate the pod's disruption budget.",
    {
      details: {
        causes: [{ reason: 'DisruptionBudget', message: why }],
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      },
      ...(retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }),
    },
  );
}
