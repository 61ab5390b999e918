import { expect, it } from 'vitest';
import { jsonLines, policyFlag } from '../kit/cli.ts';
import { ensureNamespace, type RequestMatch } from '../kit/emulator/index.ts';
import { startedOnce } from '../kit/started.ts';
import { stuckPod, TestCluster } from '../kit/stuck-pods.ts';
import { longestEnd } from './struck.ts';
import { tally } from './tally.ts';

const cluster = startedOnce(() => TestCluster.start());

/** What a sweep may be waiting for when it is stopped; from then on the server answers nothing. In the end it has done its work. */
const waits: readonly (readonly [what: string, exitCode: 5 | 0, match: RequestMatch])[] = [
  ['its Lease', 5, { resource: 'leases', method: 'POST' }],
  ['a list', 5, { resource: 'pods', verb: 'list' }],
  ['an exec', 5, { subresource: 'exec' }],
  ['an Event', 0, { resource: 'events' }],
  ['the end of its Lease', 0, { resource: 'leases', method: 'PUT' }],
];

it.each(waits)(
  'C7: SIGTERM while it waits for %s that hangs: the report is there within 5 s',
  async (what, exitCode, match) => {
    const namespace = what.toLowerCase().replaceAll(' ', '-');
    const { faults, world } = cluster.emulator;
    faults.clear();
    ensureNamespace(world, namespace);
    world.placePods([0, 1, 2].map((index) => stuckPod({ namespace, name: `pod-${index}` })));
    let kill = () => {};
    const run = () => {
      kill();
      faults.add({}, { kind: 'NeverAnswer' });
    };
    faults.add(match, { kind: 'Before', run }, { times: 1 });
    faults.add(match, { kind: 'NeverAnswer' });
    const events = policyFlag({ events: true });
    const argv = ['-n', namespace, '--lock', namespace, ...events, '--concurrency', '1'];
    const swept = await cluster.run(argv, {
      onStart: (child) => {
        kill = () => child.kill('SIGTERM');
      },
    });
    expect(swept.exitCode).toBe(exitCode);
    const summary = JSON.parse(swept.stdout.trimEnd().split('\n').at(-1) ?? '');
    const early = exitCode === 5 ? 'Signal' : undefined;
    expect([summary.kind, summary['run.stoppedEarly'], summary['process.exit.code']]).toEqual([
      'Summary',
      early,
      exitCode,
    ]);
    expect(Date.parse(summary.time) - timeOf('Stopping', swept.stderr)).toBeLessThan(longestEnd);
    tally('faults', 'C7', 1);
  },
);

/** When the process logged this event, by its own clock. */
function timeOf(event: string, stderr: string): number {
  return Date.parse(jsonLines(stderr).find((line) => line.event === event)?.time);
}
