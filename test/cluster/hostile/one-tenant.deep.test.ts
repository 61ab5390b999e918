import { expect, it } from 'vitest';
import { sidecarListKeys } from '../../../src/model/annotations.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { jsonLines, policyFlag } from '../../kit/cli.ts';
import type { Container, JobManifest, Pod } from '../../kit/emulator/index.ts';
import { isStuck } from '../../kit/random/read-pod.ts';
import { eventually } from '../../kit/replay/stage.ts';
import { type StuckJob, stuckJob } from '../../kit/stuck-jobs.ts';
import { sidecars, TestCluster } from '../../kit/stuck-pods.ts';

type TenantJob = Partial<StuckJob> & { readonly name: string };

const jobOf = (namespace: string, job: TenantJob) =>
  stuckJob({ namespace, sidecar: sidecars.clean, grace: 30, spec: { backoffLimit: 3 }, ...job });

const tenants = Array.from({ length: 999 }, (_, number) =>
  jobOf(`tenant-${String(number).padStart(3, '0')}`, { name: 'job' }),
);

/** Names until this many bytes are full: as many as possible, because each may cost something. */
function names(bytes: number): string {
  return Array.from({ length: bytes / 2 }, (_, number) => String.fromCharCode(97 + (number % 26))).join(',');
}

function some(count: number, job: (number: number) => TenantJob): readonly JobManifest[] {
  return Array.from({ length: count }, (_, number) => jobOf('hostile', job(number)));
}

const kubexit = (dependencies: string): Partial<Container> => ({
  env: [
    { name: 'KUBEXIT_NAME', value: 'a' },
    { name: 'KUBEXIT_DEATH_DEPS', value: dependencies },
  ],
});

const stepsKey = 'sidecar-sweeper.dev/steps-sidecar';
const graceOfAnHour = '[{ "signal": ["USR1"], "grace": "1h" }, { "signal": ["TERM"], "grace": "1h" }]';
const outsideTheAllowlist = [
  '[{ "http": { "method": "POST", "port": 10250, "path": "/run", "headers": { "x": "y" } } }]',
  '[{ "command": ["sh", "-c", "true"] }]',
];

/** Annotations with this many names each, none of which is a container. */
function manyNames(count: number): Readonly<Record<string, string>> {
  const list = Array.from({ length: count }, (_, number) => `unknown-${number}`.padEnd(230, '-')).join(',');
  return Object.fromEntries(sidecarListKeys.map((key) => [key, list]));
}

/** Everything that one tenant can do to all. */
const hostile: readonly JobManifest[] = [
  ...some(2, (number) => ({ name: `variable-${number}`, container: kubexit(names(250_000)) })),
  ...some(2, (number) => ({
    name: `list-${number}`,
    annotations: { 'nrmitchi.com/sidecars': names(200_000) },
  })),
  // 240 KB are over the bound of a pod; 16 KB are not.
  ...some(16, (number) => ({ name: `annotations-${number}`, annotations: manyNames(250) })),
  ...some(20, (number) => ({ name: `lists-${number}`, annotations: manyNames(18) })),
  ...some(6, (number) => ({
    name: `stubborn-${number}`,
    sidecar: sidecars.stubborn,
    grace: 3_600,
    annotations: number % 2 === 0 ? { [stepsKey]: graceOfAnHour } : {},
  })),
  ...outsideTheAllowlist.flatMap((steps, of) =>
    some(2, (number) => ({
      name: `asks-${of}-${number}`,
      annotations: { [stepsKey]: steps },
    })),
  ),
];

interface Swept {
  readonly report: SweepReport;
  /** The outcomes of the clean tenants, by namespace. */
  readonly outcomes: Readonly<Record<string, unknown>>;
  /** From the first line of the log to the last about a clean tenant, in milliseconds. */
  readonly took: number;
}

async function sweptWith(jobs: readonly JobManifest[]): Promise<Swept> {
  const cluster = await TestCluster.start();
  try {
    const { world } = cluster.emulator;
    for (const job of jobs) world.createJob(job);
    const stuck = () => world.store.list<Pod>('pods').filter(isStuck).length;
    expect(await eventually(stuck, (count) => count === jobs.length)).toBe(jobs.length);
    const flags = ['--min-age', '0s', '--max-pods', '2000', ...policyFlag({ maxGrace: '20s' })];
    const debug = ['--log-level', 'debug'];
    const { run, report } = await cluster.sweep([...flags, '--unclean-exit', 'allow', ...debug]);
    const clean = report.pods.filter(({ namespace }) => namespace !== 'hostile');
    const outcomes = Object.fromEntries(clean.map(({ namespace, outcome }) => [namespace, outcome]));
    return { report, outcomes, took: timeOf(run.stderr) };
  } finally {
    await cluster.stop();
  }
}

function timeOf(log: string): number {
  const lines = jsonLines(log);
  const concluded = lines.filter(
    (line) => line.event === 'PodConcluded' && line['k8s.namespace.name'] !== 'hostile',
  );
  return Date.parse(concluded.at(-1).time) - Date.parse(lines[0].time);
}

/** How many times as long the clean tenants may take. A machine may be busy with something else. */
const mostTimes = 3;

it('one hostile tenant among 1,000 changes neither the outcomes nor, by much, the time of the others', async () => {
  const sweepAlone = () => sweptWith(tenants);
  const sweepBeside = () => sweptWith([...hostile, ...tenants]);
  const compare = (alone: Swept, beside: Swept) => {
    expect(Object.keys(alone.outcomes)).toHaveLength(tenants.length);
    expect(beside.outcomes).toEqual(alone.outcomes);
    expectEachWayMet(beside.report);
    return beside.took / alone.took;
  };
  // What runs second finds a warm machine: each of them does so once.
  const first = compare(await sweepAlone(), await sweepBeside());
  const beside = await sweepBeside();
  const second = compare(await sweepAlone(), beside);
  expect(Math.sqrt(first * second)).toBeLessThan(mostTimes);
}, 1_800_000);

/** Expects that the hostile pods did what they are there for, and were met by what is there for them. */
function expectEachWayMet({ totals, pods }: SweepReport): void {
  const outcomesOf = (name: string) =>
    pods.flatMap((pod) =>
      pod.namespace === 'hostile' && pod.name.startsWith(name) ? [pod.outcome.kind] : [],
    );
  expect(totals.excludedBecause).toEqual({ OverBound: 4 + 16 });
  expect(outcomesOf('stubborn')).toContain('Stuck');
  expect(new Set(outcomesOf('asks'))).toEqual(new Set(['Skipped']));
  expect(totals.harm).toEqual({});
}
