import type { AttemptResult, ContainerOutcome } from '../../src/model/outcome.ts';
import { iso } from '../../src/report/format.ts';
import type { AttemptReport, PodReport, SweepReport } from '../../src/report/schema.ts';
import type { Millis } from '../../src/util/time.ts';
import { hour, minute, now } from './pod-view.ts';
import { finished, reportOf, started } from './report.ts';

/** Reports of sweeps that were never made: histories are about weeks. */

export const gib = 1024 ** 3;

export interface StuckPod
  extends Partial<Pick<PodReport, 'uid' | 'namespace' | 'owner' | 'requests' | 'outcome' | 'harm'>> {
  readonly name: string;
  readonly sidecar?: string;
  readonly image?: string;
  readonly mainsEndedAt?: Millis;
  readonly sidecarOutcome?: ContainerOutcome;
  readonly endedAt?: Millis;
  readonly attempts?: readonly AttemptReport[];
  readonly advice?: string;
}

/** One step, by this method. */
export function attemptBy(method: string, result: AttemptResult = { kind: 'Accepted' }): AttemptReport {
  return { method, does: method, source: { kind: 'Default' }, sentAt: iso(now), durationMs: 3, result };
}

/** One core and four GiB, stuck for an hour before `now`, and held. */
export function stuckPod({
  name,
  sidecar = 'proxy',
  image = 'acme/proxy:1',
  mainsEndedAt = now - hour,
  sidecarOutcome = { kind: 'StillRunning', because: { kind: 'Blocked', reason: 'KnownUnclean' } },
  endedAt,
  attempts = [],
  advice,
  ...more
}: StuckPod): PodReport {
  const because = { kind: 'NoEvidence' } as const;
  const main = { name: 'main', image: 'acme/main:1', because, exitCode: 0 };
  const step = { steps: [], unfit: [], attempts, outcome: sidecarOutcome };
  return {
    ...{ namespace: 'demo', name, uid: `uid-${name}` },
    restartPolicy: 'Never',
    mainsEndedAt: iso(mainsEndedAt),
    requests: { cpu: 1, memory: 4 * gib },
    containers: [
      { role: 'Main', ...main, endedAt: iso(mainsEndedAt) },
      {
        ...{ role: 'Sidecar', name: sidecar, image, because, ...step },
        ...(advice !== undefined && { advice }),
        ...(endedAt !== undefined && { endedAt: iso(endedAt) }),
      },
    ],
    uncleanCost: { kind: 'Nothing' },
    lastResort: [],
    prediction: { phase: 'Succeeded', job: 'NoJob' },
    outcome: { kind: 'Blocked', reason: 'KnownUnclean' },
    ...more,
  };
}

export function endedPod(pod: StuckPod & { readonly endedAt: Millis }): PodReport {
  return stuckPod({
    attempts: [attemptBy('Signal')],
    outcome: { kind: 'Ended', phase: 'Succeeded', job: { kind: 'NoJob' } },
    sidecarOutcome: { kind: 'Stopped', exitCode: 0 },
    ...pod,
  });
}

interface Sweep
  extends Partial<Pick<SweepReport, 'neverStarted' | 'notStartedAgain' | 'unread' | 'warnings'>> {
  readonly at: Millis;
  readonly pods?: readonly PodReport[];
  readonly id?: string;
  readonly context?: string;
  readonly server?: string;
  readonly clusterUid?: string;
  readonly dryRun?: boolean;
  readonly stoppedEarly?: 'Deadline';
  readonly namespaces?: readonly string[];
  readonly shard?: { readonly index: number; readonly of: number };
}

/** A sweep that began then and took a minute. Unless told otherwise, its id is made from its time and place. */
export function sweepAt({
  at,
  pods = [],
  context = 'prod',
  server = `https://${context}:6443`,
  clusterUid,
  shard,
  id = `${clusterUid ?? context}-${at}-${shard?.index}`,
  dryRun = false,
  stoppedEarly,
  namespaces = [],
  ...parts
}: Sweep): SweepReport {
  const bare = reportOf(started(), finished);
  return {
    ...bare,
    asOf: iso(at),
    run: {
      ...{ id, version: '1.2.3', dryRun },
      ...{ startedAt: iso(at), finishedAt: iso(at + minute), durationMs: minute },
      ...(stoppedEarly && { stoppedEarly }),
    },
    cluster: { context, server, ...(clusterUid !== undefined && { uid: clusterUid }) },
    scope: { ...bare.scope, namespaces, ...(shard && { shard }) },
    pods,
    ...parts,
  };
}
