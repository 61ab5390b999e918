import { describe, expect, it } from 'vitest';
import { http } from '../../../src/methods/http.ts';
import type { Cluster, HttpResult } from '../../../src/ports.ts';
import type { AttemptResult, HttpStep, PodRef } from '../../../src/vocabulary.ts';
import { clusterWith } from '../../builders/cluster.ts';
import { steps } from '../../builders/plan.ts';

const pod: PodRef = { namespace: 'demo', name: 'work', uid: 'uid-1' };
const { signal } = new AbortController();

/** What is made of a request that ended like this; `statuses` are those that mean yes. */
function attempt(result: HttpResult, statuses: readonly number[] = []): Promise<AttemptResult> {
  const step: HttpStep = { ...steps.Http, request: { ...steps.Http.request, statuses } };
  return http.send(clusterWith({ request: async () => result }), pod, 'sidecar', step, signal);
}

it('the request is sent to the pod as the step has it', async () => {
  const calls: Parameters<Cluster['request']>[] = [];
  const cluster = clusterWith({
    async request(...call) {
      calls.push(call);
      return { kind: 'Answered', status: 200 };
    },
  });
  await http.send(cluster, pod, 'sidecar', steps.Http, signal);
  expect(calls).toEqual([[pod, steps.Http.request, signal]]);
});

describe('an answer', () => {
  it.each([200, 202, 204, 299])('%i is accepted when the step names no statuses', async (status) => {
    expect(await attempt({ kind: 'Answered', status })).toEqual({ kind: 'Accepted' });
  });

  it.each([100, 199, 300, 301, 400, 403, 404, 405, 500, 503])(
    '%i says that the sidecar does not offer this, at once',
    async (status) => {
      expect(await attempt({ kind: 'Answered', status })).toEqual({
        kind: 'Unsupported',
        message: `HTTP ${status}`,
      });
    },
  );

  it('means yes only when it is one of the statuses that the step names', async () => {
    expect(await attempt({ kind: 'Answered', status: 302 }, [302, 503])).toEqual({ kind: 'Accepted' });
    expect(await attempt({ kind: 'Answered', status: 200 }, [302, 503])).toEqual({
      kind: 'Unsupported',
      message: 'HTTP 200',
    });
  });
});

it('a connection that closes without an answer was accepted: what quits may well do so', async () => {
  expect(await attempt({ kind: 'Closed' })).toMatchObject({ kind: 'Accepted' });
});

it('a port that nobody listens on is not offered', async () => {
  const message = 'error forwarding port 15020 to pod work';
  expect(await attempt({ kind: 'NotListening', message })).toEqual({ kind: 'Unsupported', message });
});

it('a pod that was not there was not reached', async () => {
  const message = 'pods "node1" not found';
  expect(await attempt({ kind: 'NotThere', message })).toEqual({ kind: 'Undelivered', message });
});

it.each(['Refused', 'Undelivered', 'Unconfirmed'] as const)('%s stays what it is', async (kind) => {
  expect(await attempt({ kind, message: 'why' })).toEqual({ kind, message: 'why' });
});
