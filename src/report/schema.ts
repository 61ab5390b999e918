import * as z from 'zod';

/**
 * What the product says in JSON, with a description for every field. The types of the unions that the pipeline
 * shares with its report (evidence, outcomes, ...) are inferred from here, and `docs/sweep-report.schema.json`
 * is generated from here: one source, so that none can lie.
 */
export const time = z.iso.datetime().describe('RFC 3339, in UTC');
const milliseconds = z.int().nonnegative();

export const evidence = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('Annotation'), key: z.string() }).describe('an annotation of the pod says so'),
    z
      .object({ kind: z.literal('NotListedAsMain'), key: z.string() })
      .describe('an annotation of the pod lists its mains, and this container is not among them'),
    z
      .object({ kind: z.literal('Variable'), name: z.string() })
      .describe('an environment variable of the container says so'),
    z
      .object({ kind: z.literal('InjectionStatus'), key: z.string() })
      .describe('the injector wrote down in this annotation that it put the container there'),
    z
      .object({ kind: z.literal('ArgoWorkflow') })
      .describe(
        'in a pod of Argo Workflows the containers of the template and `wait` are mains, others are not',
      ),
    z
      .object({ kind: z.literal('KillCommand'), key: z.string() })
      .describe('the pod carries a kill command for this container'),
    z
      .object({ kind: z.literal('NotInJobTemplate'), job: z.string() })
      .describe("the owning Job's template does not have it, so an admission webhook has added it"),
    z.object({ kind: z.literal('DefaultContainer') }).describe('kubectl.kubernetes.io/default-container'),
    z.object({ kind: z.literal('Rule'), rule: z.string() }).describe('a rule of the policy says so'),
    z
      .object({ kind: z.literal('Catalogue'), profile: z.string() })
      .describe('name and image are those of a known sidecar'),
    z.object({ kind: z.literal('NoEvidence') }).describe('nothing says sidecar, and unknown means main'),
  ])
  .describe('why a container is what it is');

export const exclusion = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('OwnPod') }).describe('the pod that the sweeper itself runs in'),
    z.object({ kind: z.literal('SystemNamespace') }).describe('kube-system and its like, unless named'),
    z.object({ kind: z.literal('OptedOut'), key: z.string() }).describe('its owner wants it left alone'),
    z
      .object({ kind: z.literal('UnreadableAnnotation'), key: z.string(), problem: z.string() })
      .describe('its owner wants something that cannot be understood'),
    z.object({ kind: z.literal('StaticPod') }).describe('the API shows it, and only its kubelet rules it'),
    z.object({ kind: z.literal('Windows') }).describe('there are no signals'),
    z
      .object({ kind: z.literal('NodeNotReady'), node: z.string(), reason: z.string() })
      .describe('nothing reaches its containers, and its status is old'),
    z.object({ kind: z.literal('BeingDeleted') }),
    z.object({ kind: z.literal('NotRunning'), phase: z.string() }),
    z.object({ kind: z.literal('NoSidecar') }).describe('no container is known to be a sidecar'),
    z.object({ kind: z.literal('NoRunningSidecar') }),
    z.object({ kind: z.literal('NoMain') }).describe('every container is a sidecar'),
    z.object({ kind: z.literal('MainRunning'), container: z.string() }),
    z.object({ kind: z.literal('MainWaiting'), container: z.string(), reason: z.string() }),
    z
      .object({ kind: z.literal('MainWillRestart'), container: z.string(), exitCode: z.int() })
      .describe('it ended, and its restart policy brings it back'),
    z
      .object({ kind: z.literal('RestartsOthers'), container: z.string(), action: z.string() })
      .describe('a restart rule of the container would start other containers again when it ends'),
    z.object({ kind: z.literal('TooYoung'), ageMs: z.int() }).describe('the last main ended too recently'),
    z.object({ kind: z.literal('AgeUnknown') }).describe('no believable time says when the last main ended'),
  ])
  .describe('why a pod is left alone; docs/reasons/<kind>.md tells what that means and what to do');

