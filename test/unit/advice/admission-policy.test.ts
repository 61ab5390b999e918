import { describe, expect, it } from 'vitest';
import { admissionPolicyFor } from '../../../src/advice/admission-policy.ts';
import type { Origin } from '../../../src/advice/cause.ts';
import type { ContainerView } from '../../../src/model/pod.ts';
import { catalogue } from '../../../src/policy/catalogue.ts';
import { container, exited, podView, running } from '../../builders/pod-view.ts';
import { cronJob, stuck, versions } from '../../builders/stuck.ts';

const current = versions('v1.36.2', 'v1.36.2');
const sidecar = (name: string, image: string, more: Partial<ContainerView> = {}) =>
  container(name, running, { image, ...more });
const vault = sidecar('vault-agent', 'docker.io/hashicorp/vault:1.17.2');
const fluentBit = sidecar('fluent-bit', 'docker.io/fluent/fluent-bit:4.1');
const injected = cronJob({ containers: ['main'] });
const jobSet: Origin = { ...cronJob(), kind: 'JobSet', reading: undefined };

function pod(origin: Origin, ...sidecars: readonly ContainerView[]) {
  const annotations = { 'sidecar-sweeper.dev/sidecars': sidecars.map(({ name }) => name).join() };
  return {
    origin,
    candidates: [stuck({ annotations, containers: [container('main', exited()), ...sidecars] })],
  };
}
const having = (...containers: readonly string[]) => cronJob({ containers: ['main', ...containers] });

describe('the policy moves', () => {
  // biome-ignore format: one row a line
  it.each<readonly [what: string, stuck: ReturnType<typeof pod>, moves: readonly string[]]>([
    ["what Vault's injector added, which marks the pod", pod(injected, vault), ['vault-agent']],
    ['what a template has, known or not', pod(having('sidecar'), sidecar('sidecar', 'acme/x:1')), ['sidecar']],
    ['two in their order', pod(having('fluent-bit'), fluentBit, vault), ['fluent-bit', 'vault-agent']],
    ['what nothing injects, though its template is not read', pod(jobSet, fluentBit), ['fluent-bit']],
  ])('%s', (_what, found, moves) => {
    expect(admissionPolicyFor([found], current, catalogue)).toMatchObject({ moves, leaves: [], first: [] });
  });

  const rules = [{ action: 'Restart', operator: 'In', exitCodes: [1] }] as const;
  const azwi = sidecar('azwi-proxy', 'mcr.microsoft.com/oss/azure/workload-identity/proxy:v1.4.0');
  // biome-ignore format: one row a line
  it.each<readonly [what: string, stuck: ReturnType<typeof pod>, because: RegExp]>([
    ['a mesh, through which others talk', pod(injected, sidecar('istio-proxy', 'istio/proxyv2:1.27.0')), /^other sidecars need it .* native since 1\.19, by/],
    ['what its injector adds again', pod(injected, azwi), /^its injector may add a second one .* native since 1\.5\.0, by/],
    // Before 1.18.0, Dapr's injector looks among the containers only.
    ['what its injector adds again in older versions', pod(injected, sidecar('daprd', 'ghcr.io/dapr/daprd:1.16.0')), /^its injector may add a second one .* native since 1\.18\.0, by/],
    ['what an unknown injector added', pod(injected, sidecar('tracer', 'acme/tracer:1')), /injector is unknown/],
    ['what may come from anywhere', pod(jobSet, sidecar('tracer', 'acme/tracer:1')), /unknown what adds it/],
    ['what has restart rules', pod(having('logger'), sidecar('logger', 'acme/x:1', { restartRules: [...rules] })), /restartPolicyRules/],
  ])('not %s', (_what, found, because) => {
    const policy = admissionPolicyFor([found, pod(injected, vault)], current, catalogue);
    expect(policy?.moves).toEqual(['vault-agent']);
    expect(policy?.leaves.map((one) => one.because)).toEqual([expect.stringMatching(because)]);
    expect(JSON.stringify(policy?.manifests)).not.toContain(policy?.leaves[0]?.container);
  });

  it.each([sidecar('istio-proxy', 'istio/proxyv2:1.27.0'), azwi])('what starts before $name', (proxy) => {
    const found = pod(injected, vault, proxy);
    const because = expect.stringContaining(`it would start before ${proxy.name}, `);
    const leaves = [{ container: 'vault-agent', because }, { container: proxy.name }];
    expect(admissionPolicyFor([found], current, catalogue)).toMatchObject({ moves: [], leaves });
  });

  it('nothing that one pod keeps it from moving, though another does not', () => {
    const found = [
      pod(having('tracer'), sidecar('tracer', 'acme/x:1')),
      pod(injected, sidecar('tracer', 'acme/x:1')),
    ];
    expect(admissionPolicyFor(found, current, catalogue)).toMatchObject({ moves: [], manifests: [] });
  });
});

