import type { ContainerOutcome, PodOutcome, StillRunningBecause } from '../../src/model/outcome.ts';
import { iso } from '../../src/report/format.ts';
import type { HangingPodReport } from '../../src/report/scan-schema.ts';
import type { AttemptReport, PodReport, SweepReport } from '../../src/report/schema.ts';
import { minute } from './pod-view.ts';
import { attemptBy, stuckPod, sweepAt } from './sweeps.ts';

const start = Date.parse('2026-11-21T08:00:00.000Z');

type Ending = readonly [outcome: ContainerOutcome, pod: PodOutcome, advice?: string];

const ended: Ending = [
  { kind: 'Stopped', exitCode: 0 },
  { kind: 'Ended', phase: 'Succeeded', job: { kind: 'Complete' } },
];

const runsOn = (because: StillRunningBecause) => ({ kind: 'StillRunning', because }) as const;

/** One in ten is left stuck, each for another reason. */
// biome-ignore format: one row a line
const stuck: readonly Ending[] = [
  [runsOn({ kind: 'Blocked', reason: 'UnknownEnd' }), { kind: 'Blocked', reason: 'UnknownEnd' }, 'allow an image swap with --noop-image, or --unclean-exit=allow'],
  [runsOn({ kind: 'Immune', message: 'PID 1 has no handler for TERM' }), { kind: 'Stuck' }, 'allow an image swap with --noop-image'],
  [runsOn({ kind: 'NoSuchProgram', program: '/bin/sh' }), { kind: 'Stuck' }, 'allow an ephemeral container, or an image swap with --noop-image'],
  [runsOn({ kind: 'Outlived' }), { kind: 'Stuck' }, 'see what it waits for in its logs; --last-resort=deadline ends the pod'],
];

// biome-ignore format: one row a line
const sidecars = [
  ['istio-proxy', 'docker.io/istio/proxyv2:1.27.0', 'POST 127.0.0.1:15020/quitquitquit'],
  ['cloud-sql-proxy', 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.14.0', 'POST 127.0.0.1:9091/quitquitquit'],
  ['vault-agent', 'docker.io/hashicorp/vault:1.18.1', 'TERM to PID 1'],
] as const;

/** A pod, as a sweep found it that may not be the first; each number gives a different one, of a Job of its own. */
export function sweptPod(
  number: number,
  sweepAt: number,
  { ending = ended, foundAt = sweepAt }: { readonly ending?: Ending; readonly foundAt?: number } = {},
): PodReport {
  const [sidecar, image, does] = sidecars[number % 3] ?? sidecars[0];
  const [sidecarOutcome, outcome, advice] = ending;
  const sentAt = sweepAt + 400 + (number % 97) * 31;
  const times = number % 5 === 0 ? 2 : 1;
  const isSent = sidecarOutcome.kind === 'Stopped' || outcome.kind === 'Stuck';
  const job = `nightly-${number % 23}-${29_000_000 + Math.floor(number / 23)}`;
  const pod = stuckPod({
    namespace: `team-${number % 40}`,
    name: `${job}-${(number % 90_000) + 10_000}`,
    uid: `uid-${number}`,
    owner: { kind: 'Job', name: job },
    sidecar,
    image,
    requests: { cpu: 0.25 * (1 + (number % 8)), memory: 2 ** 28 * (1 + (number % 6)) },
    mainsEndedAt: foundAt - (6 + (number % 37) * 11) * minute,
    outcome,
    sidecarOutcome,
    attempts: isSent ? attemptsOf(does, sentAt, times) : [],
    ...(advice !== undefined && { advice }),
    ...(sidecarOutcome.kind === 'Stopped' && {
      endedAt: sentAt + 300 + ((number * 7919) % 4_000) + (times - 1) * 2_000,
    }),
  });
  return { ...pod, node: `node-${number % 50}` };
}

function attemptsOf(does: string, at: number, times: number): readonly AttemptReport[] {
  return Array.from({ length: times }, (_, index) => {
    const isLast = index + 1 === times;
    return {
      ...attemptBy('Http', isLast ? { kind: 'Accepted' } : { kind: 'Unsupported', message: 'HTTP 404' }),
      does: index === 0 ? does : 'TERM to every process of the container',
      sentAt: iso(at + index * 2_000),
      durationMs: 40 + index * 20,
    };
  });
}

function hangingPodOf(number: number): HangingPodReport {
  return {
    namespace: 'etl',
    name: `load-${number}`,
    owner: { kind: 'Job', name: 'load' },
    since: iso(sweepTime(number) - 90 * minute),
    hang: { kind: 'MainNotRestarted', container: 'work', exitCode: 1 },
  };
}

/** The report of a sweep with these pods; each number gives a later sweep. */
export function sweptReport(
  number: number,
  pods: readonly PodReport[],
  changes: Partial<SweepReport> = {},
): SweepReport {
  const at = sweepTime(number);
  const place = { context: 'production', server: 'https://api.example:6443' };
  const bare = sweepAt({ at, pods, id: `run-${number}`, ...place });
  return {
    ...bare,
    asOf: iso(at + 300),
    run: { ...bare.run, finishedAt: iso(at + 9_500), durationMs: 9_500 },
    hanging: [hangingPodOf(number)],
    totals: {
      ...bare.totals,
      listed: pods.length + 240,
      excluded: 240,
      excludedBecause: { MainRunning: 190, NoSidecar: 31, TooYoung: 12, OptedOut: 7 },
      candidates: pods.length,
    },
    ...changes,
  };
}

/** When this sweep started: one comes every hour. */
export function sweepTime(number: number): number {
  return start + number * 60 * minute;
}

/** Sweeps that end nine of ten pods, and try in vain to end the rest of the ones before again. */
export function sweptReports(sweeps: number, podsOfEach: number): readonly SweepReport[] {
  return Array.from({ length: sweeps }, (_, sweep) => {
    const numbers = Array.from({ length: (sweep + 1) * podsOfEach }, (_, number) => number);
    const isStuck = (number: number) => number % 10 === 9;
    const pods = numbers
      .filter((number) => isStuck(number) || number >= sweep * podsOfEach)
      .map((number) => {
        const ending = isStuck(number) ? stuck[Math.floor(number / 10) % stuck.length] : ended;
        const foundAt = sweepTime(Math.floor(number / podsOfEach));
        return sweptPod(number, sweepTime(sweep), { foundAt, ...(ending && { ending }) });
      });
    return sweptReport(sweep, pods);
  });
}

const nastyNames = [
  '</script><script>alert(1)</script>',
  '"\' onclick=alert(1) x="',
  '</style><style>*{display:none}</style>',
  '\u202Etxt.exe\u2066\u200B',
  '\u001b]0;title\u0007\u001b[2J',
  '<!--<b onclick=alert(1)>&amp;&lt;',
];

/** Sweeps of pods whose owners know what a browser and a terminal do with some characters. */
export const hostileReports: readonly SweepReport[] = sweptReports(3, 20).map((report) => ({
  ...report,
  cluster: { context: '"><img src=x onerror=alert(1)>', server: "javascript:alert('1')" },
  totals: {
    ...report.totals,
    excludedBecause: { '</a><svg onload=alert(1)>': 3, 'Main\u001b[31mRunning': 1 },
  },
  pods: report.pods.map((pod, number) => {
    const nasty = nastyNames[number % nastyNames.length] ?? '';
    return {
      ...pod,
      namespace: nasty,
      name: `${pod.name}${nasty}`,
      owner: { kind: nasty, name: nasty },
      containers: pod.containers.map((one) => ({ ...one, name: nasty, image: nasty })),
    };
  }),
}));
