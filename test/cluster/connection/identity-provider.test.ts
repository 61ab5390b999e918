import { createServer as createProxy } from 'node:http';
import { createServer, type Server } from 'node:https';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCluster } from '../../../src/kube/cluster.ts';
import { connectionTo } from '../../builders/connection.ts';
import { listening } from '../../builders/listening.ts';
import { createPair } from '../../kit/certificates.ts';

const { signal: never } = new AbortController();
const client = { id: 'sweeper', secret: 'cl1ent-s3cret' };
const tokens = { first: 'r3fresh-first', second: 'r3fresh-second' };

const pair = await createPair('localhost');
let issuer: Server;
let api: Server;
let issuerUrl: string;
let apiUrl: string;
const sent: string[] = [];

beforeAll(async () => {
  issuer = createServer({ ...pair }, (request, response) => {
    const known = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
    if (request.url?.startsWith('/hanging') === true) {
      const paths = { token_endpoint: `${issuerUrl}/never/${request.url.split('/')[2]}` };
      response.end(JSON.stringify({ issuer: issuerUrl, ...paths }));
    } else if (request.url === '/never/body') {
      response.write('{');
    } else if (request.url === '/never/head') {
      // It says nothing.
    } else if (request.url !== '/token') {
      const paths = { token_endpoint: `${issuerUrl}/token`, jwks_uri: `${issuerUrl}/keys` };
      response.end(JSON.stringify({ issuer: issuerUrl, ...paths }));
    } else if (request.headers.authorization === known) {
      response.end(JSON.stringify({ id_token: idToken(300), refresh_token: tokens.second }));
    } else response.writeHead(400).end(`unknown ${tokens.first}`);
  });
  // It knows all that the issuer knows, and tells it.
  api = createServer({ ...pair }, ({ headers }, response) => {
    sent.push(headers.authorization ?? '');
    response.writeHead(403).end([headers.authorization, ...Object.values(tokens), client.secret].join(' '));
  });
  const ports = await Promise.all([listening(issuer), listening(api)]);
  [issuerUrl = '', apiUrl = ''] = ports.map((port) => `https://localhost:${port}`);
});
afterAll(() => {
  for (const server of [issuer, api]) {
    server.closeAllConnections();
    server.close();
  }
});

function idToken(seconds: number): string {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: issuerUrl, aud: client.id, sub: 'me', iat: now, exp: now + seconds };
  const parts = [{ alg: 'RS256' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return [...parts, 'c2lnbmF0dXJl'].join('.');
}

/** What comes of a read with these settings besides the usual ones. */
async function readWith(settings: object, timeout = 30_000, env = {}) {
  sent.length = 0;
  const connection = connectionTo(apiUrl, {
    tls: { ca: { kind: 'Text', text: pair.cert }, serverName: undefined, insecure: false },
    user: {
      oidc: {
        env,
        settings: {
          'client-id': client.id,
          'client-secret': client.secret,
          'id-token': idToken(-60),
          'refresh-token': tokens.first,
          'idp-issuer-url': issuerUrl,
          'idp-certificate-authority-data': Buffer.from(pair.cert).toString('base64'),
          ...settings,
        },
      },
    },
  });
  const pace = { clock: { now: () => Date.now(), sleep: async () => undefined }, random: () => 0 };
  const cluster = await openCluster(connection, timeout, { pace });
  const reading = await cluster.readNode('worker', never);
  await cluster.close();
  return reading.kind === 'Unreadable' ? reading.problem : undefined;
}

it('tokens that an identity provider renews during a run are taken out of what servers answer', async () => {
  const expired = idToken(-60);
  const problem = await readWith({ 'id-token': expired });
  expect(sent).toHaveLength(1);
  expect(sent[0]).not.toContain(expired);
  expect(problem).toMatchObject({
    kind: 'Forbidden',
    message: 'Bearer [redacted] [redacted] [redacted] [redacted]',
  });
});

it.each([
  ['is about to expire is renewed, because the clock of the server may be ahead', 5, true],
  ['has not expired is sent as it is', 60, false],
])('a token that %s', async (_what, seconds, isRenewed) => {
  const token = idToken(seconds);
  await readWith({ 'id-token': token, ...(!isRenewed && { 'refresh-token': '' }) });
  expect(sent).toHaveLength(1);
  expect(sent.includes(`Bearer ${token}`)).toBe(!isRenewed);
});

// biome-ignore format: one row a line
it.each([
  ['there is no refresh-token', { 'refresh-token': '' }, 'the id-token has expired, and there is no refresh-token'],
  ['the issuer has no TLS', { 'idp-issuer-url': 'http://localhost' }, 'the identity provider has a URL that is not https'],
  ['it cannot be reached', { 'idp-issuer-url': 'https://127.0.0.1:1' }, 'the identity provider cannot be reached: connect ECONNREFUSED 127.0.0.1:1'],
  ['it refuses, and quotes what it was sent', { 'client-id': 'stranger' }, 'the identity provider answers HTTP 400: unknown [redacted]'],
])('if %s, that is what is told, and the API server is not asked', async (_when, settings, told) => {
  const problem = await readWith(settings);
  expect(problem).toEqual({
    kind: 'Unauthorized',
    message: `the credentials of the kubeconfig cannot be used: ${told}`,
  });
  expect(sent).toEqual([]);
});

it('an identity provider is asked through the proxy of the environment, as with kubectl', async () => {
  const asked: string[] = [];
  const proxy = createProxy((_request, response) => response.writeHead(400).end());
  proxy.on('connect', ({ url = '' }, socket) => {
    asked.push(url);
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
  });
  const env = { HTTPS_PROXY: `http://127.0.0.1:${await listening(proxy)}` };
  const problem = await readWith({ 'idp-issuer-url': 'https://login.example.test' }, 30_000, env);
  proxy.close();
  expect(asked).toContain('login.example.test:443');
  expect(problem?.message).toMatch(/cannot be reached: the proxy .* answered HTTP 407/);
});

it.each(['head', 'body'])('an identity provider that stops answering has a time limit: %s', async (part) => {
  const problem = await readWith({ 'idp-issuer-url': `${issuerUrl}/hanging/${part}` }, 400);
  expect(problem?.message).toBe(
    'the credentials of the kubeconfig cannot be used: the identity provider did not answer within 0.4s (--request-timeout)',
  );
  expect(sent).toEqual([]);
});
