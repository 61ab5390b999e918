import * as z from 'zod';
import {
  container,
  exitCode,
  image,
  list,
  message,
  milliseconds,
  namespace,
  object,
  problem,
  text,
  texts,
  type Value,
  whole,
} from '../model/schema.ts';
import { evidence, hang } from '../model/verdict.ts';
import { warning } from '../model/warning.ts';
import { apiVersion as version } from './names.ts';

export const time = z.iso.datetime().describe('RFC 3339, in UTC');

export const apiVersion = z.literal(version);

export const podName = z.object({ namespace, name: text('the name of the pod') });
export const podIdentity = podName.extend({
  uid: text('the uid of the pod; a new pod of the same name has a different one'),
  node: text('the node that it runs on').optional(),
});
export const restartPolicy = text('the restartPolicy of the pod');
export const owner = object('the object that controls the pod', {
  kind: text('its kind, such as Job'),
  name: text('its name'),
});
export const cluster = object('the cluster', {
  context: text('the context of the kubeconfig; in a pod, inClusterContext'),
  server: text('the URL of the API server; empty if the context cannot be used'),
  name: text('clusterName of the policy').optional(),
  uid: text('the uid of its namespace kube-system; missing unless a sweep read it').optional(),
});
export const requests = object('its requests, which its node reserves until it ends', {
  cpu: z.number().describe('in cores'),
  memory: z.number().describe('in bytes'),
});

export const scope = object('which pods were examined', {
  namespaces: texts('the namespaces; empty means all'),
  excludeNamespaces: texts('the namespaces that were left out; missing means none').optional(),
  namespaceSelector: text('only namespaces with these labels').optional(),
  labelSelector: text('only pods with these labels').optional(),
  includePending: z.boolean().describe('whether pods that never started were examined'),
  minAgeMs: milliseconds.describe('how long ago the last main must have ended, in milliseconds'),
  shard: object('which part of the pods was swept', {
    index: whole('its number, from 0'),
    of: whole('how many shards there are'),
  }).optional(),
  pods: texts('only these pods, as `<namespace>/<name>`').optional(),
});

const mainsEndedAt = time.describe('when the last main container ended; the pod has been stuck since then');

export const stuckPod = podIdentity.extend({
  owner: owner.optional(),
  restartPolicy,
  mainsEndedAt,
  requests,
});

const waitingPod = podName.extend({
  uid: text('the uid of the pod'),
  owner: owner.optional(),
  requests,
  mainsEndedAt,
  waiting: list(
    'the sidecars that are waiting',
    z.object({
      name: container,
      image,
      reason: text('why, in the words of the kubelet, such as ImagePullBackOff'),
    }),
  ),
});
export const neverStarted = waitingPod.describe(
  'stuck on sidecars that are waiting to start: there is no process to signal',
);
export const notStartedAgain = waitingPod.describe(
  'stuck on sidecars that ended and cannot start again, as after a swap for an image that cannot be pulled',
);

export const hanging = podName
  .extend({
    owner: owner.optional(),
    since: time.describe('when it began to hang'),
    hang,
  })
  .describe('a pod that hangs for a reason that a sweep does not cure; it was left alone');

export const unread = list(
  'the parts of the scope that could not be read, and why',
  z.object({
    namespace: namespace.optional().describe('the namespace; missing if it is all of them'),
    problem: text('the kind of problem, such as Forbidden'),
    message,
    what: z
      .enum(['Namespace', 'Pod'])
      .optional()
      .describe(
        'what could not be read; Namespace: a namespace, or the list of namespaces; Pod: a pod that was named; missing: a list of pods',
      ),
  }),
);

export const undecided = list(
  'pods whose own data is inconsistent; nothing was sent to them',
  podName.extend({ problem }),
);

export const leftOut = object('how many warnings were left out of the report', {
  warnings: whole('warnings'),
});

export const counts = z.record(z.string(), z.int());

/** The counts of a scan, an advice and a sweep. */
export const totals = object('the counts', {
  listed: whole('how many pods the list returned'),
  otherShards: whole('how many of these belong to other shards'),
  excluded: whole('pods that were left alone'),
  excludedBecause: counts.describe(
    'pods that were left alone, by the first reason that applies, each explained in docs/reasons.md',
  ),
  undecided: whole('pods whose own data is inconsistent'),
  neverStarted: whole('pods stuck on a sidecar that never started'),
  notStartedAgain: whole('pods stuck on a sidecar that ended and cannot start again'),
  hanging: counts.describe(
    'pods that hang for a reason that a sweep does not cure, by reason, each explained in docs/reasons.md',
  ),
  candidates: whole('pods that are stuck and that a sweep acts on'),
  leftOut,
});

/** The fields that a scan, an advice and a sweep have in common. */
export const found = {
  asOf: time.optional().describe("the server's time when the pods were judged; missing if unknown"),
  cluster,
  scope,
  unread,
  undecided,
  neverStarted: z.array(neverStarted).describe('only with --include-pending'),
  notStartedAgain: z.array(notStartedAgain),
  hanging: z.array(hanging),
  warnings: z.array(warning),
};

export const endedMain = object('a main container that has ended for good', {
  name: container,
  image,
  because: evidence,
  exitCode,
  endedAt: time.describe('when it ended, by the kubelet'),
});

const sidecar = z.object({ name: container, image, because: evidence });

const candidate = stuckPod
  .extend({
    mains: z.array(endedMain),
    sidecars: list('the sidecars that keep it from ending', sidecar),
  })
  .describe('a pod that a sweep would act on');

export const scan = object('The pods that are stuck', {
  apiVersion,
  kind: z.literal('Scan'),
  ...found,
  totals,
  candidates: z.array(candidate),
});

export type Scan = Value<typeof scan>;
export type StuckPod = Value<typeof candidate>;
export type WaitingPodReport = Value<typeof waitingPod>;
export type HangingPodReport = Value<typeof hanging>;
