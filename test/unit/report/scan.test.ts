import { describe, expect, it } from 'vitest';
import type { Exclusion } from '../../../src/model/verdict.ts';
import type { SweepEvent } from '../../../src/plan/sweep-event.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { foundRecords, JudgedPods } from '../../../src/report/judged-pods.ts';
import { reportScan, reportStuckPod } from '../../../src/report/scan.ts';
import { candidate } from '../../builders/plan.ts';
import { now, podView } from '../../builders/pod-view.ts';
import { policy } from '../../builders/policy.ts';
import { plain, renderScan } from '../../builders/rendered.ts';
import { candidateOf, listed } from '../../builders/report.ts';

const cluster = { context: 'kind', server: 'https://127.0.0.1:6443' };

function scanOf(events: readonly SweepEvent[], written: Partial<Policy> = {}) {
  const judged = new JudgedPods(reportStuckPod);
  for (const event of events) judged.hear(event);
  return reportScan(judged, cluster, policy(written), now);
}

function linesOf(events: readonly SweepEvent[], style = plain, written: Partial<Policy> = {}) {
  return renderScan(scanOf(events, written), style).trimEnd().split('\n');
}

const excluded = (why: Exclusion): SweepEvent => ({
  kind: 'PodJudged',
  verdict: { kind: 'Excluded', pod: podView(), because: [why] },
});
const young = (count: number): readonly SweepEvent[] =>
  Array.from({ length: count }, () => excluded({ kind: 'TooYoung', ageMs: 1_000 }));
const onePod = { kind: 'PageListed', pods: 1, atWork: [], malformed: [], otherShards: 0 } as const;
const problem = { kind: 'Forbidden', message: 'no list' } as const;
const failed: SweepEvent = { kind: 'ReadFailed', namespace: 'a', problem };
const warned: SweepEvent = { kind: 'Warned', warning: { kind: 'ListInconsistent' } };

