import { beforeAll, describe, expect, it } from 'vitest';
import { expectRefused, messageOf, stage } from '../../cluster/emulator/server/stage.ts';
import { type Container, ensureObject, type Job } from '../../kit/emulator/index.ts';
import { describeUnless } from '../../kit/needs.ts';
import { nameOf, permissionsIn } from './permissions.ts';
import {
  cannotRender,
  containerIn,
  find,
  foldersOf,
  jobIn,
  type Manifest,
  render,
  renderFile,
  withSwaps,
} from './render.ts';

/** The namespace, the prefix, the account and the no-op image of an operator's own overlay. */
const overlayOf = (resource: string, components = '') => `
namespace: ops
namePrefix: acme-
resources: [../${resource}]
${components}
images:
  - name: registry.example.com/sidecar-sweeper-noop
    newName: registry.acme.example/noop
    newTag: "7"
patches:
  - target: { kind: ServiceAccount }
    patch: '[{ "op": "replace", "path": "/metadata/name", "value": "cleaner" }]'
    options: { allowNameChange: true }`;

const account = { namespace: 'ops', name: 'acme-cleaner' };
const own = 'registry.acme.example/noop:7';
const shipped = 'registry.example.com/sidecar-sweeper-noop:0.1.0';
const over = { kind: 'terminated', exitCode: 0, finishedAt: new Date('2026-11-21T04:00:00Z') } as const;
const named = (name: string): Container => ({ name, image: `acme/${name}:1` });

describeUnless(cannotRender, 'in an overlay with names and a no-op image of its own,', () => {
  describe.each([
    ['sweep', 'components: [../../components/image-swap]'],
    ['swap', ''],
  ])('%s %s', (overlay, components) => {
    const cluster = stage();
    let objects: readonly Manifest[] = [];
    let token = '';
    beforeAll(async () => {
      objects = await renderFile(overlayOf(overlay, components));
      for (const object of objects) ensureObject(cluster.emulator.world, object);
      token = cluster.emulator.serviceAccount(account);
    });

    let placed = 0;
    const patch = (body: object, by?: string) => {
      const name = `pod-${++placed}`;
      cluster.place(name, { containers: [named('main'), named('proxy')], states: { main: over } });
      const path = `/api/v1/namespaces/demo/pods/${name}`;
      return cluster.ask('PATCH', path, { as: 'json', body, token: by });
    };
    const imageOf = (value: string) => [{ op: 'replace', path: '/spec/containers/1/image', value }];

    it('lets the account set that image, and no other', async () => {
      expect(await patch(imageOf(own), token)).toMatchObject({ status: 200 });
      for (const image of ['evil:1', shipped])
        expectRefused(await patch(imageOf(image), token), 'only change images to the no-op image');
    });

    it('restricts no other account, not even one of the name that manifests/ has', async () => {
      expect(await patch(imageOf('any:1'))).toMatchObject({ status: 200 });
      const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['patch'] }];
      const another = { namespace: 'sidecar-sweeper', name: 'sidecar-sweeper', rules };
      const by = cluster.emulator.serviceAccount(another);
      expect(await patch(imageOf('any:1'), by)).toMatchObject({ status: 200 });
    });

    it('sweeps with that image', () => {
      const { args, env } = containerIn(objects);
      expect(args).toContain('--noop-image=$(NOOP_IMAGE)');
      expect(env).toContainEqual({ name: 'NOOP_IMAGE', value: own });
      expect(jobIn(objects).template.spec.serviceAccountName).toBe(account.name);
    });
  });

  describe('raise-backoff-limit', () => {
    const cluster = stage();
    it('lets the account raise the limit and nothing else', async () => {
      const component = 'components: [../../components/raise-backoff-limit]';
      const { world } = cluster.emulator;
      for (const object of await renderFile(overlayOf('swap', component))) ensureObject(world, object);
      const token = cluster.emulator.serviceAccount(account);
      const template = { spec: { restartPolicy: 'OnFailure' as const, containers: [named('main')] } };
      const metadata = { name: 'report', namespace: 'demo' };
      world.createJob({ metadata, spec: { backoffLimit: 1, suspend: true, template } });
      const path = '/apis/batch/v1/namespaces/demo/jobs/report';
      const raise = (spec: object) => cluster.ask('PATCH', path, { as: 'merge', body: { spec }, token });
      expect(messageOf(await raise({ suspend: false }))).toContain('may only raise');
      expect(await raise({ backoffLimit: 2 })).toMatchObject({ status: 200 });
      expect(world.store.get<Job>('jobs', 'demo', 'report')?.spec.backoffLimit).toBe(2);
    });
  });
});

describeUnless(cannotRender, 'an account that may patch pods', () => {
  it.each([...foldersOf('overlays'), withSwaps])('is restricted by a policy in %s', async (overlay) => {
    const objects = await (overlay === withSwaps ? renderFile(overlay) : render(overlay));
    const mayPatch = permissionsIn(objects).some((each) => nameOf(each) === 'patch pods');
    const bindings = objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicyBinding');
    expect(bindings.length > 0).toBe(mayPatch);
    const { name, namespace } = find(objects, 'ServiceAccount').metadata;
    for (const { spec } of bindings) expect(spec).toMatchObject({ paramRef: { name, namespace } });
  });
});
