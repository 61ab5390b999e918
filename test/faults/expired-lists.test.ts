import { describe, expect, it } from 'vitest';
import type { Emulator, FaultAction } from '../kit/emulator/index.ts';
import { stuckPod } from '../kit/stuck-pods.ts';
import { expectSound, FaultyCluster, type Played, podList, type Trouble } from './faulty-cluster.ts';
import { tally } from './tally.ts';

const cluster = FaultyCluster.startedOnce();

const pages = 4;
const names = Array.from({ length: pages }, (_, index) => `pod-${index}`);

/** A list that comes in pages of one pod. Before these pages, it expires, each time in this way. */
interface Expiring {
  readonly before: readonly number[];
  /** Whether the answer has a token to go on with, or the list begins anew. */
  readonly resumes: boolean;
  readonly httpStatus: 200 | 410;
  /** Whether the pages after the last of these are never asked for. */
  readonly isLast?: true;
}

const expired = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410 };

function answersOf(
  { before, resumes, httpStatus, isLast }: Expiring,
  items: readonly object[],
): readonly FaultAction[] {
  const answers: FaultAction[] = [];
  const due = [...before];
  for (let page = 0; page < pages && !(isLast && due.length === 0); ) {
    if (due[0] === page) {
      due.shift();
      const metadata = resumes ? { continue: `resumed-${page}-${due.length}` } : {};
      answers.push({ kind: 'Answer', status: httpStatus, body: { ...expired, metadata } });
      if (!resumes) page = 0;
      continue;
    }
    const metadata = { resourceVersion: '7', ...(page + 1 < pages && { continue: `page-${page + 1}` }) };
    answers.push({ kind: 'Answer', status: 200, body: podList([items[page]], metadata) });
    page++;
  }
  return answers;
}

/** Only the first list of a sweep is served like this; those behind it show how its pods end. */
function expiring(one: Expiring): Trouble {
  return {
    pods: (namespace) => names.map((name) => stuckPod({ namespace, name })),
    trouble(namespace, { world, faults }: Emulator) {
      answersOf(one, world.store.list('pods', namespace)).forEach((action, skip) => {
        faults.add({ verb: 'list', resource: 'pods', namespace }, action, { skip, times: 1 });
      });
    },
  };
}

function expectAllEnded({ report, requests, exitCode }: Played): void {
  expect(report.pods.map(({ name, outcome }) => [name, outcome.kind]).sort()).toEqual(
    names.map((name) => [name, 'Ended']),
  );
  expect(report.totals.listed).toBe(pages);
  const execs = requests.filter(({ subresource }) => subresource === 'exec');
  expect(new Set(execs.map(({ name }) => name)).size).toBe(execs.length);
  expect(exitCode).toBe(0);
}

const indexes = Array.from({ length: pages }, (_, index) => index);
const ways = [true, false].flatMap((resumes) =>
  ([200, 410] as const).map((httpStatus) => ({ resumes, httpStatus })),
);

function tallyEach(cases: readonly Expiring[]): void {
  for (const { httpStatus } of cases) tally('faults', httpStatus === 200 ? 'A10' : 'A9', 1);
}

describe('A9, A10: a list that expires', () => {
  it('before any page is read on or anew, and every pod is ended once', async () => {
    const once = indexes.map((page) => [page]);
    const twice = indexes.flatMap((first) => indexes.slice(first).map((second) => [first, second]));
    const cases = ways.flatMap((way): Expiring[] =>
      (way.httpStatus === 200 ? once : [...once, ...twice]).map((before) => ({ ...way, before })),
    );
    const played = await cluster.playAll(cases.map(expiring));
    expectSound(played, 'A9');
    played.forEach(expectAllEnded);
    played.forEach(({ report }, index) => {
      // The first list is not a part of anything yet.
      const parts = cases[index]?.before.slice(cases[index]?.before[0] === 0 ? 1 : 0) ?? [];
      expect(report.warnings.map(({ kind }) => kind)).toEqual(
        parts.map(() => 'ListInconsistent').slice(0, 1),
      );
    });
    tallyEach(cases);
  });

  it('again and again is a failed read, and the pods that were found are ended all the same', async () => {
    const cases = ways.flatMap((way) =>
      indexes.map((page): Expiring => {
        // Besides the five that are allowed: the one that gives it up, and the first list.
        const times = page === 0 ? 7 : 6;
        return { ...way, before: Array.from({ length: times }, () => page), isLast: true };
      }),
    );
    const played = await cluster.playAll(cases.map(expiring));
    expectSound(played, 'A9');
    played.forEach(({ report, requests, exitCode }, index) => {
      const { before: [page = 0] = [] } = cases[index] ?? {};
      const found = names.slice(0, page);
      expect(report.pods.map(({ name, outcome }) => [name, outcome.kind]).sort()).toEqual(
        found.map((name) => [name, 'Ended']),
      );
      expect(report.unread).toMatchObject([{ problem: 'Rejected' }]);
      expect(exitCode).toBe(3);
      expect(requests.filter(({ subresource }) => subresource === 'exec')).toHaveLength(found.length);
    });
    tallyEach(cases);
  });
});
