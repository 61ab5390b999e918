import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { tombstone } from '../../../src/methods/tombstone.ts';
import type { ExecResult } from '../../../src/ports.ts';
import type { AttemptResult, PodRef, TombstoneStep } from '../../../src/vocabulary.ts';
import { clusterWith } from '../../builders/cluster.ts';
import { steps } from '../../builders/plan.ts';

const pod: PodRef = { namespace: 'demo', name: 'work', uid: 'uid-1' };
const { signal } = new AbortController();
const folder = mkdtempSync(join(tmpdir(), 'tombstones-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The command that writes a file. */
async function commandOf(step: TombstoneStep): Promise<readonly string[]> {
  const commands: (readonly string[])[] = [];
  const cluster = clusterWith({
    async exec(_pod, _container, command) {
      commands.push(command);
      return { kind: 'Exited', exitCode: 0, output: '' };
    },
  });
  await tombstone.send(cluster, pod, 'sidecar', step, signal);
  const [command] = commands;
  if (!command || commands.length > 1) expect.fail('one command was to be sent');
  return command;
}

function attempt(result: ExecResult): Promise<AttemptResult> {
  return tombstone.send(clusterWith({ exec: async () => result }), pod, 'sidecar', steps.Tombstone, signal);
}

it.each([
  ['a tombstone', 'Born: 2020-01-01T00:00:00Z\nExitCode: 0\n'],
  ['nothing', ''],
  ['what a shell or printf would take apart', '$(touch evil) `touch evil` "\' %s %d \\n\\0 -n'],
])('a real shell writes it as it stands: %s', async (name, content) => {
  const path = join(folder, `${name} $(touch evil); "'`);
  const [program = '', ...args] = await commandOf({ ...steps.Tombstone, path, content });
  execFileSync(program, args, { cwd: folder });
  expect(readFileSync(path, 'utf8')).toBe(content);
  expect(readdirSync(folder)).not.toContain('evil');
});

it('a file that was written is accepted', async () => {
  expect(await attempt({ kind: 'Exited', exitCode: 0, output: '' })).toEqual({ kind: 'Accepted' });
});

it('a file that cannot be written says why, at once', async () => {
  const output = "sh: can't create /graveyard/work: nonexistent directory";
  expect(await attempt({ kind: 'Exited', exitCode: 1, output })).toEqual({
    kind: 'Unsupported',
    message: `exit code 1: ${output}`,
  });
  expect(await attempt({ kind: 'Exited', exitCode: 2, output: '' })).toEqual({
    kind: 'Unsupported',
    message: 'exit code 2',
  });
});

it('an image without a shell has no such program', async () => {
  expect(await attempt({ kind: 'NoSuchProgram', message: 'why' })).toEqual({
    kind: 'NoSuchProgram',
    program: '/bin/sh',
    message: 'why',
  });
});

it.each(['Refused', 'Undelivered', 'Unconfirmed'] as const)('%s stays what it is', async (kind) => {
  expect(await attempt({ kind, message: 'why' })).toEqual({ kind, message: 'why' });
});
