import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { listening } from '../builders/listening.ts';
import { jsonLines, policyFlag } from '../kit/cli.ts';
import type { RequestMatch } from '../kit/emulator/index.ts';
import { startedOnce } from '../kit/started.ts';
import { TestCluster } from '../kit/stuck-pods.ts';
import { longestEnd } from './real-case.ts';
import { tally } from './tally.ts';

const cluster = startedOnce(() => TestCluster.start());

/** Sweeps three stuck pods, and ends the process when the server gets this request, to which it never answers. */
function stoppedAt(match: RequestMatch, policy: object, onStop: () => void) {
  const { faults } = cluster.emulator;
  faults.clear();
  const namespace = cluster.placeCase({ name: 'a' }, { name: 'b' }, { name: 'c' });
  const argv = ['-n', namespace, '--lock', namespace, ...policyFlag(policy), '--concurrency', '1'];
  const run = cluster.runStruck(
    match,
    (child) => {
      child.kill('SIGTERM');
      onStop();
    },
    argv,
  );
  faults.add(match, { kind: 'NeverAnswer' });
  return run;
}

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
  async (_what, exitCode, match) => {
    const { faults } = cluster.emulator;
    const hang = () => void faults.add({}, { kind: 'NeverAnswer' });
    const swept = await stoppedAt(match, { events: true }, hang);
    expect(swept.exitCode).toBe(exitCode);
    const summary = jsonLines(swept.stdout).at(-1);
    const early = exitCode === 5 ? 'Signal' : undefined;
    expect([summary.kind, summary['run.stoppedEarly'], summary['process.exit.code']]).toEqual([
      'Summary',
      early,
      exitCode,
    ]);
    // By the clock of the process itself.
    const stopping = jsonLines(swept.stderr).find((line) => line.event === 'Stopping');
    expect(Date.parse(summary.time) - Date.parse(stopping.time)).toBeLessThan(longestEnd);
    tally('faults', 'C7', 1);
  },
);

it('C7: a Pushgateway that never answers has no time of its own after a signal', async () => {
  const gateway = createServer();
  const pushgatewayUrl = `http://127.0.0.1:${await listening(gateway)}`;
  let stopped = performance.now();
  // The exec takes all the time that there is for what is under way.
  const swept = await stoppedAt({ subresource: 'exec' }, { pushgatewayUrl }, () => {
    stopped = performance.now();
  });
  expect(performance.now() - stopped).toBeLessThan(longestEnd);
  expect(swept.exitCode).toBe(5);
  expect(swept.stderr).toContain('could not write metrics to the Pushgateway');
  gateway.close();
  tally('faults', 'C7', 1);
});
