import { describe, expect, it } from 'vitest';
import { shippedAllowlist } from '../../../src/methods/allowlist.ts';

import { catalogue } from '../../../src/policy/catalogue.ts';
import { endingFlags } from '../../../src/policy/flags.ts';
import {
  changedCatalogue,
  type Policy,
  type PolicyFlags,
  resolvePolicy,
} from '../../../src/policy/policy.ts';
import { UsageError } from '../../../src/util/usage-error.ts';
import { fileOf } from '../../builders/policy.ts';

const { of: lastResortNames } = endingFlags.lastResort.value;
const noFlags: PolicyFlags = { namespaces: [], lastResort: [] };

function resolve(flags: Partial<PolicyFlags> = {}, written?: object): Policy {
  return resolvePolicy({ ...noFlags, ...flags }, written && fileOf(written));
}

it('without flags and without a file, a policy is careful', () => {
  const unselected = { namespaceSelector: undefined, labelSelector: undefined };
  const everything = { namespaces: [], excludeNamespaces: [], ...unselected };
  expect(resolve()).toEqual({
    scope: { ...everything, shard: undefined, includePending: false },
    minAge: 300_000,
    rules: [],
    catalogue,
    annotationCommands: { kind: 'Allowlist', patterns: shippedAllowlist },
    uncleanExit: 'forbid',
    lastResort: [],
    brakePods: 1_000,
    brakeShare: 100,
    keepLogs: 0,
    maxGrace: 360_000,
    swap: undefined,
    noopImages: [],
    raiseBackoffLimit: false,
    events: false,
  });
  expect(resolve({}, {})).toEqual(resolve());
});

const quit = ['/app/quit', '<word>'];
const written = { namespaces: ['jobs'], minAge: '1h', lastResort: [{ evict: true }] };

describe('the namespaces of a policy', () => {
  const scoped = { namespaces: ['jobs', 'etl'], namespaceSelector: 'team=a', excludeNamespaces: ['web'] };
  it('are those of the flags, if they name any, else those of the file', () => {
    expect(resolve({}, scoped).scope).toMatchObject(scoped);
    const expected = { namespaces: ['a'], namespaceSelector: undefined, excludeNamespaces: ['web'] };
    expect(resolve({ namespaces: ['a'] }, scoped).scope).toMatchObject(expected);
  });

  it('are without those excluded, and never none at all, which would mean all', () => {
    const file = { ...scoped, excludeNamespaces: ['etl'] };
    expect(resolve({}, file).scope.namespaces).toEqual(['jobs']);
    expect(() => resolve({ namespaces: ['web'] }, scoped)).toThrow('web is named and excluded');
  });
});

it.each<readonly [file: object, brake: number]>([
  [{}, 1_000],
  [{ maxPods: 200 }, 1_000],
  [{ maxPods: 20_000 }, 20_000],
  [{ maxPods: 20_000, brakePods: 50 }, 50],
  [{ maxPodsPerNamespace: 20_000 }, 1_000],
])('with %j, the brake takes hold beyond %i pods', (file, brake) => {
  expect(resolve({}, file).brakePods).toBe(brake);
});

it('a cap by flag leaves the other caps of the file', () => {
  const file = { ...written, maxPods: 9, maxPodsPerNode: 3 };
  expect(resolve({ maxPods: 5 }, file)).toMatchObject({ maxPods: 5, maxPodsPerNode: 3 });
});

describe('the allowlist', () => {
  it('is the shipped one and what the file adds', () => {
    const expected = { kind: 'Allowlist', patterns: [...shippedAllowlist, quit] };
    expect(resolve({}, { allowedCommands: [quit] }).annotationCommands).toEqual(expected);
  });

  it.each([
    ['off', { kind: 'Off' }],
    ['any', { kind: 'Any' }],
  ] as const)('is of no account when annotation commands are %s', (annotationCommands, expected) => {
    const file = { annotationCommands, allowedCommands: [quit] };
    expect(resolve({}, file).annotationCommands).toEqual(expected);
  });
});