export const remark = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('UnknownContainer'), key: z.string(), container: z.string() })
      .describe('an annotation names a container that the pod does not have'),
    z
      .object({ kind: z.literal('NamedAsBoth'), container: z.string() })
      .describe('one annotation calls it a main, another a sidecar'),
    z
      .object({ kind: z.literal('Unreadable'), key: z.string(), problem: z.string() })
      .describe('an annotation or variable that cannot be understood was passed over'),
  ])
  .describe("what is odd about a pod's own annotations");

const skipReason = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('BadKillCommand'), key: z.string(), problem: z.string() })
      .describe('the annotation is not a JSON array of strings; nothing else is tried in its place'),
    z
      .object({ kind: z.literal('CommandNotAllowed'), key: z.string() })
      .describe('the kill command of the annotation is not on the allowlist; nothing is sent in its place'),
    z
      .object({ kind: z.literal('HostPID') })
      .describe("a command of the pod's own cannot be trusted where PID 1 is the node's init"),
    z
      .object({ kind: z.literal('NoWay') })
      .describe('every step there is was ruled out by what the pod shows'),
    z
      .object({ kind: z.literal('NoLongerCandidate'), because: z.array(exclusion) })
      .describe('read again just before sending, the pod was no candidate any more'),
    z.object({ kind: z.literal('Undecided'), problem: z.string() }),
    z
      .object({ kind: z.literal('NotRunning'), state: z.string() })
      .describe('a sidecar that waits to be (re)started'),
  ])
  .describe('why nothing was sent');

const stopReason = z
  .enum(['Deadline', 'Signal', 'LockLost'])
  .describe('what stopped the sweep before it was through');

const notAttemptedReason = z
  .enum(['DryRun', 'InternalError', ...stopReason.options])
  .describe('why the sweep did not come to it');

const method = z.enum([
  'Command',
  'Http',
  'Signal',
  'Tombstone',
  'ImageSwap',
  'EphemeralContainer',
  'Deadline',
  'Evict',
  'Delete',
]);

const stepSource = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('Annotation'), key: z.string() }),
    z.object({ kind: z.literal('Profile'), profile: z.string() }),
    z.object({ kind: z.literal('Default') }),
    z.object({ kind: z.literal('LastResort') }).describe('asked for by --last-resort or the policy'),
  ])
  .describe('who says that this is a way to end the sidecar');

const unfit = z
  .object({
    method,
    reason: z.enum([
      'NotShown',
      'ShownOtherwise',
      'Off',
      'NotAllowed',
      'NoPermission',
      'SeesTheNode',
      'NoPath',
    ]),
    detail: z.string(),
  })
  .describe('a step that was not planned, and why');

const prediction = z
  .object({
    exitCode: z.int().optional().describe('of the last sidecar; missing: not known'),
    phase: z.enum(['Succeeded', 'Failed', 'Running', 'Unknown']),
    job: z.enum(['NoJob', 'Completes', 'RunsAgain', 'StaysActive', 'Unknown']),
  })
  .describe('what is expected of the pod if the first step that is not held works');

const heldReason = z
  .enum([
    'KnownUnclean',
    'CanaryEndedUnclean',
    'CanaryNotEnded',
    'EarlierUnclean',
    'Forbidden',
    'NoopDoesNotStart',
  ])
  .describe(
    'why a step that might make finished work run again, or leave its pod in a worse state, was not sent',
  );