describe('a scan', () => {
  const many = Array.from({ length: 5 }, (_, number) => candidateOf(number));

  it('has a row for all sidecars that are alike, with three pods as examples, and their owner', () => {
    const [head, row, ...rest] = linesOf(listed(...many));
    expect(head).toMatch(/^PODS +SIDECAR +IMAGE +EVIDENCE +STUCK FOR +OWNER +CPU +MEMORY +FOR EXAMPLE$/);
    expect(row).toMatch(
      /^5 +sidecar +\S+busybox:1 +sidecar-sweeper\.dev\/sidecars +1h +Job\/work +1\.25 +640Mi +demo\/pod-0, demo\/pod-1, demo\/pod-2 and 2 more$/,
    );
    expect(rest).toEqual([
      '',
      'To keep such pods from getting stuck:',
      'sidecar-sweeper advise',
      '5 pods listed, 5 stuck.',
    ]);
  });

  it('has a row for each of them with -o wide', () => {
    const [head, ...rows] = linesOf(listed(...many), { ...plain, wide: true });
    expect(head).toMatch(/^NAMESPACE +POD +STUCK FOR +SIDECAR .*EVIDENCE +OWNER +NODE +IMAGE$/);
    const pods = rows.slice(0, 5).map((line) => line.split(/ +/)[1]);
    expect(pods).toEqual([0, 1, 2, 3, 4].map((n) => `pod-${n}`));
    expect(rows[0]).toMatch(/ Job\/work +node1 /);
  });

  it.each([20, 40, 60, 80, 100])('names the sidecar and the pods at %i columns', (width) => {
    const text = linesOf(listed(...many), { ...plain, width }).join('\n');
    expect(text).toMatch(/sidecar[^-]/);
    expect(text.replace(/\s+/g, ' ')).toContain(
      width < 60 ? 'demo/pod-0 and 4 more' : 'demo/pod-0, demo/pod-1, demo/pod-2 and 2 more',
    );
  });

  const unread: SweepEvent = { ...failed, what: 'Namespace' };
  const missing: SweepEvent = { ...unread, problem: { kind: 'NotFound', message: 'no' } };
  const eleven: SweepEvent = { ...onePod, pods: 11 };
  const swapped: SweepEvent = { kind: 'PodJudged', verdict: { ...candidate(), kind: 'NotStartedAgain' } };
  const nobody = '1 pod listed, none stuck. No other pod has been stuck for 5m or more.';
  // biome-ignore format: one row a line
  it.each<readonly [title: string, events: readonly SweepEvent[], last: string]>([
    ['if a list failed', [failed], 'No pods could be listed.'],
    ['if one list failed', [...listed(candidate()), failed], '1 pod listed (not all could be), 1 stuck.'],
    ['if one list failed and nothing is stuck in the others', [onePod, ...young(1), failed], '1 pod listed (not all could be), none stuck. None of these has been stuck for 5m or more; 1 has been stuck for less (--min-age 1s shows them).'],
    ['if a namespace cannot be read', [...listed(candidate()), unread], '1 pod listed, 1 stuck.'],
    ['if the namespace does not exist', [missing], 'No pods could be listed.'],
    ['of an empty scope', listed(), 'No pod in any namespace of context kind could be stuck.'],
    ['if all are too young, with what would show them', [eleven, ...young(11)], '11 pods listed, none stuck. No pod has been stuck for 5m or more; 11 have been stuck for less (--min-age 1s shows them).'],
    ['if one is stuck on a sidecar that cannot start again', [onePod, swapped], '1 pod listed, 1 stuck.'],
    ['if one is left alone although it may be stuck', [onePod, excluded({ kind: 'NamespaceUnreadable', problem: 'no' })], nobody],
    ['if the node of one does not answer', [onePod, excluded({ kind: 'NodeNotReady', node: 'a', reason: 'NodeStatusUnknown' })], nobody],
  ])('says how much it found %s', (_title, events, last) => {
    expect(linesOf(events).at(-1)).toBe(last);
  });

  it('names the namespaces and labels of an empty scope', () => {
    const scope = { namespaces: ['a', 'b'], labelSelector: 'app=x' };
    expect(linesOf([], plain, { scope }).at(-1)).toBe(
      'No pod with labels app=x in namespaces a, b of context kind could be stuck; -A looks in all namespaces.',
    );
  });

  it('counts the pods that were left alone, and warns even if no pod is stuck', () => {
    expect(linesOf([...listed(), ...young(1), warned]).slice(0, 2)).toEqual([
      expect.stringMatching(/^warning: the list of pods expired/),
      '1 pod left alone, because the last main ended too recently (TooYoung); explain NAMESPACE/POD says why',
    ]);
  });
});

it('the records of a scan are the entries of its lists, each with its list and its cluster, and last the rest', () => {
  const hang = { kind: 'MainNotRestarted', container: 'main', exitCode: 1 } as const;
  const hanging = { namespace: 'jobs', name: 'load', since: '2026-11-21T04:00:00Z', hang };
  const scan = { ...scanOf([...listed(candidate()), warned, failed]), hanging: [hanging] };
  const records = [...foundRecords(scan)];
  expect(new Set(records.slice(0, -1))).toEqual(
    new Set([
      { kind: 'candidates', cluster, entry: scan.candidates[0] },
      { kind: 'hanging', cluster, entry: hanging },
      {
        kind: 'unread',
        cluster,
        entry: {
          namespace: 'a',
          problem: 'Forbidden',
          message: expect.stringMatching(/^cannot list pods in namespace a: no list/),
        },
      },
      { kind: 'warnings', cluster, entry: { kind: 'ListInconsistent' } },
    ]),
  );
  const { apiVersion, asOf, scope, totals } = scan;
  expect(records.at(-1)).toEqual({ apiVersion, kind: 'Scan', cluster, scope, asOf, totals });
  expect(totals).toMatchObject({ listed: 1, candidates: 1, excluded: 0 });
});
