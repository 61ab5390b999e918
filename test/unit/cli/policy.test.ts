import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { addBrakeFlags, type BrakeFlags } from '../../../src/cli/flags/brake.ts';
import { addCapFlags, type CapFlags } from '../../../src/cli/flags/caps.ts';
import { addPolicyFlags, type PolicyFileFlags } from '../../../src/cli/flags/policy.ts';
import { addScopeFlags, type ScopeFlags } from '../../../src/cli/flags/scope.ts';
import { loadPolicy } from '../../../src/cli/policy.ts';
import { policyFile } from '../../../src/policy/file.ts';
import type { Policy } from '../../../src/policy/policy.ts';

const folder = mkdtempSync(join(tmpdir(), 'sidecar-sweeper-policy-'));
afterAll(() => rmSync(folder, { recursive: true }));

function withFlags(): Command {
  return addBrakeFlags(addCapFlags(addPolicyFlags(addScopeFlags(new Command()))));
}

/** The policy of a command line. */
function policyOf(...argv: readonly string[]): Policy {
  const flags = withFlags().parse([...argv], { from: 'user' });
  return loadPolicy(flags.opts<ScopeFlags & PolicyFileFlags & CapFlags & BrakeFlags>());
}

let files = 0;

function fileWith(fields: object): string {
  const file = join(folder, `policy-${files++}.json`);
  const head = { apiVersion: 'sidecar-sweeper.dev/v1', kind: 'SweepPolicy' };
  writeFileSync(file, JSON.stringify({ ...head, ...fields }));
  return file;
}

describe('the policy depends on the flag', () => {
  const profile = { name: 'mine', containers: ['mine'], images: ['acme/mine'], steps: [] };
  /** For each flag, two command lines that differ in it. */
  const pairs: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
    '--namespace': [
      ['-n', 'a'],
      ['-n', 'b'],
    ],
    '--all-namespaces': [
      ['--policy', fileWith({ namespaces: ['a'] })],
      ['--policy', fileWith({ namespaces: ['a'] }), '-A'],
    ],
    '--exclude-namespace': [[], ['--exclude-namespace', 'a,b']],
    '--namespace-selector': [[], ['--namespace-selector', 'team=a']],
    '--selector': [[], ['-l', 'app=x']],
    '--include-pending': [[], ['--include-pending']],
    '--min-age': [[], ['--min-age', '1h']],
    '--policy': [[], ['--policy', fileWith({ profiles: [profile] })]],
    '--annotation-commands': [[], ['--annotation-commands', 'off']],
    '--unclean-exit': [[], ['--unclean-exit', 'allow']],
    '--last-resort': [[], ['--last-resort', 'evict']],
    '--max-pods': [[], ['--max-pods', '10']],
    '--max-pods-per-namespace': [[], ['--max-pods-per-namespace', '10']],
    '--max-pods-per-node': [[], ['--max-pods-per-node', '10']],
    '--brake-pods': [[], ['--brake-pods', '10']],
    '--brake-share': [[], ['--brake-share', '10']],
    '--noop-image': [
      ['--last-resort', 'image-swap', '--noop-image', 'noop:1'],
      ['--last-resort', 'image-swap', '--noop-image', 'noop:2'],
    ],
    '--keep-logs': [[], ['--keep-logs', '20']],
    '--max-grace': [[], ['--max-grace', '1m']],
    '--noop-programs': [
      ['--noop-image', 'noop:1'],
      ['--noop-image', 'noop:1', '--noop-programs', 'shipped'],
    ],
    '--raise-backoff-limit': [[], ['--raise-backoff-limit']],
  };

  it.each(withFlags().options.map(({ long }) => long ?? ''))('%s', (flag) => {
    const pair = pairs[flag];
    if (!pair) expect.fail(`write two command lines that differ in ${flag}`);
    expect(policyOf(...pair[0])).not.toEqual(policyOf(...pair[1]));
  });
});

it('--all-namespaces looks at all that the policy does not exclude, even if it names some', () => {
  const file = fileWith({ namespaces: ['a'], namespaceSelector: 'team=a', excludeNamespaces: ['b'] });
  expect(policyOf('--policy', file, '-A').scope).toMatchObject({
    namespaces: [],
    namespaceSelector: undefined,
    excludeNamespaces: ['b'],
  });
});

describe('--noop-programs', () => {
  it.each<readonly [written: string, commands: unknown]>([
    ['shipped', 'shipped'],
    ['/opt/agent', ['/opt/agent']],
    ['/opt/agent,sh', ['/opt/agent', 'sh']],
    ['shipped,sh', ['shipped', 'sh']],
  ])('%s', (written, commands) => {
    expect(policyOf('--noop-image', 'noop:1', '--noop-programs', written).swap).toEqual({
      method: 'ImageSwap',
      imageSwap: { image: 'noop:1', commands },
    });
  });

  it('needs an image', () => {
    expect(() => policyOf('--noop-programs', 'shipped')).toThrow('--noop-programs needs --noop-image');
  });
});

describe('the policy depends on the field of the file', () => {
  const fields: Readonly<Record<string, unknown>> = {
    namespaces: ['jobs'],
    excludeNamespaces: ['etl'],
    namespaceSelector: 'team=a',
    labelSelector: 'app=x',
    minAge: '1h',
    annotationCommands: 'off',
    allowedCommands: [['/app/quit']],
    uncleanExit: 'allow',
    imageSwap: { image: 'noop:1', commands: 'shipped' },
    raiseBackoffLimit: true,
    lastResort: [{ evict: true }],
    keepLogs: 20,
    maxGrace: '1m',
    maxPods: 10,
    maxPodsPerNamespace: 5,
    maxPodsPerNode: 5,
    brakePods: 20,
    brakeShare: 12.5,
    rules: [{ name: 'logs', containers: ['log-*'] }],
    profiles: [{ name: 'mine', containers: ['mine'], images: ['acme/mine'], steps: [] }],
    removeProfiles: ['istio'],
  };
  const optional = Object.keys(policyFile.shape).filter(
    (field) => field !== 'apiVersion' && field !== 'kind',
  );

  it.each(optional)('%s', (field) => {
    if (!(field in fields)) expect.fail(`write a value of ${field} that is not the default`);
    const file = fileWith({ [field]: fields[field] });
    expect(policyOf('--policy', file)).not.toEqual(policyOf());
  });
});