const attemptResult = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('Accepted'), message: z.string().optional() })
      .describe('the request was carried out, which is no proof that anything ended'),
    z
      .object({ kind: z.literal('Unconfirmed'), message: z.string() })
      .describe('it may or may not have arrived; the pod tells'),
    z.object({ kind: z.literal('Refused'), message: z.string() }).describe('a permission is missing'),
    z
      .object({ kind: z.literal('NoSuchProgram'), program: z.string(), message: z.string() })
      .describe('the image does not have it'),
    z
      .object({ kind: z.literal('Unsupported'), message: z.string() })
      .describe('the sidecar, the node or the API server does not offer this'),
    z
      .object({ kind: z.literal('Immune'), message: z.string() })
      .describe('no signal can have an effect on the process; none was sent'),
    z.object({ kind: z.literal('Held'), reason: heldReason }).describe('not sent, to protect finished work'),
    z
      .object({ kind: z.literal('Busy'), message: z.string(), retryAfterMs: milliseconds.optional() })
      .describe('the API server asks to come again later'),
    z.object({ kind: z.literal('Undelivered'), message: z.string() }).describe('known not to have arrived'),
  ])
  .describe('what became of one request');

export const plannedStep = z
  .object({
    method,
    does: z.string().describe('the step in words'),
    source: stepSource,
    graceMs: milliseconds.describe('how long the sidecar is given to end'),
    expectedExitCode: z.int().optional().describe('missing: not known'),
    clearance: z
      .enum(['Free', 'Canary', 'KnownUnclean', 'Forbidden'])
      .describe(
        'sent freely, to one pod of the image first, or held: known to end unclean, or nothing risked',
      ),
  })
  .describe('a step of the plan; each is taken only if the sidecar outlives the one before');

const attempt = z.object({
  method,
  does: z.string().describe('the step in words'),
  command: z.array(z.string()).optional().describe('as it was executed in the container'),
  source: stepSource,
  expectedExitCode: z.int().optional().describe('missing: not known'),
  sentAt: time,
  durationMs: milliseconds,
  result: attemptResult,
});

const containerOutcome = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('Stopped'), exitCode: z.int(), signal: z.int().optional() }),
    z.object({ kind: z.literal('AlreadyEnded'), exitCode: z.int() }).describe('before the sweep began'),
    z.object({ kind: z.literal('StillRunning') }).describe('every step was taken, and it runs on'),
    z
      .object({ kind: z.literal('Restarted'), exitCode: z.int().optional(), restartCount: z.int() })
      .describe('it ended, and the kubelet started it again or is about to'),
    z.object({ kind: z.literal('Gone') }).describe('the pod does not exist any more'),
    z.object({ kind: z.literal('Replaced'), uid: z.string() }).describe('another pod has the name now'),
    z.object({ kind: z.literal('Refused'), message: z.string() }).describe('a permission is missing'),
    z.object({ kind: z.literal('NoShell'), program: z.string() }).describe('the image has no such shell'),
    z.object({ kind: z.literal('NoSuchProgram'), program: z.string() }),
    z.object({ kind: z.literal('Unsupported'), message: z.string() }),
    z.object({ kind: z.literal('Immune'), message: z.string() }).describe('no signal has an effect on it'),
    z
      .object({ kind: z.literal('Held'), reason: heldReason })
      .describe('left running, because ending it might make finished work run again'),
    z
      .object({ kind: z.literal('NotStarted'), reason: z.string() })
      .describe('its image was swapped, it ended, and the no-op image does not start'),
    z.object({ kind: z.literal('Undelivered'), message: z.string() }).describe('no request reached it'),
    z.object({ kind: z.literal('Skipped'), reason: skipReason }),
    z.object({ kind: z.literal('NotAttempted'), reason: notAttemptedReason }),
    z
      .object({ kind: z.literal('Unproven'), problem: z.string() })
      .describe('the pod could not be read afterwards, so nothing is claimed'),
  ])
  .describe('what a read of the pod after the act shows');

const jobReaction = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('NoJob') }).describe('the pod belongs to no Job'),
    z.object({ kind: z.literal('Complete') }),
    z.object({ kind: z.literal('Failed'), reason: z.string() }),
    z.object({ kind: z.literal('RunsAgain') }).describe('the Job starts, or has started, another pod'),
    z.object({ kind: z.literal('Active') }).describe('it waits for other pods of its own'),
    z.object({ kind: z.literal('Gone') }),
    z.object({ kind: z.literal('Unknown'), problem: z.string() }).describe('it could not be read'),
  ])
  .describe('what the Job that owns the pod did');

