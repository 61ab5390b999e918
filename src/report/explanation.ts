import * as z from 'zod';
import type {
  Checked,
  ExplainedContainer,
  Explanation,
  Millis,
  PodPlan,
  PodView,
  UncleanExit,
  Verdict,
  Warning,
} from '../vocabulary.ts';
import { describeState } from './container-state.ts';
import { explainedPlan, reportPlan } from './explained-plan.ts';
import { cluster, evidence, exclusion, podName, remark, time, type Value, warning } from './schema.ts';
import { pageOf } from './texts/reasons.ts';

const statement = z.object({ role: z.enum(['Main', 'Sidecar']), because: evidence });

const container = z
  .discriminatedUnion('role', [
    z.object({
      role: z.enum(['Main', 'Sidecar']),
      name: z.string(),
      image: z.string(),
      state: z.string().describe('in words'),
      evidence: z.array(statement).describe('all that is said of it; the first decides'),
    }),
    z
      .object({ role: z.literal('NativeSidecar'), name: z.string(), image: z.string() })
      .describe('an init container with restartPolicy Always; the kubelet ends it itself'),
    z
      .object({ role: z.enum(['InitContainer', 'EphemeralContainer']), name: z.string() })
      .describe('neither a main nor a sidecar; the pod ends without it'),
  ])
  .describe('a container and what it counts as');

const check = z
  .object({
    kind: z.string(),
    passed: z.boolean(),
    found: z.array(exclusion),
    page: z.string().describe('what it means and what to do about it'),
  })
  .describe('one reason to leave a pod alone, and whether it holds');

const verdict = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('Candidate'), mainsEndedAt: time }).describe('a sweep would act on it'),
  z
    .object({ kind: z.literal('NeverStarted'), mainsEndedAt: time })
    .describe('stuck on a sidecar that never came to run'),
  z.object({ kind: z.literal('Excluded'), because: z.array(exclusion) }).describe('it is left alone'),
  z
    .object({ kind: z.literal('Undecided'), problem: z.string() })
    .describe('its own data does not add up, so it is left alone'),
]);

/** What `explain` says of one pod. */
export const podExplanation = z
  .object({
    apiVersion: z.literal('sidecar-sweeper.dev/v1'),
    kind: z.literal('PodExplanation'),
    asOf: time.optional().describe("the server's clock; missing when it does not tell"),
    cluster,
    pod: podName.extend({
      uid: z.string(),
      phase: z.string(),
      restartPolicy: z.string(),
      node: z.string().optional(),
      owner: z.object({ kind: z.string(), name: z.string() }).optional(),
    }),
    containers: z.array(container),
    checks: z.array(check),
    remarks: z.array(remark),
    verdict,
    plan: explainedPlan.optional().describe('only of a candidate'),
    warnings: z.array(warning).describe('what could not be read, and the permission that is missing for it'),
  })
  .describe('How judging came to its verdict on a pod');

export type PodExplanation = Value<typeof podExplanation>;
type ContainerExplanation = Value<typeof container>;

export interface ExplanationContext {
  readonly cluster: PodExplanation['cluster'];
  readonly asOf: Millis;
  readonly warnings: readonly Warning[];
  readonly plan: PodPlan | undefined;
  readonly uncleanExit: UncleanExit;
}

/** The explanation for machines. */
export function reportExplanation(
  explanation: Explanation,
  { cluster, asOf, warnings, plan, uncleanExit }: ExplanationContext,
): PodExplanation {
  const { verdict, containers, checks } = explanation;
  const { pod } = verdict;
  return {
    apiVersion: 'sidecar-sweeper.dev/v1',
    kind: 'PodExplanation',
    ...(Number.isFinite(asOf) && { asOf: iso(asOf) }),
    cluster,
    pod: {
      ...pod.ref,
      phase: pod.phase,
      restartPolicy: pod.restartPolicy,
      ...(pod.node !== undefined && { node: pod.node }),
      ...(pod.owner && { owner: { kind: pod.owner.kind, name: pod.owner.name } }),
    },
    containers: [...containers.map((each) => explainContainer(each, asOf)), ...otherContainers(pod)],
    checks: checks.map(reportCheck),
    remarks: verdict.kind === 'Undecided' ? [] : verdict.remarks,
    verdict: reportVerdict(verdict),
    ...(plan && { plan: reportPlan(plan, uncleanExit) }),
    warnings,
  };
}

function explainContainer({ container, evidence }: ExplainedContainer, asOf: Millis): ContainerExplanation {
  const { name, image, state } = container;
  return { role: evidence[0].role, name, image, state: describeState(state, asOf), evidence };
}

function otherContainers(pod: PodView): readonly ContainerExplanation[] {
  return [
    ...pod.nativeSidecars.map(({ name, image }) => ({ role: 'NativeSidecar' as const, name, image })),
    ...pod.initContainers.map((name) => ({ role: 'InitContainer' as const, name })),
    ...pod.ephemeralContainers.map((name) => ({ role: 'EphemeralContainer' as const, name })),
  ];
}

function reportCheck({ kind, found }: Checked): Value<typeof check> {
  return { kind, passed: found.length === 0, found, page: pageOf(kind) };
}

function reportVerdict(verdict: Verdict): PodExplanation['verdict'] {
  switch (verdict.kind) {
    case 'Candidate':
    case 'NeverStarted':
      return { kind: verdict.kind, mainsEndedAt: iso(verdict.mainsEndedAt) };
    case 'Excluded':
      return { kind: verdict.kind, because: verdict.because };
    case 'Undecided':
      return { kind: verdict.kind, problem: verdict.problem };
  }
}

function iso(at: Millis): string {
  return new Date(at).toISOString();
}
