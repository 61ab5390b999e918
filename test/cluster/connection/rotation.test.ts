import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../../src/kube/auth/config.ts';
import { openCluster } from '../../../src/kube/cluster.ts';
import { kubeconfigOf } from '../../builders/kubeconfig.ts';
import { clockOf, whileTimePasses } from '../../builders/stepped-clock.ts';
import { createPair } from '../../kit/certificates.ts';
import { type SteppedClock, steppedClock } from '../../kit/emulator/index.ts';
import { Recorder } from '../../kit/recorder.ts';
import { startedOnce, temporaryFolder } from '../../kit/started.ts';

const server = await createPair('api.example.test');
const recorder = startedOnce(() => Recorder.start(server));
let clock: SteppedClock;
beforeEach(() => {
  clock = steppedClock();
});
afterEach(() => {
  recorder.take();
});

const never = new AbortController().signal;
const folder = temporaryFolder('rotation');
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

/** The cluster as a user with these fields. */
async function open(
  user: Readonly<Record<string, unknown>>,
  authority: object = { 'certificate-authority-data': Buffer.from(server.cert).toString('base64') },
) {
  const cluster = { server: `https://127.0.0.1:${recorder.ports.https}`, ...authority };
  write('config', JSON.stringify(kubeconfigOf(cluster, user)));
  const options = { kubeconfig: join(folder, 'config'), env: { PATH: process.env['PATH'] } };
  return await openCluster(await loadConfig(options), 60_000, {
    pace: { clock: clockOf(clock), random: () => 0.5 },
  });
}

/** Reads a node, and returns by which certificate or token the server knows the user. */
async function knownAs(cluster: Awaited<ReturnType<typeof open>>): Promise<unknown> {
  const reading = await cluster.readNode('worker', never);
  const [{ certificate, headers } = { certificate: undefined, headers: [] }] = recorder.take().slice(-1);
  if (reading.kind === 'Unreadable' && certificate === undefined && headers.length === 0) {
    return reading.problem.message;
  }
  return certificate ?? headers[0]?.[1];
}

it('a certificate and a key that do not match for a moment break nothing off, and the new pair is taken up', async () => {
  const [old, fresh] = [await createPair('old'), await createPair('new')];
  write('crt', old.cert);
  write('key', old.key);
  const cluster = await open({ 'client-certificate': 'crt', 'client-key': 'key' });
  expect(await knownAs(cluster)).toBe('old');
  write('crt', fresh.cert);
  await clock.advance(10_000);
  expect(await knownAs(cluster)).toBe('old');
  write('key', fresh.key);
  expect(await knownAs(cluster)).toBe('new');
  await cluster.close();
});

it('a certificate authority that was replaced is taken up', async () => {
  const other = await createPair('other');
  write('ca', other.cert);
  const cluster = await open({ token: 'a-token' }, { 'certificate-authority': 'ca' });
  expect(await knownAs(cluster)).toContain('certificate');
  write('ca', server.cert);
  await clock.advance(10_000);
  expect(await knownAs(cluster)).toBe('Bearer a-token');
  await cluster.close();
});

it('a pair that does not match at the start is read again, and then it is the error of that request alone', async () => {
  const [old, fresh] = [await createPair('old'), await createPair('new')];
  write('crt', fresh.cert);
  write('key', old.key);
  const cluster = await open({ 'client-certificate': 'crt', 'client-key': 'key' });
  expect(await whileTimePasses(clock, knownAs(cluster), 5)).toMatch(
    /^the credentials of the kubeconfig cannot be used: certificate and key are not an unencrypted PEM pair.*key values mismatch/,
  );
  write('key', fresh.key);
  expect(await knownAs(cluster)).toBe('new');
  await cluster.close();
});

it('a token file is read again as it changes, and keeps its token while it is missing or empty', async () => {
  write('token', 'old');
  const cluster = await open({ tokenFile: 'token' });
  expect(await knownAs(cluster)).toBe('Bearer old');
  rmSync(join(folder, 'token'));
  await clock.advance(10_000);
  expect(await knownAs(cluster)).toBe('Bearer old');
  write('token', '\n');
  expect(await knownAs(cluster)).toBe('Bearer old');
  write('token', 'new\n');
  expect(await knownAs(cluster)).toBe('Bearer new');
  await cluster.close();
});