const podOutcome = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('Ended'), phase: z.enum(['Succeeded', 'Failed']), job: jobReaction }),
    z.object({ kind: z.literal('Stuck') }).describe('a sidecar of it runs on, or runs again'),
    z
      .object({ kind: z.literal('Unsettled') })
      .describe('its containers have ended, and its phase does not say so yet'),
    z.object({ kind: z.literal('Gone') }),
    z.object({ kind: z.literal('Replaced'), uid: z.string() }),
    z.object({ kind: z.literal('Skipped'), reason: skipReason }),
    z.object({ kind: z.literal('NotAttempted'), reason: notAttemptedReason }),
    z
      .object({ kind: z.literal('Held'), reason: heldReason })
      .describe('left as it is, to protect finished work'),
    z.object({ kind: z.literal('Unproven'), problem: z.string() }),
  ])
  .describe('what became of the pod');

const containerReport = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('Main'),
    name: z.string(),
    image: z.string(),
    because: evidence,
    exitCode: z.int(),
    endedAt: time,
  }),
  z.object({
    role: z.literal('Sidecar'),
    name: z.string(),
    image: z.string(),
    because: evidence,
    steps: z.array(plannedStep),
    unfit: z.array(unfit),
    attempts: z.array(attempt),
    outcome: containerOutcome,
    endedAt: time.optional().describe('when the container ended, by the kubelet'),
  }),
  z.object({
    role: z.literal('NativeSidecar'),
    name: z.string(),
    image: z.string().describe('an init container with restartPolicy Always; the kubelet ends it itself'),
  }),
]);

const podReport = z.object({
  namespace: z.string(),
  name: z.string(),
  uid: z.string(),
  node: z.string().optional(),
  owner: z.object({ kind: z.string(), name: z.string() }).optional(),
  restartPolicy: z.string(),
  mainsEndedAt: time.describe('when the last main container ended: since then the pod is stuck'),
  requests: z
    .object({ cpu: z.number(), memory: z.number() })
    .describe('cores and bytes that its node holds for it until it ends'),
  containers: z.array(containerReport),
  isProtected: z
    .boolean()
    .describe('its work is done, and a Job would do it again if a sidecar ended unclean'),
  lastResort: z.array(plannedStep).describe('what is done to the pod if a sidecar outlives its own steps'),
  prediction,
  remarks: z.array(remark),
  outcome: podOutcome,
});

export const podName = z.object({ namespace: z.string(), name: z.string() });

const excludedPod = podName
  .extend({ because: z.array(exclusion), remarks: z.array(remark) })
  .describe('a pod that was left alone');

export const neverStarted = podName
  .extend({
    mainsEndedAt: time,
    waiting: z.array(z.object({ name: z.string(), image: z.string(), reason: z.string() })),
    remarks: z.array(remark),
  })
  .describe('stuck on sidecars that wait to start: there is nothing in them to signal');

export const warning = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('ListInconsistent') })
      .describe(
        'a continue token expired mid-list; pods that changed meanwhile may be missing or as they were',
      ),
    z
      .object({ kind: z.literal('JobsUnreadable'), namespaces: z.array(z.string()), message: z.string() })
      .describe('what their Jobs did, and which of their containers were injected, is not known'),
    z
      .object({ kind: z.literal('NodesUnreadable'), message: z.string() })
      .describe('pods on nodes that are not ready cannot be told from others'),
    z
      .object({ kind: z.literal('Unlocked'), message: z.string() })
      .describe('no Lease kept this sweep apart from others'),
    z
      .object({ kind: z.literal('NoPermission'), method, namespace: z.string().optional(), rule: z.string() })
      .describe('a method was left out because it may not be used; the rule would allow it'),
    z
      .object({ kind: z.literal('Held'), image: z.string(), method, reason: heldReason, pods: z.int() })
      .describe('pods were left as they are, because their sidecar ends unclean'),
    z
      .object({
        kind: z.literal('NoopMayNotStart'),
        noop: z.string(),
        image: z.string(),
        program: z.string(),
        containers: z.int(),
      })
      .describe('containers set a command that the no-op image is not known to have'),
    z
      .object({ kind: z.literal('FinishedWorkRunsAgain'), namespace: z.string(), name: z.string() })
      .describe('the mains had succeeded, a sidecar did not end with 0, and the Job starts over'),
  ])
  .describe('what an operator should know and the outcomes do not tell');

