import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/http/answer.ts';
import { listPages, type Page } from '../../../../src/kube/pods/pages.ts';
import { apiPod } from '../../../builders/api-pod.ts';
import { readRecording } from '../../../builders/recordings.ts';
import { answered, serverTime, timedOut, transportWith } from '../../../builders/transport.ts';

/** A page with one pod for each uid. */
function page(uids: readonly string[], token?: string): Answer {
  const items = uids.map((uid) => apiPod({ metadata: { name: uid, uid } }));
  return answered(200, { kind: 'PodList', apiVersion: 'v1', metadata: { continue: token }, items });
}

function expired(token?: string): Answer {
  const metadata = token === undefined ? {} : { continue: token };
  return answered(410, { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410, metadata });
}

async function list(answers: readonly [Answer, ...Answer[]]) {
  const { transport, asked } = transportWith(...answers);
  const pages: Page[] = [];
  const { signal: abort } = new AbortController();
  for await (const one of listPages(transport, { path: '/pods', selectors: { labelSelector: 'a=b' } }, abort))
    pages.push(one);
  return { pages, asked };
}

/** The uids in a list, page by page. */
function uidsOf(pages: readonly Page[]): readonly (readonly string[])[] {
  return pages.flatMap((one) => (one.kind === 'Page' ? [one.pods.map(({ ref }) => ref.uid)] : []));
}

describe('pages', () => {
  it('are requested with the token of the last one', async () => {
    const { pages, asked } = await list([page(['a', 'b'], 'one'), page([], 'two'), page(['c'])]);
    const query = { labelSelector: 'a=b', limit: '500' };
    expect(asked).toEqual([
      { path: '/pods', query },
      { path: '/pods', query: { ...query, continue: 'one' } },
      { path: '/pods', query: { ...query, continue: 'two' } },
    ]);
    expect(uidsOf(pages)).toEqual([['a', 'b'], [], ['c']]);
  });

  it('have the server’s time', async () => {
    const { pages } = await list([page([])]);
    expect(pages).toMatchObject([{ kind: 'Page', asOf: serverTime }]);
  });

  it('are requested only when needed', async () => {
    const { transport, asked } = transportWith(page(['a'], 'one'), page(['b']));
    for await (const _ of listPages(
      transport,
      { path: '/pods', selectors: {} },
      new AbortController().signal,
    ))
      break;
    expect(asked).toHaveLength(1);
  });
});

describe('an answer that is not a PodList is an error, never "no pods":', () => {
  it.each<readonly [title: string, body: unknown]>([
    ['HTML', '<!DOCTYPE html><html><title>Sign in</title></html>'],
    ['HTML after a blank line', '\n\n<html>'],
    ['an empty body', ''],
    ['null', 'null'],
    ['an empty array', '[]'],
    ['an empty object', '{}'],
    ['a number', '200'],
    ['text', 'ok'],
    ['truncated JSON', '{"kind":"PodList","items":['],
    ['a list of another kind', { kind: 'SecretList', items: [] }],
    ['a Table', { kind: 'Table', rows: [] }],
    ['a PodList without items', { kind: 'PodList', metadata: {} }],
    ['a PodList whose items are null', { kind: 'PodList', items: null }],
    ['a PodList whose items are an object', { kind: 'PodList', items: {} }],
    ['items without a kind', { items: [] }],
    ['a Status', { kind: 'Status', status: 'Failure', message: 'something broke', code: 500 }],
    ['items under an escaped key', '{"kind":"PodList","metadata":{},"\\u0069tems":[{}]}'],
    ['items far behind their key', `{"kind":"PodList","metadata":{},"items"${' '.repeat(100)}:[{}]}`],
    ['metadata that are null', { kind: 'PodList', metadata: null, items: [] }],
    ['metadata that are a list', { kind: 'PodList', metadata: [], items: [] }],
    ['a continue token that is a number', { kind: 'PodList', metadata: { continue: 5 }, items: [] }],
    ['a continue token that is an object', { kind: 'PodList', metadata: { continue: {} }, items: [] }],
  ])('%s', async (_title, body) => {
    const { pages, asked } = await list([answered(200, body)]);
    expect(pages).toMatchObject([{ kind: 'Failed', problem: { kind: 'Malformed' } }]);
    expect(asked).toHaveLength(1);
  });

  it('the error describes the answer', async () => {
    const message = async (body: unknown) => {
      const [part] = (await list([answered(200, body)])).pages;
      return part?.kind === 'Failed' ? part.problem.message : undefined;
    };
    expect(await message('<html>')).toContain('(HTML)');
    expect(await message('null')).toContain('(null)');
    expect(await message({ kind: 'Status', message: 'something broke' })).toContain('(something broke)');
    const long = await message(`\u001b[2J\n${'x'.repeat(100_000)}`);
    expect(long).toContain(`([2J ${'x'.repeat(76)}…)`);
    expect(long).not.toMatch(/\p{Cc}/u);
  });
});

