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

it('a last resort by flag replaces those of the file', () => {
  const { lastResort } = resolve({ lastResort: ['delete', 'deadline'] }, written);
  expect(lastResort).toMatchObject([{ delete: true }, { deadline: true }]);
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

  it('is the shipped one when a file says nothing of it', () => {
    expect(changedCatalogue(undefined)).toEqual(catalogue);
    expect(changedCatalogue(fileOf({}))).toEqual(catalogue);
  });

  it('begins with what is added, because the first profile that fits is taken', () => {
    const profiles = [
      { name: 'mine', ...entry },
      { name: 'yours', ...entry },
    ];
    expect(names({ profiles })).toEqual(['mine', 'yours', ...shipped]);
  });

  it('has one entry of a name that is given again, the new one', () => {
    const istio = { name: 'istio', ...entry };
    const changed = changedCatalogue(fileOf({ profiles: [istio] }));
    expect(changed).toHaveLength(catalogue.length);
    expect(changed.filter(({ name }) => name === 'istio')).toEqual([istio]);
  });

  it('lacks what is removed', () => {
    expect(names({ removeProfiles: ['istio', 'stunnel'] })).toEqual(
      shipped.filter((name) => name !== 'istio' && name !== 'stunnel'),
    );
    expect(names({ removeProfiles: shipped })).toEqual([]);
  });

  it('can lose one and get another of the same name', () => {
    const profiles = [{ name: 'istio', ...entry }];
    expect(names({ removeProfiles: ['istio'], profiles })).toEqual([
      'istio',
      ...shipped.filter((name) => name !== 'istio'),
    ]);
  });
});

describe('a last resort by flag', () => {
  it('is taken in the order in which the flags stand', () => {
    const { lastResort } = resolve({ lastResort: ['evict', 'image-swap'], noopImage: 'noop:1' });
    expect(lastResort).toEqual([
      { method: 'Evict', evict: true },
      { method: 'ImageSwap', imageSwap: { image: 'noop:1' } },
    ]);
  });

  it('that swaps images needs an image', () => {
    const withoutImage = () => resolve({ lastResort: ['image-swap'] });
    expect(withoutImage).toThrow(UsageError);
    expect(withoutImage).toThrow('--last-resort image-swap needs --noop-image');
  });

  it('can be any method that needs no more than the flag says', () => {
    expect(lastResortNames).toEqual(['image-swap', 'deadline', 'evict', 'delete']);
    const { lastResort } = resolve({ lastResort: lastResortNames, noopImage: 'noop:1' });
    expect(lastResort).toEqual([
      { method: 'ImageSwap', imageSwap: { image: 'noop:1' } },
      { method: 'Deadline', deadline: true },
      { method: 'Evict', evict: true },
      { method: 'Delete', delete: true },
    ]);
  });
});

describe('the image swap before uncertain steps', () => {
  const swapOf = (flags: Partial<PolicyFlags>, written?: object) => resolve(flags, written).swap;
  const inFile = { imageSwap: { image: 'noop:2', commands: ['/opt/agent'] } };

  it('is allowed by --noop-image alone', () => {
    const expected = { method: 'ImageSwap', imageSwap: { image: 'noop:1' } };
    expect(swapOf({ noopImage: 'noop:1' })).toStrictEqual(expected);
    expect(resolve({ noopImage: 'noop:1' }).lastResort).toEqual([]);
    expect(swapOf({})).toBeUndefined();
  });

  it('has the programs that the file names, if the flag names the same image', () => {
    const swap = { method: 'ImageSwap', ...inFile };
    expect(swapOf({ noopImage: 'noop:2' }, inFile)).toEqual(swap);
    expect(resolve({ lastResort: ['image-swap'], noopImage: 'noop:2' }, inFile).lastResort).toEqual([swap]);
    expect(resolve({ lastResort: ['image-swap'] }, inFile).lastResort).toEqual([swap]);
  });

  it('stays the last if --last-resort names it, whatever the file says', () => {
    expect(swapOf({ noopImage: 'noop:1', lastResort: ['image-swap'] })).toBeUndefined();
    expect(swapOf({ noopImage: 'noop:1', lastResort: ['evict', 'image-swap'] }, inFile)).toBeUndefined();
  });

  it('is allowed beside another last resort', () => {
    const { swap, lastResort } = resolve({ noopImage: 'noop:1', lastResort: ['evict'] });
    expect(swap).toMatchObject({ imageSwap: { image: 'noop:1' } });
    expect(lastResort).toEqual([{ method: 'Evict', evict: true }]);
  });

  it('is allowed by the file, and the flag takes precedence', () => {
    expect(swapOf({}, inFile)).toEqual({ method: 'ImageSwap', ...inFile });
    const expected = { method: 'ImageSwap', imageSwap: { image: 'noop:1' } };
    expect(swapOf({ noopImage: 'noop:1' }, inFile)).toStrictEqual(expected);
    expect(swapOf({}, { imageSwap: { image: 'noop:2', commands: 'shipped' } })).toMatchObject({
      imageSwap: { commands: 'shipped' },
    });
  });

  it('is not allowed by the last resort of a file', () => {
    expect(swapOf({}, { lastResort: [inFile] })).toBeUndefined();
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
