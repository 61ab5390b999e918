import * as z from 'zod';
import { bounds, shortened } from '../../model/bounds.ts';
import type { ContainerState, PodView } from '../../model/pod.ts';
import { image, kind, list, object, problem, text, union, type Value } from '../../model/schema.ts';
import { matchesLabels, type Scope } from '../../model/scope.ts';
import { type Explanation, evidence, exclusion, hang, remark, type Verdict } from '../../model/verdict.ts';
import { type Warning, warning } from '../../model/warning.ts';
import type { PodPlan } from '../../plan/sweep-plan.ts';
import { concludeUnread } from '../../plan/unsent.ts';
import { formatDuration, type Millis } from '../../util/time.ts';
import { iso, isoIfKnown } from '../format.ts';
import { reportOwner } from '../judged-pods.ts';
import { apiVersion, cluster, owner, podIdentity, restartPolicy, time } from '../scan-schema.ts';
import { podReport } from '../schema.ts';
import { reportPod } from '../sweep/pod.ts';

const roles = ['Main', 'Sidecar', 'NativeSidecar', 'InitContainer', 'EphemeralContainer'] as const;

const container = object('a container and its role', {
  role: z
    .enum(roles)
    .describe('only mains and sidecars keep the pod running; the kubelet ends native sidecars itself'),
  name: text('the name of the container'),
  image: image.optional(),
  state: text('its state, in words').optional(),
  evidence: list(
    'every statement about the role of a main or a sidecar; the first one decides',
    z.object({ role: z.enum(['Main', 'Sidecar']).describe('the role'), because: evidence }),
  ),
});

const check = object('one reason to leave a pod alone, and whether it applies', {
  kind: text('the reason'),
  found: list('how it applies; empty if it does not', exclusion),
});

const verdict = union('the verdict', [
  kind('Candidate', 'a sweep would act on it', { mainsEndedAt: time }),
  kind('NeverStarted', 'stuck on a sidecar that never started', { mainsEndedAt: time }),
  kind('NotStartedAgain', 'stuck on a sidecar that ended and cannot start again', { mainsEndedAt: time }),
  kind('Hanging', 'it hangs for a reason that a sweep does not cure, so it is left alone', {
    hang,
    since: time.describe('when it began to hang'),
  }),
  kind('Excluded', 'it is left alone', { because: z.array(exclusion) }),
  kind('Undecided', 'its own data is inconsistent, so it is left alone', { problem }),
]);

const means =
  'Why a pod is swept or left alone; for several names, and with -l, these are the `items` of a PodExplanationList';

export const podExplanation = object(means, {
  apiVersion,
  kind: z.literal('PodExplanation'),
  asOf: time.optional().describe("the server's time; missing if unknown"),
  cluster,
  pod: podIdentity
    .extend({ phase: text('its phase'), restartPolicy, owner: owner.optional() })
    .describe('the pod'),
  containers: z.array(container),
  leftOutBy: z
    .enum(['namespaces', 'labelSelector'])
    .optional()
    .describe('the part of the scope because of which only a sweep that names the pod examines it'),
  checks: z.array(check),
  remarks: z.array(remark),
  verdict,
  plan: podReport
    .optional()
    .describe('what a sweep would do now, as in the report of a dry run; only for a candidate'),
  warnings: list('what could not be read, and which permission is missing', warning),
});

export type PodExplanation = Value<typeof podExplanation>;
export type ContainerExplanation = Value<typeof container>;

export interface ExplanationContext {
  readonly cluster: PodExplanation['cluster'];
  readonly asOf: Millis | undefined;
  readonly scope: Scope;
  readonly warnings: readonly Warning[];
  readonly plan: PodPlan | undefined;
}

export function reportExplanation(
  { verdict, containers, checks, remarks }: Explanation,
  { cluster, asOf, scope, warnings, plan }: ExplanationContext,
): PodExplanation {
  const { pod } = verdict;
  const { phase, restartPolicy, node } = pod;
  return {
    apiVersion: apiVersion.value,
    kind: 'PodExplanation',
    asOf: isoIfKnown(asOf),
    cluster,
    pod: { ...pod.ref, phase, restartPolicy, node, owner: reportOwner(pod) },
    containers: [
      ...containers.map(({ container: { name, image, state }, evidence }) => ({
        role: evidence[0].role,
        name,
        image: shortened(image, bounds.image),
        state: describeState(state, asOf),
        evidence,
      })),
      ...otherContainers(pod),
    ],
    leftOutBy: leftOutBy(pod, scope),
    checks,
    remarks,
    verdict: reportVerdict(verdict),
    plan: plan && reportPod(plan.candidate, plan, concludeUnread(plan, 'DryRun')),
    warnings,
  };
}

function leftOutBy({ ref, labels }: PodView, { namespaces, labelSelector }: Scope) {
  if (namespaces.length > 0 && !namespaces.includes(ref.namespace)) return 'namespaces';
  return labelSelector !== undefined && !matchesLabels(labelSelector, labels) ? 'labelSelector' : undefined;
}

export function describeState(state: ContainerState, asOf: Millis | undefined): string {
  switch (state.kind) {
    case 'Running':
      return `running${since(state.startedAt, asOf, ' for ')}`;
    case 'Waiting':
      return `waiting (${state.reason})`;
    case 'Terminated': {
      const why = state.reason === '' || state.reason === 'Completed' ? '' : ` (${state.reason})`;
      const age = since(state.finishedAt, asOf, ' ', ' ago');
      return `exited ${state.exitCode}${why}${age === '' ? ', time unknown' : age}`;
    }
    case 'Unreported':
      return 'unknown';
  }
}

function since(then: Millis | undefined, asOf: Millis | undefined, before: string, after = ''): string {
  if (then === undefined || asOf === undefined) return '';
  return asOf < then ? ', time in the future' : `${before}${formatDuration(asOf - then)}${after}`;
}

function otherContainers(pod: PodView): readonly ContainerExplanation[] {
  const evidence = [] as const;
  return [
    ...pod.nativeSidecars.map(({ name, image }) => ({
      ...{ role: 'NativeSidecar' as const, name, evidence },
      image: shortened(image, bounds.image),
    })),
    ...pod.initContainers.map(({ name }) => ({ role: 'InitContainer' as const, name, evidence })),
    ...pod.ephemeralContainers.map((name) => ({ role: 'EphemeralContainer' as const, name, evidence })),
  ];
}

function reportVerdict(verdict: Verdict): PodExplanation['verdict'] {
  switch (verdict.kind) {
    case 'Candidate':
    case 'NeverStarted':
    case 'NotStartedAgain':
      return { kind: verdict.kind, mainsEndedAt: iso(verdict.mainsEndedAt) };
    case 'Hanging':
      return { kind: verdict.kind, hang: verdict.hang, since: iso(verdict.since) };
    case 'Excluded':
      return { kind: verdict.kind, because: verdict.because };
    case 'Undecided':
      return { kind: verdict.kind, problem: verdict.problem };
  }
}
