import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addFlags, readPods } from '../../../src/cli/arguments.ts';
import type { FlagsOf } from '../../../src/cli/flags.ts';
import { parseArguments } from '../../../src/cli/program.ts';

function argv(line: string): readonly string[] {
  return line.split(' ').filter((word) => word !== '');
}

function flagsOf(line: string): FlagsOf<'sweep'> {
  const command = new Command();
  addFlags(command, 'sweep');
  return command.parse([...argv(line)], { from: 'user' }).opts();
}

function messageOf(words: readonly string[]): string {
  const parsed = parseArguments(words[0]?.startsWith('-') ? ['sweep', ...words] : words);
  if (parsed.kind !== 'Wrong') expect.fail(`accepted: ${words.join(' ')}`);
  return parsed.message;
}

it.each<readonly [line: string, expected: FlagsOf<'sweep'>]>([
  ['--namespace jobs', { namespaces: ['jobs'] }],
  ['-n jobs -n etl', { namespaces: ['jobs', 'etl'] }],
  ['-n jobs,etl', { namespaces: ['jobs', 'etl'] }],
  ['-n jobs -n jobs', { namespaces: ['jobs'] }],
  ['--min-age 30m', { minAge: 1_800_000 }],
  ['--min-age 0', { minAge: 0 }],
  ['--concurrency 1', { concurrency: 1 }],
  ['--concurrency 1000', { concurrency: 1_000 }],
  // As in kubectl.
  ['--request-timeout 5', { requestTimeout: 5_000 }],
  ['--shard 0/1', { shard: { index: 0, of: 1 } }],
  ['--shard 999/1000', { shard: { index: 999, of: 1000 } }],
])('flags are read: %s', (line, expected) => {
  expect(flagsOf(line)).toEqual(expected);
});

describe('an unusable value is reported in one line that names the mistake:', () => {
  it.each([
    ['-n', '--namespace'],
    ['--deadline', '--deadline'],
    ['-n Jobs', 'Jobs'],
    ['-n -jobs', '-jobs'],
    ['-n jobs,', 'jobs,'],
    ['--concurrency 0', '1 to 1000'],
    ['--concurrency 1001', '1 to 1000'],
    ['--min-age 5', '90s'],
    ['--deadline 0s', '24d'],
    ['--request-timeout 1m5', '90s'],
    ['-o xml', 'table, wide, json, yaml, ndjson, markdown, name'],
    ['--as', '--as'],
    ['--context=', 'omit the flag'],
    ['--log-level loud', 'debug'],
    ['--last-resort hope', 'image-swap, deadline, evict, delete'],
    ['--dry-run=server', '--dry-run'],
    ['--lock ..', 'not a valid namespace name'],
    ['--noop-image -', 'registry.example/noop:1'],
    ...['3/3', '1', '-1/3', '1/0', '0/0', '1/3/5', 'a/b', '0/1001', '1.0/3'].map((value) => [
      `--shard ${value}`,
      'from 0 to n-1',
    ]),
  ])('%s', (line, names) => {
    const message = messageOf(argv(line));
    expect(message).toContain(names);
    expect(message).not.toMatch(/\n|^error/);
  });

  it.each([
    ['-A -n jobs', '-A, --all-namespaces', '-n, --namespace <namespace>'],
    ['--lock a --no-lock', '--lock <namespace>', '--no-lock'],
    ['check-access --no-lock --lock a', '--lock <namespace>', '--no-lock'],
    ['scan -A -n jobs', '-A, --all-namespaces', '-n, --namespace <namespace>'],
    ['--shard 1/2 --shards 2', '--shard <i/n>', '--shards <n>'],
  ])('%s', (line, one, other) => {
    expect(messageOf(argv(line))).toBe(`option '${one}' cannot be used with option '${other}'`);
  });
});

describe('a pod is named', () => {
  // biome-ignore format: as many as fit on a line
  it.each<readonly [word: string, namespaces: readonly string[]]>([
    ['jobs/x', []], ['jobs/x', ['etl']], ['x', ['jobs']], ['pod/x', ['jobs']], ['pods/x', ['jobs']],
    ['po/x', ['jobs']],
  ])('%s in %j', (word, namespaces) => {
    expect(readPods([word], { namespaces })).toEqual([{ namespace: 'jobs', name: 'x' }]);
  });

  it.each(['x', 'pod/x', 'po/x'])('%s in the namespace of the context, which is known later', (word) => {
    expect(readPods([word])).toEqual([{ namespace: '', name: 'x' }]);
  });

  it.each<readonly [word: string, namespaces: readonly string[], says: RegExp]>([
    ['x', ['jobs', 'etl'], /may be in any of jobs, etl/],
    ['x', [], /may be in any namespace/],
    ['a/b/c', [], /is not a pod's name/],
    ['/x', ['jobs'], /is not a pod's name/],
    ['jobs/', [], /is not a pod's name/],
    ['pod/', ['jobs'], /is not a pod's name/],
    // As parts of a path, these would lead to other objects.
    ['../x', [], /'..' is not a valid namespace name/],
    ['jobs/..', [], /is not a valid pod name/],
    ['..', ['jobs'], /is not a valid pod name/],
    ['Jobs/x', [], /'Jobs' is not a valid namespace name/],
    ['billing/Äö', [], /^'Äö' is not a valid pod name$/],
    ['jobs/x y', [], /is not a valid pod name/],
    ['jobs/x?watch=1', [], /is not a valid pod name/],
  ])('but not %j in %j', (word, namespaces, says) => {
    expect(() => readPods([word], { namespaces, allNamespaces: namespaces.length === 0 })).toThrow(says);
  });
});
