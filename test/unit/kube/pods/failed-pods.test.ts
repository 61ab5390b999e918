import { expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/http/answer.ts';
import { listFailedPods } from '../../../../src/kube/pods/failed-pods.ts';
import { apiPod } from '../../../builders/api-pod.ts';
import { answered, forbidden, timedOut, transportWith } from '../../../builders/transport.ts';

const { signal: abort } = new AbortController();
const expired = answered(410, { kind: 'Status', status: 'Failure', code: 410, metadata: {} });

function failedPod(name: string, metadata: object = {}, phase = 'Failed'): object {
  return apiPod({
    metadata: { namespace: 'one', name, uid: name, labels: { 'job-name': 'work' }, ...metadata },
    status: { phase },
  });
}

function pageOf(items: readonly unknown[], token?: string): Answer {
  return answered(200, { kind: 'PodList', metadata: { continue: token }, items });
}

function page(name: string, token?: string, namespace = 'one'): Answer {
  return pageOf([failedPod(name, { namespace }), 'not a pod'], token);
}

async function list(namespaces: readonly string[], ...answers: readonly [Answer, ...Answer[]]) {
  const { transport, asked } = transportWith(...answers);
  const pods = await listFailedPods(transport, namespaces, abort);
  return { names: pods.map(({ ref }) => ref.name), asked };
}

it('reads all pages of each given namespace, and skips malformed items', async () => {
  const { names, asked } = await list(
    ['one', 'two'],
    page('a', 'next'),
    page('b'),
    page('c', undefined, 'two'),
  );
  expect(names).toEqual(['a', 'b', 'c']);
  expect(asked.map(({ path, query }) => [path, query['continue']])).toEqual([
    ['/api/v1/namespaces/one/pods', undefined],
    ['/api/v1/namespaces/one/pods', 'next'],
    ['/api/v1/namespaces/two/pods', undefined],
  ]);
  expect(asked[0]?.query).toMatchObject({
    fieldSelector: 'status.phase=Failed',
    labelSelector: 'job-name',
    limit: '500',
  });
});

it('reads all namespaces if none is given', async () => {
  const { asked } = await list([], page('a'));
  expect(asked.map(({ path }) => path)).toEqual(['/api/v1/pods']);
});

it.each([forbidden, timedOut, answered(200, 'null')])(
  'skips an unreadable namespace and continues with the next: %#',
  async (answer) => {
    expect((await list(['one', 'two'], answer, page('b', undefined, 'two'))).names).toEqual(['b']);
  },
);

it('returns no pod twice if the list expires and restarts', async () => {
  const { names } = await list([], page('a', 'old'), expired, page('a', 'new'), page('b'));
  expect(names).toEqual(['a', 'b']);
});

it('stops after a limited number of pages', async () => {
  const tokens = Array.from({ length: 50 }, (_, index) => page(`pod-${index}`, `token-${index}`));
  const { names, asked } = await list([], page('first', 'start'), ...tokens);
  expect(asked).toHaveLength(20);
  expect(names).toHaveLength(20);
});

it('takes nothing that was not asked for', async () => {
  const items = [
    failedPod('asked'),
    failedPod('elsewhere', { namespace: 'two' }),
    failedPod('of-no-job', { labels: {} }),
    failedPod('still-running', {}, 'Running'),
  ];
  expect((await list(['one'], pageOf(items))).names).toEqual(['asked']);
  expect((await list([], pageOf(items))).names).toEqual(['asked', 'elsewhere']);
});
