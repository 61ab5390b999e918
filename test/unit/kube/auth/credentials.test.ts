import { expect, it } from 'vitest';
import { impersonationHeaders } from '../../../../src/kube/auth/credentials.ts';

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