describe('a list that fails', () => {
  it.each([
    ['unauthorized', 'Unauthorized'],
    ['list-bad-continue', 'Rejected'],
    ['list-bad-field-selector', 'Rejected'],
    ['list-forbidden', 'Forbidden'],
  ] as const)('%s: %s', async (recording, kind) => {
    const { status = 0, body } = readRecording(recording).exchanges?.[0] ?? {};
    const { pages } = await list([answered(status, body)]);
    expect(pages).toMatchObject([{ kind: 'Failed', problem: { kind } }]);
  });

  it('fails after the pages that were already read', async () => {
    const { pages } = await list([page(['a'], 'one'), timedOut]);
    expect(pages).toMatchObject([
      { kind: 'Page' },
      { kind: 'Failed', problem: { kind: 'TimedOut', message: 'no answer' } },
    ]);
  });
});

describe('an expired token', () => {
  it('is replaced by the one in the answer, as from a real cluster', async () => {
    const { status = 0, body } = readRecording('list-expired-continue').exchanges?.[0] ?? {};
    const { pages, asked } = await list([page(['a'], 'old'), answered(status, body), page(['b'])]);
    expect(pages.map(({ kind }) => kind)).toEqual(['Page', 'Expired', 'Page']);
    expect(asked.at(-1)?.query['continue']).toMatch(/^eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEs/);
  });

  it('without a replacement restarts the list', async () => {
    const { pages, asked } = await list([page(['a', 'b'], 'old'), expired(), page(['a', 'b', 'c'])]);
    expect(asked.map(({ query }) => query['continue'])).toEqual([undefined, 'old', undefined]);
    expect(uidsOf(pages)).toEqual([
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]);
  });

  it('is recognised in a Status with HTTP 200', async () => {
    const status = { kind: 'Status', status: 'Failure', code: 410, metadata: { continue: 'fresh' } };
    const { asked } = await list([page(['a'], 'old'), answered(200, status), page(['b'])]);
    expect(asked.at(-1)?.query['continue']).toBe('fresh');
  });

  it('may be followed by four more before the list completes', async () => {
    const five = [expired(), expired('b'), expired(), expired('d'), expired('e')] as const;
    const { pages } = await list([...five, page(['a'])]);
    expect(pages.map(({ kind }) => kind)).toEqual([...five.map(() => 'Expired'), 'Page']);
  });

  it.each([
    ['without a replacement', [expired()]],
    ['with the same replacement', [expired('fresh')]],
    ['with a new replacement each time', [1, 2, 3, 4, 5, 6, 7].map((number) => expired(`fresh-${number}`))],
    [
      'with pages in between',
      [page(['a'], 'old'), ...[1, 2, 3, 4, 5, 6, 7].flatMap((n) => [expired(), page([`${n}`], 'old')])],
    ],
  ] as const)('fails the list the sixth time, %s', async (_title, answers) => {
    const [first, ...more] = answers;
    const { pages } = await list([first, ...more]);
    expect(pages.filter(({ kind }) => kind === 'Expired')).toHaveLength(6);
    expect(pages.at(-1)).toMatchObject({ kind: 'Failed', problem: { kind: 'Rejected' } });
  });

  it('lets the restarted list reuse its tokens', async () => {
    const { pages } = await list([page(['a'], 'one'), expired(), page(['a'], 'one'), page(['b'])]);
    expect(pages.map(({ kind }) => kind)).toEqual(['Page', 'Expired', 'Page', 'Page']);
    expect(uidsOf(pages)).toEqual([['a'], ['a'], ['b']]);
  });
});

describe('a cycle of tokens fails the list instead of looping forever:', () => {
  it.each([
    ['one token', ['a'], 2],
    ['two tokens', ['a', 'b'], 3],
    ['three tokens', ['a', 'b', 'c'], 4],
  ] as const)('%s', async (_title, circle, requests) => {
    const [first, ...more] = [...circle, ...circle].map((token, index) => page([`${index}`], token));
    if (!first) expect.fail('no page');
    const { pages, asked } = await list([first, ...more]);
    expect(pages.at(-1)).toMatchObject({ kind: 'Failed', problem: { kind: 'Malformed' } });
    expect(asked).toHaveLength(requests);
  });
});

it('a list that the server continues without end fails', async () => {
  const endless = Array.from({ length: 3_000 }, (_, index) => page([], `token-${index}`));
  const [first = page([]), ...more] = endless;
  const { pages, asked } = await list([first, ...more]);
  expect(asked).toHaveLength(2_000);
  expect(pages.at(-1)).toMatchObject({ kind: 'Failed', problem: { kind: 'Malformed' } });
});

describe('a page that is too large', () => {
  const tooLarge: Answer = { kind: 'Unanswered', problem: { kind: 'TooLarge', message: 'too large' } };

  it('is requested again with fewer pods, and the pages after it grow again', async () => {
    const { pages, asked } = await list([
      tooLarge,
      tooLarge,
      page(['a'], 'one'),
      page(['b'], 'two'),
      page(['c']),
    ]);
    expect(asked.map(({ query }) => [query['continue'], query['limit']])).toEqual([
      [undefined, '500'],
      [undefined, '62'],
      [undefined, '7'],
      ['one', '14'],
      ['two', '28'],
    ]);
    expect(uidsOf(pages)).toEqual([['a'], ['b'], ['c']]);
  });

  it('fails the list if it is one pod', async () => {
    const { pages, asked } = await list([tooLarge]);
    expect(asked.map(({ query }) => query['limit'])).toEqual(['500', '62', '7', '1']);
    expect(pages).toMatchObject([{ kind: 'Failed', problem: { kind: 'TooLarge' } }]);
  });
});