describe('the catalogue', () => {
  const entry = { containers: ['x'], images: ['x'], steps: [] };
  const names = (fields: object) => changedCatalogue(fileOf(fields)).map(({ name }) => name);
  const shipped = catalogue.map(({ name }) => name);

  const named = (...all: readonly string[]) => ({ profiles: all.map((name) => ({ name, ...entry })) });
  const without = (...all: readonly string[]) => shipped.filter((name) => !all.includes(name));

  // biome-ignore format: one row a line
  it.each<readonly [title: string, fields: object, expected: readonly string[]]>([
    ['is the shipped one when a file says nothing of it', {}, shipped],
    ['begins with what is added, because the first profile that fits is taken', named('mine', 'yours'), ['mine', 'yours', ...shipped]],
    ['has one entry of a name that is given again', named('istio'), ['istio', ...without('istio')]],
    ['lacks what is removed', { removeProfiles: ['istio', 'stunnel'] }, without('istio', 'stunnel')],
    ['may be empty', { removeProfiles: shipped }, []],
    ['can lose one and get another of the same name', { ...named('istio'), removeProfiles: ['istio'] }, ['istio', ...without('istio')]],
  ])('%s', (_title, fields, expected) => {
    expect(names(fields)).toEqual(expected);
  });

  it('has the new entry of a name, and is the shipped one without a file', () => {
    expect(changedCatalogue(fileOf(named('istio')))[0]).toEqual({ name: 'istio', ...entry });
    expect(changedCatalogue(undefined)).toEqual(catalogue);
  });
});

describe('a last resort by flag', () => {
  it('that swaps images needs an image', () => {
    const withoutImage = () => resolve({ lastResort: ['image-swap'] });
    expect(withoutImage).toThrow(UsageError);
    expect(withoutImage).toThrow('--last-resort image-swap needs --noop-image');
  });

  it('replaces those of the file, in the order of the flags, with any method that needs no more than a flag says', () => {
    expect(lastResortNames).toEqual(['image-swap', 'deadline', 'evict', 'delete']);
    const { lastResort } = resolve(
      { lastResort: lastResortNames.toReversed(), noopImage: 'noop:1' },
      written,
    );
    expect(lastResort).toEqual([
      { method: 'Delete', delete: true },
      { method: 'Evict', evict: true },
      { method: 'Deadline', deadline: true },
      { method: 'ImageSwap', imageSwap: { image: 'noop:1' } },
    ]);
  });
});

describe('the image swap before uncertain steps', () => {
  const inFile = { imageSwap: { image: 'noop:2', commands: ['/opt/agent'] } };

  const byFlag = { method: 'ImageSwap', imageSwap: { image: 'noop:1' } } as const;
  const byFile = { method: 'ImageSwap', ...inFile } as const;
  const evict = { method: 'Evict', evict: true } as const;
  const shipped = { imageSwap: { image: 'noop:2', commands: 'shipped' } } as const;

  // biome-ignore format: one row a line
  it.each<readonly [string, Partial<PolicyFlags>, object | undefined, Pick<Policy, 'swap' | 'lastResort'>]>([
    ['is not allowed by default', {}, undefined, { swap: undefined, lastResort: [] }],
    ['is allowed by --noop-image alone', { noopImage: 'noop:1' }, undefined, { swap: byFlag, lastResort: [] }],
    ['has the programs that the file names, if the flag names the same image', { noopImage: 'noop:2' }, inFile, { swap: byFile, lastResort: [] }],
    ['is the last if --last-resort names it, with the programs of the file', { noopImage: 'noop:2', lastResort: ['image-swap'] }, inFile, { swap: undefined, lastResort: [byFile] }],
    ['is the last with the image of the file', { lastResort: ['image-swap'] }, inFile, { swap: undefined, lastResort: [byFile] }],
    ['is the last with the image of the flag, whatever the file says', { noopImage: 'noop:1', lastResort: ['evict', 'image-swap'] }, inFile, { swap: undefined, lastResort: [evict, byFlag] }],
    ['is allowed beside another last resort', { noopImage: 'noop:1', lastResort: ['evict'] }, undefined, { swap: byFlag, lastResort: [evict] }],
    ['is allowed by the file', {}, inFile, { swap: byFile, lastResort: [] }],
    ['is allowed by the file, with the programs that are shipped', {}, shipped, { swap: { method: 'ImageSwap', ...shipped }, lastResort: [] }],
    ['is that of the flag before that of the file', { noopImage: 'noop:1' }, inFile, { swap: byFlag, lastResort: [] }],
    ['is not allowed by the last resort of a file', {}, { lastResort: [inFile] }, { swap: undefined, lastResort: [byFile] }],
  ])('%s', (_title, flags, file, expected) => {
    const { swap, lastResort } = resolve(flags, file);
    expect({ swap, lastResort }).toStrictEqual(expected);
  });
});

it('the no-op images of a policy are those of its swap, its last resort and its profiles', () => {
  const lastResort = [{ delete: true }, { imageSwap: { image: 'late:1' } }];
  const images = (fields: object) => resolve({}, fields).noopImages;
  expect(images({ lastResort, imageSwap: { image: 'early:1' } })).toEqual(['early:1', 'late:1']);
  const steps = [{ imageSwap: { image: 'own:1' } }];
  const profile = { name: 'own', containers: ['own'], images: ['own'], steps };
  expect(images({ profiles: [profile] })).toEqual(['own:1']);
  expect(images({})).toEqual([]);
});
