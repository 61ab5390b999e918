import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/http/answer.ts';
import { listJobPods } from '../../../../src/kube/pods/job-pods.ts';
import type { Owner } from '../../../../src/model/pod.ts';
import { apiPod, apiStatus } from '../../../builders/api-pod.ts';
import { answered, forbidden, timedOut, transportWith } from '../../../builders/transport.ts';

const { signal: abort } = new AbortController();
const owner: Owner = { group: 'batch', kind: 'Job', name: 'work', uid: 'job-1' };
const expired = answered(410, { kind: 'Status', status: 'Failure', code: 410, metadata: {} });

const labels = { 'controller-uid': 'job-1' };

function podOf(name: string, uid: string, restartCount = 0): object {
  const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'work', uid, controller: true }];
  return apiPod({
    metadata: { name, uid: name, labels, ownerReferences },
    status: {
      initContainerStatuses: [apiStatus('setup', { terminated: { exitCode: 0 } }, { restartCount })],
      containerStatuses: [
        apiStatus('main', { terminated: { exitCode: 0 } }, { restartCount }),
        apiStatus('sidecar', { running: {} }, { restartCount }),
      ],
    },
  });
}

function moved(pod: object): object {
  return { ...pod, metadata: { ...Object(pod).metadata, namespace: 'other' } };
}

function page(items: readonly unknown[], token?: string): Answer {
  return answered(200, { kind: 'PodList', metadata: { continue: token }, items });
}

async function list(...answers: readonly [Answer, ...Answer[]]) {
  const { transport, asked } = transportWith(...answers);
  const pods = await listJobPods(transport, 'demo', owner, abort);
  return { pods: pods?.map(({ ref, restarts }) => `${ref.name} ${restarts}`), asked };
}

describe('the pods of a Job', () => {
  it('are listed by the label that every version sets, without those that have ended', async () => {
    const { pods, asked } = await list(page([podOf('a', 'job-1'), podOf('b', 'job-1', 2)]));
    expect(pods).toEqual(['a 0', 'b 6']);
    expect(asked).toEqual([
      {
        path: '/api/v1/namespaces/demo/pods',
        query: {
          labelSelector: 'controller-uid=job-1',
          fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed',
          limit: '500',
        },
      },
    ]);
  });

  it('are read to the last page', async () => {
    const { pods, asked } = await list(page([podOf('a', 'job-1')], 'next'), page([podOf('b', 'job-1')]));
    expect(pods).toEqual(['a 0', 'b 0']);
    expect(asked.map(({ query }) => query['continue'])).toEqual([undefined, 'next']);
  });

  it('are none that only bear the label', async () => {
    const orphan = apiPod({ metadata: { name: 'b', uid: 'b', labels } });
    expect((await list(page([podOf('a', 'job-2'), orphan]))).pods).toEqual([]);
  });

  it('are counted once if the list expires and repeats them, as they were seen last', async () => {
    const again = page([podOf('a', 'job-1', 1), podOf('b', 'job-1')]);
    expect((await list(page([podOf('a', 'job-1')], 'old'), expired, again)).pods).toEqual(['a 3', 'b 0']);
  });

  it.each<readonly [title: string, answers: readonly [Answer, ...Answer[]]]>([
    ['the list is forbidden', [forbidden]],
    ['there is no answer', [timedOut]],
    ['the answer is no list', [answered(200, 'null')]],
    ['a later page cannot be read', [page([podOf('a', 'job-1')], 'next'), forbidden]],
    ['the list expires again and again', [expired]],
    ['a pod is of another namespace', [page([podOf('a', 'job-1'), moved(podOf('b', 'job-2'))])]],
    ['a pod has not the label', [page([podOf('a', 'job-1'), apiPod()])]],
    ['an item is no pod', [page([podOf('a', 'job-1'), 'not a pod'])]],
  ])('are unknown if %s: a restart may be missing', async (_title, answers) => {
    expect((await list(...answers)).pods).toBeUndefined();
  });
});
