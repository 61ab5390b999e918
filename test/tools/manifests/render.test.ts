import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { killCommandKeys, stepsKey } from '../../../src/model/annotations.ts';
import { defaults } from '../../../src/policy/flags.ts';
import { ensureNamespace } from '../../kit/emulator/index.ts';
import { describeUnless } from '../../kit/needs.ts';
import { TestCluster } from '../../kit/stuck-pods.ts';
import { nameOf, permissionsIn } from './permissions.ts';
import {
  cannotRender,
  containerIn,
  find,
  folder,
  foldersOf,
  jobIn,
  type Manifest,
  render,
  renderFile,
  runKubectl,
  withSwaps,
} from './render.ts';
import { schemaProblems } from './schema.ts';

const sources = [...foldersOf('overlays'), 'policies', 'monitoring'];
describeUnless(cannotRender, 'manifests', () => {
  const rendered = new Map<string, readonly Manifest[]>();
  const cluster = TestCluster.startedOnce();
  beforeAll(async () => {
    for (const name of ['team-a', 'team-b']) ensureNamespace(cluster.emulator.world, name);
    for (const source of sources) rendered.set(source, await render(source));
  });

  const kubectl = async (argv: readonly string[], input = '') =>
    runKubectl([...argv, '--kubeconfig', await cluster.kubeconfig()], input);
  const of = (source: string) => rendered.get(source) ?? [];

  describe.each(sources)('%s', (source) => {
    it('renders to objects whose fields are all in the API’s schema', () => {
      expect(of(source).length).toBeGreaterThan(0);
      const known = of(source).filter(({ apiVersion }) => !apiVersion.startsWith('monitoring.coreos.com/'));
      expect(known.flatMap(schemaProblems)).toEqual([]);
    });
  });

  it('with a misspelt field or a wrong type fail the schema check', () => {
    const cronJob = JSON.stringify(find(of('overlays/sweep'), 'CronJob'));
    const fields = [...new Set([...cronJob.matchAll(/"([a-zA-Z]+)":/g)].map(([, name]) => name))];
    expect(fields.length).toBeGreaterThan(50);
    // The check selects the schema by kind; the others are resource names.
    const free = new Set(['kind', 'cpu', 'memory']);
    for (const field of fields) {
      const wrong: Manifest = JSON.parse(cronJob.replace(`"${field}":`, `"${field}x":`));
      if (!free.has(field ?? '')) expect(schemaProblems(wrong), field).toHaveLength(1);
    }
    const mistyped: Manifest = JSON.parse(cronJob.replace('"sidecar.istio.io/inject":"false"', '"a":false'));
    expect(schemaProblems(mistyped)).toEqual([expect.stringContaining('not a string')]);
  });

  it.each(foldersOf('overlays'))('kubectl applies %s twice with strict validation', async (overlay) => {
    expect(await kubectl(['apply', '-k', folder(overlay)])).toContain('namespace/sidecar-sweeper');
    const again = await kubectl(['apply', '-k', folder(overlay)]);
    expect(again.trim().split('\n')).toHaveLength(of(overlay).length);
    expect(again).not.toMatch(/ created$/m);
  });

  it('give the sweep four fifths of the Job’s deadline', () => {
    const { activeDeadlineSeconds, template } = jobIn(of('overlays/sweep'));
    expect(template.spec.containers[0].args).toContain(`--deadline=${(activeDeadlineSeconds * 0.8) / 60}m`);
  });

  it('leave the sweep a minute and a half besides the longest wait for a pod', () => {
    const { args } = containerIn(of('overlays/sweep'));
    const deadline = args.flatMap((arg: string) => /^--deadline=(\d+)m$/.exec(arg)?.[1] ?? []).map(Number);
    expect(deadline).toHaveLength(1);
    expect(deadline[0] * 60_000 - defaults.maxGrace).toBeGreaterThanOrEqual(90_000);
  });

  it('give Node three quarters of the container’s memory', () => {
    const { env, resources } = containerIn(of('overlays/sweep'));
    const limit = Number.parseInt(resources.limits.memory, 10);
    const value = expect.stringContaining(`--max-old-space-size=${limit * 0.75} `);
    expect(env).toContainEqual({ name: 'NODE_OPTIONS', value });
  });

  it.each(foldersOf('overlays'))('%s meets the restricted Pod Security Standard', (overlay) => {
    const pod = jobIn(of(overlay)).template.spec;
    // No user: the image has one, and OpenShift accepts only those that it assigns itself.
    expect(pod.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect([pod.hostNetwork, pod.hostPID, pod.hostIPC, pod.initContainers]).toEqual(Array(4).fill(undefined));
    expect(pod.volumes.map((volume: object) => Object.keys(volume).sort())).toEqual([['configMap', 'name']]);
    expect(pod.containers.map((container: { securityContext: object }) => container.securityContext)).toEqual(
      [{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } }],
    );
    expect(find(of(overlay), 'Namespace')).toMatchObject({
      metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
    });
  });

  it('namespaced has permissions only in the listed namespaces and its own', () => {
    const objects = of('overlays/namespaced');
    expect(objects.filter(({ kind }) => kind.startsWith('ClusterRole'))).toEqual([]);
    const { args } = containerIn(objects);
    const named = args.flatMap((arg: string) => /^--namespace=(.*)/.exec(arg)?.[1]?.split(',') ?? []);
    const roles = objects.filter(
      ({ kind, metadata }) => kind === 'Role' && metadata.name === 'sidecar-sweeper',
    );
    expect(roles.map(({ metadata }) => metadata.namespace)).toEqual(named);
    const [first, ...rest] = roles.map(({ rules }) => rules);
    expect(rest).toEqual(rest.map(() => first));
  });

  it('allow access to the Pushgateway and to DNS, on OpenShift as well, with its component', async () => {
    const objects = await renderFile(`
resources: [../sweep]
components: [../../components/pushgateway]`);
    const policy = Object(find(objects, 'ConfigMap')).data['policy.yaml'];
    const url = new URL(/pushgatewayUrl: (.*)/.exec(policy)?.[1] ?? '');
    const ports = JSON.stringify(Object(find(objects, 'NetworkPolicy')).spec.egress);
    expect(ports).toContain(`{"port":${url.port},"protocol":"TCP"}`);
    for (const port of [53, 5353]) expect(ports).toContain(`{"port":${port},"protocol":"UDP"}`);
    expect(objects.flatMap(schemaProblems)).toEqual([]);
  });

  it('restrict every annotation with commands to users who may exec', () => {
    const keys = [...killCommandKeys('proxy'), stepsKey('proxy')].map((key) => key.replace('proxy', ''));
    const policy = find(of('policies'), 'ValidatingAdmissionPolicy', 'sidecar-sweeper-kill-commands');
    const conditions: readonly { readonly expression: string }[] = Object(policy).spec.matchConditions;
    const expression = conditions.map((condition) => condition.expression).join(' && ');
    expect([...expression.matchAll(/k\.startsWith\('(.*?)'\)/g)].map(([, key]) => key).sort()).toEqual(
      keys.sort(),
    );
  });

  describe('as shown in the installation guide', () => {
    const guide = readFileSync(new URL('../../../docs/install.md', import.meta.url), 'utf8');
    const blocks = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block = '']) => block);
    const [overlay = '', ...others] = blocks;
    const patched = async (start: string) => {
      const patches = others.find((block) => block.startsWith('patches:') && block.includes(start)) ?? '';
      const objects = await renderFile(`resources: [../sweep]\n${patches}`);
      expect(objects.flatMap(schemaProblems)).toEqual([]);
      return { objects, spec: jobIn(objects) };
    };

    it('have the images of the overlay', async () => {
      const objects = await renderFile(overlay.replaceAll('../manifests/', '../../'));
      const { image } = containerIn(objects);
      expect(image).toBe('registry.acme.example/tools/sidecar-sweeper:0.1.0');
    });

    it('are in the folders that it names', () => {
      const named = [...guide.matchAll(/[^`\w](?:\.\.\/)?(manifests\/[\w./-]*\w)/g)].map(
        ([, path = '']) => path,
      );
      expect(named.length).toBeGreaterThan(2);
      for (const path of named) expect(existsSync(folder(path.replace('manifests/', ''))), path).toBe(true);
    });

    it('run as many shards as completions', async () => {
      const { spec } = await patched('Indexed');
      expect(spec).toMatchObject({ completionMode: 'Indexed', completions: 3, parallelism: 3 });
      expect(spec).not.toHaveProperty('backoffLimit');
      expect(spec.template.spec.containers[0].args).toContain('--shards=3');
    });

    it('may read the logs that they keep', async () => {
      const { objects } = await patched('pods/log');
      expect(permissionsIn(objects).map(nameOf)).toContain('get pods/log');
    });
  });

  it('use the same no-op image for the sweeper and its admission policy', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    for (const objects of [await renderFile(withSwaps), of('overlays/swap')]) {
      const { annotations } = Object(find(objects, 'ServiceAccount')).metadata;
      const image = annotations['sidecar-sweeper.dev/noop-image'];
      expect(image).toMatch(new RegExp(`:${version}$`));
      const { args, env } = containerIn(objects);
      expect(args).toContain('--noop-image=$(NOOP_IMAGE)');
      expect(env).toContainEqual({ name: 'NOOP_IMAGE', value: image });
    }
  });
});
