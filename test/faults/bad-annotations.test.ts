import { expect, it } from 'vitest';
import { exitCodes } from '../../src/report/exit-code.ts';
import { plain, renderTable } from '../builders/rendered.ts';
import { stuckPod } from '../kit/stuck-pods.ts';
import { badKillCommands, badSteps, templates } from './corpus/annotations.ts';
import { expectClean } from './corpus/hostile-texts.ts';
import { expectSound, FaultyCluster, type Played } from './faulty-cluster.ts';
import { tally } from './tally.ts';

const cluster = FaultyCluster.startedOnce();

const killCommandKeys = ['sidecar-sweeper.dev/kill-cmd-sidecar', 'workflows.argoproj.io/kill-cmd-sidecar'];
const stepsKey = 'sidecar-sweeper.dev/steps-sidecar';
const wide = { annotationCommands: 'any', brakePods: 1_000_000 };

/** Sweeps stuck pods with these annotations, one each, besides a healthy neighbour that must not notice. */
async function sweepWith(
  annotations: readonly Readonly<Record<string, string>>[],
  policy = wide,
): Promise<Played> {
  const played = await cluster.play({
    policy,
    pods: (namespace) => [
      stuckPod({ namespace, name: 'neighbour' }),
      ...annotations.map((each, index) => stuckPod({ namespace, name: `pod-${index}`, annotations: each })),
    ],
  });
  const neighbour = played.report.pods.find(({ name }) => name === 'neighbour');
  expect(neighbour?.outcome.kind).toBe('Ended');
  expectClean(renderTable(played.report, { ...plain, wide: true }));
  return played;
}

function sidecarOf({ report }: Played, index: number) {
  return report.pods
    .find(({ name }) => name === `pod-${index}`)
    ?.containers.find(({ name }) => name === 'sidecar');
}

function commandsTo({ requests }: Played, index: number): readonly (readonly string[])[] {
  return requests
    .filter(({ subresource, name }) => subresource === 'exec' && name === `pod-${index}`)
    .map(({ path }) => new URL(path, 'https://server').searchParams.getAll('command'));
}

it.each([...killCommandKeys.map((key) => [key, badKillCommands] as const), [stepsKey, badSteps] as const])(
  'D1: of a bad %s, the owner is told, and nothing else is tried',
  async (key, table) => {
    const titles = Object.keys(table);
    const played = await sweepWith(Object.values(table).map((text) => ({ [key]: text })));
    for (const [index, title] of titles.entries()) {
      expect(sidecarOf(played, index), title).toMatchObject({
        attempts: [],
        outcome: { kind: 'Skipped', reason: { kind: 'BadKillCommand', key } },
      });
      expect(commandsTo(played, index), title).toEqual([]);
    }
    expect(played.exitCode).toBe(exitCodes.unresolved);
    expectSound([played], 'D1');
    tally('badInputs', 'D1', titles.length);
  },
);

const killCommand = (words: readonly string[]) => ({ [killCommandKeys[0] as string]: JSON.stringify(words) });

it('D2: only %d means the signal, and every word arrives as it was written', async () => {
  const played = await sweepWith(templates.map(([asked]) => killCommand(asked)));
  for (const [index, [asked, sent]] of templates.entries()) {
    const [first, ...others] = commandsTo(played, index);
    expect(first, `${asked}`).toEqual(sent);
    const isForSignals = asked.some((word) => word.includes('%d'));
    const later = isForSignals ? asked.map((word) => word.split('%d').join('9')) : sent;
    // The steps that every sidecar gets come after those of its owner.
    for (const other of others) if (other[0] !== '/bin/sh') expect([sent, later]).toContainEqual(other);
  }
  expectSound([played], 'D2');
  tally('badInputs', 'D2', templates.length);
});

it('D2: with the shipped allowlist, none of them is sent', async () => {
  const played = await sweepWith(
    templates.map(([asked]) => killCommand(asked)),
    { ...wide, annotationCommands: 'allowlist' },
  );
  for (const [index, [asked]] of templates.entries()) {
    expect(sidecarOf(played, index), `${asked}`).toMatchObject({
      outcome: { kind: 'Skipped', reason: { kind: 'CommandNotAllowed' } },
    });
    expect(commandsTo(played, index)).toEqual([]);
  }
  expect(played.exitCode).toBe(exitCodes.unresolved);
  expectSound([played], 'D2');
  tally('badInputs', 'D2', templates.length);
});

const prefix = 'sidecar-sweeper.dev/kill-cmd-';
const command = '["/bin/false"]';

it('D3: keys for containers that the pod does not have change nothing', async () => {
  // A pod with thousands of them is beyond its bound of bytes, and left alone.
  const many = Array.from({ length: 500 }, (_, index) => [`${prefix}container-${index}`, command]);
  const keys = [
    ...['', 'other', 'Sidecar', 'sidecar ', ' sidecar', 'side%63ar', 'sidecar/', '../sidecar', 'sidecar\0'],
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'length', '*'],
  ].map((name) => [[`${prefix}${name}`, command]]);
  const bare = ['__proto__', 'constructor', 'toString', 'valueOf', prefix].map((key) => [[key, command]]);
  const all = [many, ...keys, ...bare].map((entries) => Object.fromEntries(entries));
  const played = await sweepWith(all);
  expect(played.report.pods.map(({ outcome }) => outcome.kind)).toEqual(
    played.report.pods.map(() => 'Ended'),
  );
  expect(played.requests.filter(({ path }) => path.includes('bin%2Ffalse'))).toEqual([]);
  expect(played.exitCode).toBe(exitCodes.resolved);
  expectSound([played], 'D3');
  tally('badInputs', 'D3', all.length);
});
