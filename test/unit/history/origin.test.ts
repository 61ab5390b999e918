import { describe, expect, it } from 'vitest';
import { originOf } from '../../../src/history/origin.ts';
import { now } from '../../builders/pod-view.ts';

const due = Math.floor(now / 60_000) - 5;

describe('the origin of a pod', () => {
  it.each<readonly [owner: string | undefined, pod: string, origin: string]>([
    [`Job/nightly-${due}`, 'x', 'CronJob/nightly'],
    [`Job/nightly-2-${due}`, 'x', 'CronJob/nightly-2'],
    ['Job/import', 'x', 'Job/import'],
    // Minutes since 1970 these would be in the years 2008 and 2160.
    ['Job/import-20261121', 'x', 'Job/import-*'],
    ['Job/import-99999999', 'x', 'Job/import-*'],
    ['Workflow/nightly-1795233600', 'x', 'Workflow/nightly-*'],
    ['Workflow/etl-x7k2p', 'x', 'Workflow/etl-*'],
    ['Job/part-7', 'x', 'Job/part-7'],
    ['Job/load-data', 'x', 'Job/load-data'],
    ['Job/load-users', 'x', 'Job/load-users'],
    [undefined, 'dag-load-4f8k2xq1', 'Pod/dag-load-*'],
    [undefined, 'once', 'Pod/once'],
  ])('%s, pod %s: %s', (owner, name, origin) => {
    const [kind = '', own = ''] = owner?.split('/') ?? [];
    const found = originOf({
      namespace: 'demo',
      name,
      owner: owner === undefined ? undefined : { kind, name: own },
      mainsEndedAt: now,
    });
    expect(`${found.kind}/${found.name}`).toBe(origin);
  });
});
