import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { methodNamed } from '../../../src/methods/index.ts';
import { catalogue } from '../../../src/policy/catalogue.ts';
import { describeNative, findProfile, profile } from '../../../src/policy/profile.ts';
import { podView, running, container as withImage } from '../../builders/pod-view.ts';
import { temporaryFolder } from '../../kit/started.ts';

function profileOf(container: string, image: string): string | undefined {
  return findProfile(catalogue, podView(), withImage(container, running, { image }))?.name;
}

const folder = temporaryFolder('graveyards');
const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

describe('a sidecar is known by its name and its image', () => {
  // biome-ignore format: one row a line
  it.each([
    ['istio-proxy', 'docker.io/istio/proxyv2:1.27.0', 'istio'],
    ['istio-proxy', `gcr.io/gke-release/asm/proxyv2@${digest}`, 'istio'],
    // What mirrors and resellers make of a name.
    ['istio-proxy', 'docker.io/rancher/mirrored-istio-proxyv2:1.27.0', 'istio'],
    ['istio-proxy', `registry.redhat.io/openshift-service-mesh/proxyv2-rhel9@${digest}`, 'istio'],
    ['istio-proxy', `registry.redhat.io/openshift-service-mesh/istio-proxyv2-rhel9@${digest}`, 'istio'],
    ['istio-proxy', '123456789012.dkr.ecr.eu-west-1.amazonaws.com/docker_io_istio_proxyv2:1.27', 'istio'],
    ['linkerd-proxy', '123456789012.dkr.ecr.eu-west-1.amazonaws.com/cr-l5d-io-linkerd-proxy:2.14', 'linkerd'],
    ['cloud-sql-proxy', 'registry.example/gcr-io-cloud-sql-connectors-cloud-sql-proxy:2.18', 'cloud-sql-proxy'],
    ['cloudsql-proxy', 'registry.example/mirror/gce-proxy:1.33.1', 'cloud-sql-proxy-v1'],
    ['alloydb-auth-proxy', 'registry.example/alloydb-auth-proxy:1.12', 'alloydb-auth-proxy'],
    ['vault-agent', `docker.io/rancher/mirrored-hashicorp-vault@${digest}`, 'vault-agent'],
    ['daprd', 'registry.example/daprio-daprd:1.14', 'dapr'],
    ['envoy', 'docker.io/rancher/mirrored-envoyproxy-envoy:v1.31', 'envoy'],
    ['fluent-bit', 'docker.io/rancher/mirrored-fluent-fluent-bit:3.1', 'fluent-bit'],
    ['fluent-bit', 'docker.io/bitnami/fluent-bit:3.1', 'fluent-bit'],
    ['otc-container', 'registry.example/otel_opentelemetry-collector-contrib:0.110', 'opentelemetry-collector'],
    ['datadog-agent', '123456789012.dkr.ecr.eu-west-1.amazonaws.com/datadog-agent:7', 'datadog-agent'],
    ['linkerd-proxy', 'ghcr.io/linkerd/proxy:edge-25.10.1', 'linkerd'],
    ['linkerd-proxy', `cr.l5d.io/linkerd/proxy:stable-2.14.10@${digest}`, 'linkerd'],
    ['linkerd-proxy', 'ghcr.io/buoyantio/proxy:enterprise-2.18.0', 'linkerd'],
    ['cloud-sql-proxy', 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.18.2-alpine', 'cloud-sql-proxy'],
    ['csql-jobs-orders', 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.18.2', 'cloud-sql-proxy'],
    ['cloudsql-proxy', 'gcr.io/cloudsql-docker/gce-proxy:1.33.1', 'cloud-sql-proxy-v1'],
    ['alloydb-auth-proxy', 'gcr.io/alloydb-connectors/alloydb-auth-proxy:1.12', 'alloydb-auth-proxy'],
    ['consul-dataplane', 'hashicorp/consul-dataplane:1.6', 'consul-dataplane'],
    ['consul-dataplane-web', 'hashicorp/consul-dataplane:1.6', 'consul-dataplane'],
    ['daprd', 'ghcr.io/dapr/daprd:1.14', 'dapr'],
    ['daprd', 'docker.io/daprio/daprd:1.14', 'dapr'],
    ['kuma-sidecar', 'docker.io/kumahq/kuma-dp:2.9', 'kuma'],
    ['envoy', 'docker.io/envoyproxy/envoy:v1.31', 'envoy'],
    ['otc-container', 'ghcr.io/open-telemetry/opentelemetry-collector:0.110', 'opentelemetry-collector'],
    ['aws-otel-collector', 'public.ecr.aws/aws-observability/aws-otel-collector:v0.41', 'opentelemetry-collector'],
    ['fluent-bit', 'cr.fluentbit.io/fluent/fluent-bit:3.1', 'fluent-bit'],
    ['log_router', 'public.ecr.aws/aws-observability/aws-for-fluent-bit:2.32', 'fluent-bit'],
    ['datadog-agent-injected', 'gcr.io/datadoghq/agent:7.58', 'datadog-agent'],
    ['gke-gcsfuse-sidecar', 'gke.gcr.io/gcs-fuse-csi-driver-sidecar-mounter:v1.4@sha256:0', 'gcsfuse'],
    ['pgbouncer', 'docker.io/bitnami/pgbouncer:1.23', 'pgbouncer'],
    ['vault-agent', 'docker.io/hashicorp/vault:1.17.2', 'vault-agent'],
    ['vault-agent', 'vault:1.13.3', 'vault-agent'],
    ['vault-agent', 'quay.io/openbao/openbao:2.6.2', 'vault-agent'],
    ['openbao-agent', 'quay.io/openbao/openbao:2.6.2', 'openbao-agent'],
    ['openbao-agent', 'ghcr.io/openbao/openbao-ubi:2.6.2', 'openbao-agent'],
    ['openbao-agent', 'docker.io/rancher/mirrored-openbao-openbao:2.6.2', 'openbao-agent'],
    ['istio-proxy', 'cgr.dev/chainguard/istio-proxy:1.28', 'istio'],
    ['istio-proxy', 'cgr.dev/acme.example/istio-proxy-fips:1.28', 'istio'],
    ['otel-collector', 'quay.io/signalfx/splunk-otel-collector:0.140.0', 'opentelemetry-collector'],
    ['alloy', 'docker.io/grafana/alloy:v1.12.0', 'opentelemetry-collector'],
    ['azwi-proxy', 'mcr.microsoft.com/oss/v2/azure/workload-identity/proxy:v1.5.1', 'azwi-proxy'],
    ['git-sync', 'registry.k8s.io/git-sync/git-sync:v4.4.0', 'git-sync'],
    ['gitsync-0', 'registry.k8s.io/git-sync/git-sync:v4.4.0', 'git-sync'],
    ['vector', 'docker.io/timberio/vector:0.50.0-debian', 'vector'],
    ['dind', 'docker.io/library/docker:28-dind', 'docker-in-docker'],
    ['ts-sidecar', 'ghcr.io/tailscale/tailscale:latest', 'tailscale'],
    ['statsd-exporter', 'quay.io/prometheus/statsd-exporter:v0.28.0', 'statsd-exporter'],
    ['oauth2-proxy', 'quay.io/oauth2-proxy/oauth2-proxy:v7.12.0', 'oauth2-proxy'],
    ['xray-daemon', 'public.ecr.aws/xray/aws-xray-daemon:3.3.15', 'aws-xray-daemon'],
  ])('%s of %s', (container, image, profile) => {
    expect(profileOf(container, image)).toBe(profile);
  });
});

it.each([
  // The name of another container of the same system.
  ['docker', 'docker.io/library/docker:28-cli'],
  ['istio-init', 'docker.io/istio/proxyv2:1.27.0'],
  ['istio-validation', 'docker.io/istio/proxyv2:1.27.0'],
  ['my-istio-proxy', 'docker.io/istio/proxyv2:1.27.0'],
  ['istio-proxy-2', 'docker.io/istio/proxyv2:1.27.0'],
  ['vault-agent-init', 'hashicorp/vault:1.17'],
  ['vault', 'hashicorp/vault:1.17'],
  ['openbao-agent-init', 'quay.io/openbao/openbao:2.6.2'],
  ['openbao-agent', 'hashicorp/vault:1.17'],
  ['proxy', 'ghcr.io/linkerd/proxy:edge'],
  // The name of a sidecar on an image of its own.
  ['istio-proxy', 'acme/batch:1'],
  ['istio-proxy', 'docker.io/istio/pilot:1.27.0'],
  ['istio-proxy', 'acme/proxyv2-tools:1'],
  ['istio-proxy', 'acme/tools:proxyv2'],
  ['istio-proxy', 'acme/tools@sha256:istio/proxyv2'],
  ['istio-proxy', ''],
  ['linkerd-proxy', 'acme/proxy:1'],
  ['linkerd-proxy', 'cr.l5d.io/linkerd/proxy-init:v2.4.0'],
  ['linkerd-proxy', 'notlinkerd/proxy:1'],
  ['cloud-sql-proxy', 'gcr.io/cloud-sql-connectors/cloud-sql-proxy-operator:1.6'],
  ['cloud-sql-proxy', 'acme/my-cloud-sql-proxy:1'],
  ['worker', 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.18.2'],
  ['istio-proxy', 'acme/notistio-proxyv2:1'],
  ['linkerd-proxy', 'acme/notlinkerd-proxy:1'],
  ['linkerd-proxy', 'acme/linkerd-proxy-init:v2.4.0'],
  ['envoy', 'acme/envoy:1'],
  ['fluent-bit', 'acme/my-fluent-bit:1'],
  ['cloud_sql_proxy', 'gcr.io/cloudsql-docker/gce-proxy:1.33.1'],
  ['vault-agent', 'hashicorp/vault-k8s:1.4'],
  ['vault-agent', 'acme/vault-backup:1'],
  ['vault-agent', 'hashicorp/vault.evil:1'],
  // Upper case names no repository.
  ['istio-proxy', 'docker.io/Istio/ProxyV2:1.27.0'],
])('a look-alike is not known %s of %s', (container, image) => {
  expect(profileOf(container, image)).toBeUndefined();
});

it('what kubexit wraps is known by its variable, whatever its name and image', () => {
  const wrapped = (env: Readonly<Record<string, string>>) =>
    findProfile(catalogue, podView(), withImage('work', running, { image: 'acme/batch:1', env }))?.name;
  expect(wrapped({ KUBEXIT_DEATH_DEPS: 'main' })).toBe('kubexit');
  expect(wrapped({ KUBEXIT_NAME: 'main' })).toBeUndefined();
});

it('the tombstone for kubexit is written by a real shell, which runs nothing that the variables contain', () => {
  const [step] = catalogue.flatMap(({ name, steps }) => (name === 'kubexit' ? steps : []));
  if (step?.method !== 'Command') expect.fail('kubexit needs a command');
  const [shell = '', ...args] = step.command;
  const evil = '$(touch evil) `touch evil`; touch evil > "\'%d*';
  const graveyard = join(folder, evil);
  mkdirSync(graveyard);
  const write = (dependencies: string, KUBEXIT_GRAVEYARD: string) =>
    spawnSync(shell, args, { cwd: graveyard, env: { KUBEXIT_DEATH_DEPS: dependencies, KUBEXIT_GRAVEYARD } })
      .status;
  expect(write(`${evil},other`, graveyard)).toBe(0);
  expect(readdirSync(graveyard)).toEqual([evil]);
  expect(readFileSync(join(graveyard, evil), 'utf8')).toBe('Died: 2020-01-01T00:00:00Z\n');
  expect(write('main', join(graveyard, 'missing'))).not.toBe(0);
});

describe('the catalogue', () => {
  it('says where every entry comes from', () => {
    expect(catalogue.filter(({ source = '' }) => source.trim() === '')).toEqual([]);
  });

  it('says since when each can be native and how, or why it cannot, and where that comes from', () => {
    for (const { name, native } of catalogue) {
      expect([name, native?.source]).not.toContain(undefined);
      if (native) expect(describeNative(native)).toMatch(/^(native since .*\d.*, (by|if) .|never native: .)/);
    }
  });

  it('names the injectors of which every version bears a second run: those that mark the pod', () => {
    const expected = ['vault-agent', 'openbao-agent'];
    expect(catalogue.flatMap(({ name, native }) => (native?.secondRun ? name : []))).toEqual(expected);
  });

  it('says of every cure what to do, what that changes, and where it comes from', () => {
    const switches = catalogue.flatMap(({ cure }) => cure?.switches ?? []);
    expect(switches.length).toBeGreaterThan(20);
    for (const { annotation, does, changes, source } of switches) {
      expect(annotation?.key ?? does ?? '').not.toBe('');
      expect([changes, source]).not.toContain('');
    }
  });

  it('has cures that no policy file may have', () => {
    const cured = { name: 'a', containers: ['a'], images: ['a'], steps: [], cure: { switches: [] } };
    expect(profile.safeParse(cured).success).toBe(false);
  });

  it('is written in the words of a policy file', () => {
    expect(catalogue.length).toBeGreaterThan(15);
    for (const { name, containers, images } of catalogue) {
      expect(profile.safeParse({ name, containers, images, steps: [] }).success).toBe(true);
    }
  });

  it('has a different name for every entry', () => {
    const names = catalogue.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('knows which sidecars others talk through: the proxies of meshes, and no others', () => {
    const names = catalogue.flatMap(({ name, mesh }) => (mesh ? name : []));
    expect(names.sort()).toEqual(['consul-dataplane', 'envoy', 'istio', 'kuma', 'linkerd']);
  });

  it('does nothing to a whole pod: only an operator asks for that', () => {
    const steps = catalogue.flatMap((entry) => entry.steps);
    expect(steps.filter(({ method }) => methodNamed(method).ends !== 'Container')).toEqual([]);
  });
});
