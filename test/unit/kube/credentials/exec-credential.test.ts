import { describe, expect, it } from 'vitest';
import { execInfo, parseExecCredential } from '../../../../src/kube/credentials/exec-credential.ts';

const plugin = {
  command: 'aws',
  args: [],
  env: {},
  apiVersion: 'client.authentication.k8s.io/v1',
  interactiveMode: 'Never',
  installHint: undefined,
  provideClusterInfo: false,
  clusterConfig: undefined,
} as const;

function parse(status: unknown, apiVersion: string = plugin.apiVersion) {
  return parseExecCredential(plugin, JSON.stringify({ kind: 'ExecCredential', apiVersion, status }));
}

it('a plugin is told its protocol, and whether somebody can answer', () => {
  expect(JSON.parse(execInfo(plugin, true, undefined))).toEqual({
    kind: 'ExecCredential',
    apiVersion: 'client.authentication.k8s.io/v1',
    spec: { interactive: true },
  });
});

it('a token, a certificate or both are read, and until when', () => {
  expect(parse({ token: 't', expirationTimestamp: '2026-11-22T04:00:00Z' })).toEqual({
    token: 't',
    certificate: undefined,
    expires: Date.parse('2026-11-22T04:00:00Z'),
  });
  expect(parse({ clientCertificateData: 'c', clientKeyData: 'k' })).toEqual({
    token: undefined,
    certificate: { cert: 'c', key: 'k' },
    expires: undefined,
  });
});

describe('an answer that cannot be used is never quoted:', () => {
  it.each<readonly [what: string, parse: () => unknown, message: RegExp]>([
    ['prose', () => parseExecCredential(plugin, 'secret'), /something other than an ExecCredential/],
    [
      'another version',
      () => parse({ token: 'secret' }, 'client.authentication.k8s.io/v1beta1'),
      /another version/,
    ],
    [
      'half a certificate',
      () => parse({ token: 'secret', clientKeyData: 'k' }),
      /only one of certificate and key/,
    ],
    ['nothing', () => parse({}), /neither a token nor a certificate/],
    ['no status', () => parse(undefined), /neither a token nor a certificate/],
    ['an empty token', () => parse({ token: '' }), /neither a token nor a certificate/],
  ])('%s', (_what, act, message) => {
    expect(act).toThrow(message);
    expect(act).not.toThrow(/secret/);
  });
});
