import { describe, expect, it } from 'vitest';
import { checkAccess } from '../../src/check-access.ts';
import { stepSpec } from '../../src/methods/index.ts';
import type { Access, Permission } from '../../src/model/ports.ts';
import type { Policy } from '../../src/policy/policy.ts';
import { policy } from '../builders/policy.ts';

/** What is asked of each, and what is optional, for the sweep of these namespaces. */
async function check(
  namespaces: readonly string[],
  answer: Access = { kind: 'Allowed' },
  lockNamespace?: string,
  more: Partial<Policy> = {},
) {
  const asked: Permission[] = [];
  const { report, problem } = await checkAccess({
    policy: policy({ scope: { namespaces, labelSelector: undefined }, ...more }),
    cluster: {
      warnings: [],
      async mayI(permission) {
        asked.push(permission);
        return permission.namespace === 'kube-system' ? { kind: 'Denied' } : answer;
      },
    },
    lockNamespace,
    stop: new AbortController().signal,
  });
  return { asked, report, problem };
}

const kubeSystem = { namespace: 'kube-system', name: 'kube-system' };
const reads = { verb: 'get', group: '', resource: 'namespaces', ...kubeSystem };

it('asks for the namespace that tells which cluster it is, and can do without', async () => {
  const { asked, report } = await check(['jobs']);
  expect(asked).toContainEqual(reads);
  const expected = { ...reads, for: 'identify the cluster', optional: true, allowed: 'No' };
  expect(report.permissions).toContainEqual(expected);
  expect(report.rulesToAdd).toEqual([]);
});

it('does not ask for it if all namespaces are to be read', async () => {
  expect((await check([])).asked).not.toContainEqual(reads);
});

it('asks for the two Leases by their names, as Roles grant them, and prints each verb once', async () => {
  const { asked, report } = await check(['jobs'], { kind: 'Denied' }, 'tools');
  const leases = asked.filter(({ resource }) => resource === 'leases');
  const resourceNames = ['sidecar-sweeper', 'sidecar-sweeper-learnt'];
  const named = ['get', 'update'].flatMap((verb) => resourceNames.map((name) => [verb, name]));
  expect(leases.map(({ verb, name }) => [verb, name])).toEqual([['create', undefined], ...named]);
  expect(report.rulesToAdd.find(({ namespace }) => namespace === 'tools')?.rules).toMatchObject([
    { resources: ['leases'], verbs: ['create'] },
    { resources: ['leases'], verbs: ['get', 'update'], resourceNames },
  ]);
});

it('does not need to run or reach anything in a container if it may swap images', async () => {
  const swap = stepSpec.parse({ imageSwap: { image: 'noop:1' } });
  const reaching = ['exec', 'portforward'];
  const missing = async (more: Partial<Policy>) => {
    const { report } = await check(['jobs'], { kind: 'Denied' }, undefined, more);
    return report.rulesToAdd.flatMap(({ rules }) => rules.flatMap(({ resources }) => resources));
  };
  expect(await missing({})).toEqual(expect.arrayContaining(reaching.map((each) => `pods/${each}`)));
  const withSwap = await missing({ swap });
  expect(withSwap).toContain('pods');
  expect(withSwap.filter((each) => each.startsWith('pods/'))).toEqual([]);
});

describe('why an answer is missing', () => {
  it('is told once, and the permission is unknown', async () => {
    const problem = { kind: 'TimedOut', message: 'no answer' } as const;
    const { report, ...checked } = await check(['jobs'], { kind: 'Unreadable', problem });
    expect(checked.problem).toEqual(problem);
    expect(report.permissions.filter(({ allowed }) => allowed === 'No')).toMatchObject([reads]);
    expect(report.permissions.some(({ allowed }) => allowed === 'Yes')).toBe(false);
  });

  it('is nothing if there is no such answer', async () => {
    expect((await check(['jobs'])).problem).toBeUndefined();
  });
});
