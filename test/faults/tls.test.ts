import type { TlsOptions } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { kubeconfigOf } from '../builders/kubeconfig.ts';
import { createPair, day } from '../kit/certificates.ts';
import { runHere } from '../kit/run-here.ts';
import { fileIn, temporaryFolder } from '../kit/started.ts';
import { whole } from './bodies.ts';
import { RawServer, token, wire } from './raw-server.ts';
import { tally } from './tally.ts';

const folder = temporaryFolder('tls');

const authority = await createPair('authority');
const otherAuthority = await createPair('authority');
let server: RawServer;
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.stop();
});

const certificate = (wanted: Parameters<typeof createPair>[1] = {}) =>
  createPair('server', { isAuthority: false, ...wanted });

/** Sweeps a cluster whose API server has this certificate, trusting the authority. */
async function sweepOf(tls: TlsOptions | undefined, argv: readonly string[] = []) {
  server = await RawServer.start((socket) => socket.write(wire(whole)), tls ? { tls } : {});
  const cluster = {
    server: server.url.replace('http:', 'https:'),
    'certificate-authority-data': Buffer.from(authority.cert).toString('base64'),
  };
  const kubeconfig = fileIn(folder, 'kubeconfig', JSON.stringify(kubeconfigOf(cluster, { token })));
  return runHere([...argv, '--kubeconfig', kubeconfig], {});
}

// biome-ignore format: one row a line
const cases: readonly (readonly [title: string, tls: () => Promise<TlsOptions | undefined>, says: RegExp])[] =
  [
    ['of an unknown authority', () => certificate({ signer: otherAuthority }), /not trusted \((UNABLE|CERT_SIG).*certificate-authority/],
    ['that vouches for itself', () => certificate({}), /not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\).*certificate-authority/],
    ['of another name', () => certificate({ signer: authority, addresses: [] }), /it is for another name/],
    ['that has expired', () => certificate({ signer: authority, from: -2 * day, until: -day }), /CERT_HAS_EXPIRED.*clocks/],
    ['that is not valid yet', () => certificate({ signer: authority, from: day, until: 2 * day }), /CERT_NOT_YET_VALID.*clocks/],
    ['and TLS 1.0', async () => ({ ...(await certificate({ signer: authority })), ...only('TLSv1') }), /TLS 1\.2 or later/],
    ['and TLS 1.1', async () => ({ ...(await certificate({ signer: authority })), ...only('TLSv1.1') }), /TLS 1\.2 or later/],
    ['in name alone: it is plain HTTP', async () => undefined, /does not speak TLS/],
  ];

function only(version: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2'): TlsOptions {
  return { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' };
}

const commands = [['--no-lock'], ['--dry-run'], ['scan'], ['-n', 'a', '-n', 'b', '-n', 'c', '--no-lock']];

describe.each(cases)('A14: a server with a certificate %s', (_title, tls, says) => {
  it.each(commands)('is told of by its check, and asked nothing: %s', async (...argv) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const { exitCode, stdout, stderr } = await sweepOf(await tls(), argv);
    expect(stdout + stderr).toMatch(says);
    expect(exitCode).toBe(3);
    expect(stdout + stderr).not.toContain(token);
    // Once for each list: none is tried again, nor in any other way.
    expect(server.connections).toBe(argv.includes('c') ? 3 : 1);
    // A certificate that is not trusted is sent nothing; nor is a port that speaks no TLS.
    expect(server.requests).toEqual([]);
    tally('faults', 'A14', 1);
  });
});

it.each(['TLSv1.2', 'TLSv1.3'] as const)('A14: a sound certificate by %s is trusted', async (version) => {
  const tls = { ...(await certificate({ signer: authority })), minVersion: version, maxVersion: version };
  expect((await sweepOf(tls, ['--dry-run'])).exitCode).toBe(0);
});
