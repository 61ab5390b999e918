import { expect, it } from 'vitest';
import { defineMethod, type MethodDefinition } from '../../../src/library/method.ts';
import { sendersOf } from '../../../src/library/senders.ts';
import { abort, pod, recipient } from '../methods/recipient.ts';

const pause = (send: MethodDefinition['send']) =>
  defineMethod({ name: 'pause', does: 'pause it', rbac: [], send });
const { cluster } = recipient();

it('a sender gives its method the container, and what can be asked of it', async () => {
  const asked: unknown[] = [];
  const senders = sendersOf([
    pause(async ({ exec, request, ...target }) => {
      asked.push(target, typeof exec, typeof request);
      return { kind: 'Accepted' };
    }),
  ]);
  expect(await senders['pause']?.({ cluster, pod, abort }, 'sidecar')).toEqual({ kind: 'Accepted' });
  expect(asked).toEqual([{ pod, container: 'sidecar', abort }, 'function', 'function']);
});

it.each([undefined, {}, { kind: 'Done' }, 'Accepted'])(
  'what a method returns without being a result is an error: %j',
  async (odd) => {
    // As a user who writes no types would.
    const senders = sendersOf([pause(async () => JSON.parse(JSON.stringify(odd) ?? 'null'))]);
    const sent = senders['pause']?.({ cluster, pod, abort }, 'sidecar');
    await expect(sent).rejects.toThrow('it returned something that is not a result');
  },
);

it('two methods have two names', () => {
  const method = pause(async () => ({ kind: 'Accepted' }));
  expect(() => sendersOf([method, method])).toThrow('there are two methods of the name pause');
});
