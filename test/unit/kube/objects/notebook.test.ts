import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import type { Transport } from '../../../../src/kube/client/transport.ts';
import { openNotebook } from '../../../../src/kube/objects/leases.ts';

const { signal: abort } = new AbortController();
const ref = { namespace: 'sweeper', name: 'learnt' };
const path = '/apis/coordination.k8s.io/v1/namespaces/sweeper/leases';
const key = 'sidecar-sweeper.dev/learnt';

function answered(status: number, body: unknown = {}): Answer {
  const text = JSON.stringify(body);
  return { kind: 'Answered', status, body: text, date: undefined, retryAfter: undefined } as Answer;
}

/** A notebook behind a server that gives these answers, and what was asked of it. */
function behind(answer: Answer) {
  const asked: unknown[] = [];
  const transport: Pick<Transport, 'get' | 'send'> = {
    async get(url) {
      asked.push(['GET', url]);
      return answer;
    },
    async send({ method, path: url, body }) {
      asked.push([method, url, body]);
      return answer;
    },
  };
  return { book: openNotebook(transport, ref), asked };
}

describe('a notebook in a Lease', () => {
  it('has the text of its annotation, and the version to write against', async () => {
    const metadata = { resourceVersion: '7', annotations: { [key]: 'notes' } };
    const { book, asked } = behind(answered(200, { kind: 'Lease', metadata }));
    expect(await book.read(abort)).toEqual({ text: 'notes', version: '7' });
    expect(asked).toEqual([['GET', `${path}/learnt`]]);
  });

  it('is empty without the annotation', async () => {
    const { book } = behind(answered(200, { kind: 'Lease', metadata: { resourceVersion: '7' } }));
    expect(await book.read(abort)).toEqual({ text: '', version: '7' });
  });

  it.each([
    answered(404),
    answered(403),
    { kind: 'Unanswered', problem: { kind: 'TimedOut', message: '' } } as Answer,
  ])('cannot be read from $status $kind', async (answer) => {
    expect(await behind(answer).book.read(abort)).toBeUndefined();
  });

  it('is begun, or replaced if nobody has written in between', async () => {
    const begun = behind(answered(201));
    expect(await begun.book.write('notes', undefined, abort)).toBe('Written');
    const metadata = { ...ref, annotations: { [key]: 'notes' } };
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
    expect(begun.asked).toEqual([['POST', path, { ...lease, metadata }]]);
    const replaced = behind(answered(200));
    expect(await replaced.book.write('notes', '7', abort)).toBe('Written');
    expect(replaced.asked).toEqual([
      ['PUT', `${path}/learnt`, { ...lease, metadata: { ...metadata, resourceVersion: '7' } }],
    ]);
  });

  it.each([
    [409, 'Conflict'],
    [403, 'Failed'],
    [500, 'Failed'],
  ])('answers a write with %i: %s', async (status, expected) => {
    expect(await behind(answered(status)).book.write('notes', '7', abort)).toBe(expected);
  });
});
