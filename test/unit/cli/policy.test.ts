import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addFlags } from '../../../src/cli/arguments.ts';
import { chooseShard, loadPolicy } from '../../../src/cli/policy.ts';
import { policyFile } from '../../../src/policy/file.ts';
import type { Flag } from '../../../src/policy/flag.ts';
import { endingFlags, limitFlags, scopeFlags } from '../../../src/policy/flags.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { UsageError } from '../../../src/util/usage-error.ts';
import { temporaryFolder } from '../../kit/started.ts';

const folder = temporaryFolder('policy');

/** The policy of a command line. */
function policyOf(argv: readonly string[], written: object = {}): Policy {
  const command = new Command();
  const readFlags = addFlags(command, 'sweep');
  command.parse([...argv], { from: 'user' });
  const file = Object.keys(written).length > 0 && { policy: fileWith(written) };
  return loadPolicy({ ...readFlags(), ...file }, { JOB_COMPLETION_INDEX: '1' });
}

let files = 0;

function fileWith(fields: object): string {
  const file = join(folder, `policy-${files++}.json`);
  const head = { apiVersion: 'sidecar-sweeper.dev/v1', kind: 'SweepPolicy' };
  writeFileSync(file, JSON.stringify({ ...head, ...fields }));
  return file;
}

/** A value that is not the default, and another one. */
function examplesOf({ value, default: byDefault }: Flag): readonly [unknown, unknown] {
  switch (value?.kind) {
    case undefined:
      return [true, false];
    case 'Namespaces':
      return [['a'], ['b']];
    case 'Selector':
      return ['x=1', 'x=2'];
    case 'Duration':
    case 'Timer':
      return ['1m', '2m'];
    case 'Number':
    case 'Percent':
      return [7, 9];
    case 'Choice':
      return [value.of.find((one) => one !== byDefault), byDefault];
    default:
      return expect.fail(`write an example for ${value?.kind}`);
  }
}

const rows = Object.entries<Flag>({ ...scopeFlags, ...endingFlags, ...limitFlags });
const profile = { name: 'mine', containers: ['mine'], images: ['acme/mine'], steps: [] };

describe('a flag and the field of the same name set the same, and the flag takes precedence:', () => {
  it.each(rows.filter(([, row]) => row.field === true))('%s', (name, row) => {
    const [one, other] = examplesOf(row);
    const long = /--[a-z-]+/.exec(row.flags)?.[0] ?? '';
    const argv = row.value === undefined ? [long] : [long, String(one)];
    const policy = policyOf(argv);
    expect(policy).not.toEqual(policyOf([]));
    expect(policyOf([], { [name]: one })).toEqual(policy);
    expect(policyOf(argv, { [name]: other })).toEqual(policy);
  });
});

describe('the policy depends on', () => {
  /** For each flag that is no field, two command lines that differ in it. */
  const pairs: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
    allNamespaces: [
      ['--policy', fileWith({ namespaces: ['a'] })],
      ['--policy', fileWith({ namespaces: ['a'] }), '-A'],
    ],
    includePending: [[], ['--include-pending']],
    shard: [[], ['--shard', '0/2']],
    shards: [[], ['--shards', '2']],
    policy: [[], ['--policy', fileWith({ profiles: [profile] })]],
    lastResort: [[], ['--last-resort', 'evict']],
    noopImage: [
      ['--last-resort', 'image-swap', '--noop-image', 'noop:1'],
      ['--last-resort', 'image-swap', '--noop-image', 'noop:2'],
    ],
    noopPrograms: [
      ['--noop-image', 'noop:1'],
      ['--noop-image', 'noop:1', '--noop-programs', 'shipped'],
    ],
  };

  it.each(rows.filter(([, row]) => row.field !== true).map(([name]) => name))('the flag %s', (name) => {
    const pair = pairs[name];
    if (!pair) expect.fail(`write two command lines that differ in ${name}`);
    expect(policyOf(pair[0])).not.toEqual(policyOf(pair[1]));
  });

  const fields: Readonly<Record<string, unknown>> = {
    allowedCommands: [['/app/quit']],
    imageSwap: { image: 'noop:1', commands: 'shipped' },
    lastResort: [{ evict: true }],
    rules: [{ name: 'logs', containers: ['log-*'] }],
    profiles: [profile],
    removeProfiles: ['istio'],
    brakeShare: 12.5,
  };
  const asFlags = new Set(rows.flatMap(([name, row]) => (row.field === true ? name : [])));
  const others = Object.keys(policyFile.shape).filter(
    (field) => field !== 'apiVersion' && field !== 'kind' && !asFlags.has(field),
  );

  it.each([...others, 'brakeShare'])('the field %s', (field) => {
    if (!(field in fields)) expect.fail(`write a value of ${field} that is not the default`);
    expect(policyOf([], { [field]: fields[field] })).not.toEqual(policyOf([]));
  });
});

it('--all-namespaces looks at all that the policy does not exclude, even if it names some', () => {
  const written = { namespaces: ['a'], namespaceSelector: 'team=a', excludeNamespaces: ['b'] };
  expect(policyOf(['-A'], written).scope).toMatchObject({
    namespaces: [],
    namespaceSelector: undefined,
    excludeNamespaces: ['b'],
  });
});

describe('--noop-programs', () => {
  it.each<readonly [written: string, commands: unknown]>([
    ['shipped', 'shipped'],
    ['/opt/agent', ['/opt/agent']],
    ['shipped,sh', ['shipped', 'sh']],
  ])('%s', (written, commands) => {
    expect(policyOf(['--noop-image', 'noop:1', '--noop-programs', written]).swap).toEqual({
      method: 'ImageSwap',
      imageSwap: { image: 'noop:1', commands },
    });
  });

  it('needs an image', () => {
    expect(() => policyOf(['--noop-programs', 'shipped'])).toThrow('--noop-programs needs --noop-image');
  });
});

describe('the shard', () => {
  it('is undefined by default, even in an Indexed Job', () => {
    expect(chooseShard({}, { JOB_COMPLETION_INDEX: '1' })).toBeUndefined();
  });

  it('comes from the completion index with --shards', () => {
    expect(chooseShard({ shards: 10 }, { JOB_COMPLETION_INDEX: '9' })).toEqual({ index: 9, of: 10 });
  });

  it.each<readonly [why: string, env: Record<string, string>, says: RegExp]>([
    ['there is no completion index', {}, /Indexed Job; elsewhere, use --shard i\/10$/],
    ['the Job has more completions', { JOB_COMPLETION_INDEX: '10' }, /the parts are 0 to 9/],
    ['the index is not a number', { JOB_COMPLETION_INDEX: '' }, /the parts are 0 to 9/],
  ])('is an error if %s, and the message says what to do', (_why, env, says) => {
    expect(() => chooseShard({ shards: 10 }, env)).toThrow(UsageError);
    expect(() => chooseShard({ shards: 10 }, env)).toThrow(says);
  });
});
