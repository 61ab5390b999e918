import { expect, it } from 'vitest';
import { Credentials, impersonationHeaders, Secrets } from '../../../../src/kube/auth/credentials.ts';
import { connectionTo } from '../../../builders/connection.ts';

it('a user, a uid, groups and more become headers, and keys are escaped as in client-go', () => {
  const extra = { scopes: ['view', 'edit'], 'acme.example/ü%': ['x'] };
  expect(impersonationHeaders({ user: 'jane', uid: '17', groups: ['a', 'b'], extra })).toEqual({
    'impersonate-user': 'jane',
    'impersonate-uid': '17',
    'impersonate-group': ['a', 'b'],
    'impersonate-extra-scopes': ['view', 'edit'],
    'impersonate-extra-acme.example%2F%C3%BC%25': ['x'],
  });
  expect(impersonationHeaders(undefined)).toEqual({});
});

it('a token with a line break in it is said to be unusable', async () => {
  const { signal: never } = new AbortController();
  const clock = { now: () => 0, sleep: async () => undefined };
  const options = { ...new Secrets(), limit: 10_000, clock, prompt: undefined };
  const connection = connectionTo('https://a', { user: { token: { kind: 'Text', text: 'a\nb' } } });
  const message = expect.stringMatching(/credentials of the kubeconfig cannot be used: Invalid character/);
  const found = await new Credentials(connection, options, never).current(never);
  expect(found).toEqual({ kind: 'Unauthorized', message });
});