it('there is none if all are native by now', () => {
  const cured = cronJob({ containers: ['main'], nativeSidecars: ['vault-agent'] });
  expect(admissionPolicyFor([pod(cured, vault)], current, catalogue)).toBeUndefined();
});

it.each<readonly [server: string | undefined, first: RegExp | undefined, manifests: number]>([
  ['v1.36.0', undefined, 2],
  ['v1.37.1-gke.100', undefined, 2],
  ['v1.35.4', /^upgrade the API server \(v1\.35\.4\) to 1\.36 or later: .* beta and off/, 0],
  [undefined, /^make sure that the API server is 1\.36 or later/, 2],
])('on an API server of %s', (server, first, manifests) => {
  const cluster = { ...current, server };
  const policy = admissionPolicyFor([pod(injected, vault)], cluster, catalogue);
  expect(policy?.first).toEqual(first ? [expect.stringMatching(first)] : []);
  expect(policy?.manifests).toHaveLength(manifests);
});

it('it is limited to labelled namespaces, has a second run, and depends on nothing that an injector adds', () => {
  const policy = admissionPolicyFor([pod(injected, vault)], current, catalogue);
  expect(policy).toMatchObject({
    label: 'sidecar-sweeper.dev/native-sidecars=enabled',
    namespaces: [podView().ref.namespace],
  });
  const namespaceSelector = { matchLabels: { 'sidecar-sweeper.dev/native-sidecars': 'enabled' } };
  const matching = { matchConstraints: { namespaceSelector }, matchConditions: [{ name: 'meant-to-end' }] };
  expect(policy?.manifests).toMatchObject([
    { spec: { failurePolicy: 'Ignore', reinvocationPolicy: 'IfNeeded', ...matching } },
    { spec: { policyName: 'sidecar-sweeper.native.vault-agent' } },
  ]);
});

it('a policy for other sidecars does not replace it', () => {
  const agent = sidecar('agent', 'acme/x:1');
  const [first, second] = [pod(injected, vault), pod(having('agent'), agent)].map((one) =>
    admissionPolicyFor([one], current, catalogue)?.manifests.map(({ metadata }) => metadata),
  );
  expect(first).toEqual([
    { name: 'sidecar-sweeper.native.vault-agent' },
    { name: 'sidecar-sweeper.native.vault-agent' },
  ]);
  expect(second).toEqual([
    { name: 'sidecar-sweeper.native.agent' },
    { name: 'sidecar-sweeper.native.agent' },
  ]);
});

it('a policy for many sidecars has a name that the API server accepts', () => {
  const names = Array.from({ length: 20 }, (_, index) => `log-shipper-${index}`);
  const sidecars = names.map((name) => sidecar(name, 'acme/x:1'));
  const policy = admissionPolicyFor([pod(having(...names), ...sidecars)], current, catalogue);
  expect(policy?.manifests).toMatchObject([
    {
      metadata: {
        name: expect.stringMatching(
          /^sidecar-sweeper\.native\.log-shipper-0\.(?=.{1,240}$).*\w\.and-more-20$/,
        ),
      },
    },
    {},
  ]);
});
