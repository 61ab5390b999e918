import { expect, it } from 'vitest';
import { Credentials, Secrets } from '../../../../src/kube/auth/credentials.ts';
import { connectionTo } from '../../../builders/connection.ts';

it('a token with a line break in it is said to be unusable', async () => {
  const { signal: never } = new AbortController();
  const clock = { now: () => 0, sleep: async () => undefined };
  const options = { ...new Secrets(), limit: 10_000, clock, prompt: undefined };
  const connection = connectionTo('https://a', { user: { token: { kind: 'Text', text: 'a\nb' } } });
  const message = expect.stringMatching(/credentials of the kubeconfig cannot be used: Invalid character/);
  const found = await new Credentials(connection, options, never).current(never);
  expect(found).toEqual({ kind: 'Unauthorized', message });
});