export const cluster = z.object({ context: z.string(), server: z.string() });

export const unread = z
  .array(z.object({ namespace: z.string().optional(), problem: z.string(), message: z.string() }))
  .describe('what of the scope could not be listed, and why');

export const undecided = z
  .array(podName.extend({ problem: z.string() }))
  .describe('pods whose own data does not add up; nothing was sent to them');

export const sweepReport = z
  .object({
    apiVersion: z.literal('sidecar-sweeper.dev/v1'),
    kind: z.literal('SweepReport'),
    run: z.object({
      id: z.string(),
      version: z.string(),
      startedAt: time,
      finishedAt: time,
      durationMs: milliseconds,
      asOf: time
        .optional()
        .describe("the server's clock when the pods were judged; missing when none was listed"),
      dryRun: z.boolean(),
      stoppedEarly: stopReason.optional(),
    }),
    cluster,
    scope: z.object({
      namespaces: z.array(z.string()).describe('empty: all'),
      labelSelector: z.string().optional(),
      includePending: z.boolean().describe('whether pods that never came to run were looked at'),
      minAgeMs: milliseconds,
      shard: z
        .object({ index: z.int(), of: z.int() })
        .optional()
        .describe('the part of the pods that was swept'),
    }),
    unread,
    totals: z.object({
      listed: z.int().describe('pods that the list returned'),
      otherShards: z.int().describe('of these, pods that are for other shards to sweep'),
      excluded: z.int(),
      excludedBecause: z
        .record(z.string(), z.int())
        .describe('by reason, for each of which docs/reasons has a page; a pod with several counts in each'),
      undecided: z.int(),
      neverStarted: z.int().describe('pods stuck on a sidecar that never came to run'),
      candidates: z.int(),
      remarks: z.record(z.string(), z.int()).describe('by kind, on pods of any verdict'),
      pods: z.record(z.string(), z.int()).describe('candidates by outcome'),
      sidecars: z.record(z.string(), z.int()).describe('their sidecars by outcome'),
    }),
    undecided,
    excluded: z.array(excludedPod).optional().describe('every pod that was left alone; with --verbose'),
    neverStarted: z.array(neverStarted).describe('with --include-pending'),
    pods: z.array(podReport),
    warnings: z.array(warning),
  })
  .describe('The report of one sweep');

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** What a schema accepts, as a type whose values nobody changes. */
export type Value<S extends z.ZodType> = DeepReadonly<z.infer<S>>;

export type Evidence = Value<typeof evidence>;
export type Exclusion = Value<typeof exclusion>;
export type Remark = Value<typeof remark>;
export type SkipReason = Value<typeof skipReason>;
export type StopReason = Value<typeof stopReason>;
export type NotAttemptedReason = Value<typeof notAttemptedReason>;
export type AttemptResult = Value<typeof attemptResult>;
export type ContainerOutcome = Value<typeof containerOutcome>;
export type PodOutcome = Value<typeof podOutcome>;
export type JobReaction = Value<typeof jobReaction>;
export type Unfit = Value<typeof unfit>;
export type StepSource = Value<typeof stepSource>;
export type MethodName = Value<typeof method>;
export type HeldReason = Value<typeof heldReason>;
export type Prediction = Value<typeof prediction>;
export type Warning = Value<typeof warning>;

export type PlannedStep = Value<typeof plannedStep>;
export type AttemptReport = Value<typeof attempt>;
export type PodReport = Value<typeof podReport>;
export type ContainerReport = Value<typeof containerReport>;
export type SweepReport = Value<typeof sweepReport>;
