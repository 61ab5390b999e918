import { describe, expect, it } from 'vitest';
import { messageOf, stage } from './stage.ts';

const cluster = stage();
const demo = '/api/v1/namespaces/demo';
const merge = { headers: { 'content-type': 'application/merge-patch+json' } };

const bodyOf = (kind: string, metadata: object, apiVersion = 'v1') => ({ apiVersion, kind, metadata });
const configMap = (metadata: object) => bodyOf('ConfigMap', metadata);

describe('generateName', () => {
  const post = (generateName: string) =>
    cluster.ask('POST', `${demo}/configmaps`, { body: configMap({ generateName }) });

  it.each(['pod-', 'pod', 'a.b-', '1-'])('%s gets five random characters', async (prefix) => {
    const { status, body } = await post(prefix);
    expect(status).toBe(201);
    const { name } = (body as { metadata: { name: string } }).metadata;
    expect(name.slice(0, -5)).toBe(prefix);
    expect(name).toMatch(/[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it('is cut to 58 characters', async () => {
    const { body } = await post('a'.repeat(250));
    expect(body).toMatchObject({ metadata: { name: expect.stringMatching(/^a{58}\w{5}$/) } });
  });

  it.each([
    ['pod.', ['metadata.generateName']],
    ['-', ['metadata.generateName', 'metadata.name']],
    ['Pod-', ['metadata.generateName', 'metadata.name']],
    ['a'.repeat(254), ['metadata.generateName']],
  ])('refuses %s', async (prefix, fields) => {
    const { status, body } = await post(prefix);
    expect(status).toBe(422);
    const { causes } = (body as { details: { causes: { field: string }[] } }).details;
    expect(causes.map(({ field }) => field)).toEqual(fields);
  });
});

describe('a name', () => {
  const rbac = 'rbac.authorization.k8s.io/v1';
  const roles = `/apis/${rbac}/namespaces/demo/roles`;
  const cronJobs = '/apis/batch/v1/namespaces/demo/cronjobs';
  const [long, longest] = ['a'.repeat(64), 'a'.repeat(254)];
  it.each<readonly [what: string, path: string, body: object, problem: RegExp]>([
    ['with capitals', `${demo}/configmaps`, configMap({ name: 'A' }), /name: .*RFC 1123 subdomain/],
    ['too long', `${demo}/configmaps`, configMap({ name: longest }), /no more than 253 bytes/],
    ['of a namespace', '/api/v1/namespaces', bodyOf('Namespace', { name: 'a.b' }), /RFC 1123 label/],
    ['of a namespace', '/api/v1/namespaces', bodyOf('Namespace', { name: long }), /no more than 63 bytes/],
    ['of a service', `${demo}/services`, bodyOf('Service', { name: 'a.b' }), /RFC 1123 label/],
    ['of a CronJob', cronJobs, bodyOf('CronJob', { name: long }, 'batch/v1'), /no more than 52 characters/],
    ['of a role', roles, bodyOf('Role', { name: 'a/b' }, rbac), /may not contain '\/'/],
    ['of a role', roles, bodyOf('Role', { name: '.' }, rbac), /may not be '\.'/],
  ])('%s is refused', async (_what, path, body, problem) => {
    const answer = await cluster.ask('POST', path, { body });
    expect(answer.status).toBe(422);
    expect(messageOf(answer)).toMatch(problem);
  });

  it('of a role may have colons and capitals', async () => {
    const body = bodyOf('ClusterRole', { name: 'system:My:role' }, rbac);
    expect(await cluster.ask('POST', `/apis/${rbac}/clusterroles`, { body })).toMatchObject({ status: 201 });
  });
});

describe('labels, annotations and finalizers', () => {
  const refused: readonly (readonly [what: string, metadata: object, problem: RegExp])[] = [
    ['an empty key', { labels: { '': 'x' } }, /labels: .*name part must be non-empty/],
    ['two slashes', { annotations: { 'a/b/c': 'x' } }, /a qualified name must consist of/],
    ['a bad prefix', { labels: { 'A_b/c': 'x' } }, /prefix part a lowercase RFC 1123 subdomain/],
    ['an empty prefix', { labels: { '/c': 'x' } }, /prefix part must be non-empty/],
    ['a long name', { annotations: { ['a'.repeat(64)]: 'x' } }, /name part must be no more than 63 bytes/],
    ['a space in a key', { annotations: { 'a b': 'x' } }, /name part must consist of alphanumeric/],
    ['a space in a label', { labels: { a: 'two words' } }, /a valid label must be an empty string or/],
    ['a long label', { labels: { a: 'x'.repeat(64) } }, /Invalid value: "x+": must be no more than 63 bytes/],
    ['256 KiB', { annotations: { a: 'x'.repeat(262_144) } }, /annotations: Too long: may not be more than/],
    ['a finalizer', { finalizers: ['a b'] }, /metadata.finalizers/],
  ];

  it.each(refused)('refuses %s in a new object', async (_what, metadata, problem) => {
    const body = configMap({ name: 'refused', ...metadata });
    const answer = await cluster.ask('POST', `${demo}/configmaps`, { body });
    expect(answer.status).toBe(422);
    expect(messageOf(answer)).toMatch(problem);
  });

  it.each(refused.slice(-3))('refuses %s in a patch and an update', async (_what, metadata, problem) => {
    cluster.emulator.world.store.get('configmaps', 'demo', 'kept') ??
      (await cluster.ask('POST', `${demo}/configmaps`, { body: configMap({ name: 'kept' }) }));
    const path = `${demo}/configmaps/kept`;
    const answers = [
      await cluster.ask('PATCH', path, { ...merge, body: { metadata } }),
      await cluster.ask('PUT', path, { body: configMap({ name: 'kept', ...metadata }) }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(422);
      expect(messageOf(answer)).toMatch(problem);
    }
  });

  it('may be empty, have capitals in an annotation’s prefix, and 256 KiB', async () => {
    const metadata = {
      name: 'allowed',
      labels: { empty: '', 'example.com/A_b.c': 'A_b.c' },
      annotations: { 'Example.COM/a': '', b: 'x'.repeat(262_144 - 'Example.COM/a'.length - 1) },
    };
    const answer = await cluster.ask('POST', `${demo}/configmaps`, { body: configMap(metadata) });
    expect(answer.status).toBe(201);
  });

  it('must be strings', async () => {
    const body = configMap({ name: 'x', labels: { version: 1 } });
    const answer = await cluster.ask('POST', `${demo}/configmaps`, { body });
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toContain(
      'cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    );
  });
});
