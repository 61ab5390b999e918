import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addFlags } from '../../../src/cli/arguments.ts';
import { chooseShard, loadPolicy } from '../../../src/cli/policy.ts';
import type { Field, Flag } from '../../../src/policy/flag.ts';
import { endingFlags, fileFields, limitFlags, scopeFlags } from '../../../src/policy/flags.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { policyFile } from '../../../src/policy/policy-file.ts';
import { UsageError } from '../../../src/util/usage-error.ts';
import { policyFlag } from '../../kit/cli.ts';

function policyOf(argv: readonly string[], written: object = {}): Policy {
  const command = new Command();
  addFlags(command, 'sweep');
  const file = Object.keys(written).length > 0 ? policyFlag(written) : [];
  const flags = command.parse([...argv, ...file], { from: 'user' }).opts();
  return loadPolicy(flags, { JOB_COMPLETION_INDEX: '1' });
}

/** A value that is not the default, and another one. */
function examplesOf({ value, default: byDefault }: Field): readonly [unknown, unknown] {
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
    case 'Name':
    case 'File':
      return ['one', 'other'];
    case 'Url':
      return ['http://one', 'http://other'];
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
    allNamespaces: [policyFlag({ namespaces: ['a'] }), [...policyFlag({ namespaces: ['a'] }), '-A']],
    includePending: [[], ['--include-pending']],
    shard: [[], ['--shard', '0/2']],
    shards: [[], ['--shards', '2']],
    policy: [[], policyFlag({ profiles: [profile] })],
    lastResort: [[], ['--last-resort', 'evict']],
    noopImage: [
      ['--last-resort', 'image-swap', '--noop-image', 'noop:1'],
      ['--last-resort', 'image-swap', '--noop-image', 'noop:2'],
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
    ...Object.fromEntries(Object.entries<Field>(fileFields).map(([name, row]) => [name, examplesOf(row)[0]])),
  };
  const asFlags = new Set(rows.flatMap(([name, row]) => (row.field === true ? name : [])));
  const others = Object.keys(policyFile.shape).filter(
    (field) => field !== 'apiVersion' && field !== 'kind' && !asFlags.has(field),
  );

  it.each(others)('the field %s', (field) => {
    if (!(field in fields)) expect.fail(`write a value of ${field} that is not the default`);
    expect(policyOf([], { [field]: fields[field] })).not.toEqual(policyOf([]));
  });
});

it('--all-namespaces looks at all that the policy does not exclude, even if it names some', () => {
  const written = { namespaces: ['a'], namespaceSelector: 'team=a', excludeNamespaces: ['b'] };
  const expected = { namespaces: [], namespaceSelector: undefined, excludeNamespaces: ['b'] };
  expect(policyOf(['-A'], written).scope).toMatchObject(expected);
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
    ['the Job has more completions', { JOB_COMPLETION_INDEX: '10' }, /the shards are 0 to 9/],
    ['the index is not a number', { JOB_COMPLETION_INDEX: '' }, /the shards are 0 to 9/],
  ])('is an error if %s, and the message says what to do', (_why, env, says) => {
    expect(() => chooseShard({ shards: 10 }, env)).toThrow(UsageError);
    expect(() => chooseShard({ shards: 10 }, env)).toThrow(says);
  });
});
