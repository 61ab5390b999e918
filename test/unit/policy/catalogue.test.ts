import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../src/policy/catalogue.ts';
import { matchesGlob, matchesRepository } from '../../../src/policy/pattern.ts';

/** The profile that knows a container of this name and image. */
function profileOf(container: string, image: string): string | undefined {
  const profile = catalogue.find(
    ({ containers, images }) =>
      containers.some((pattern) => matchesGlob(pattern, container)) &&
      images.some((pattern) => matchesRepository(pattern, image)),
  );
  return profile?.name;
}

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

describe('a sidecar is known by its name and its image', () => {
  it.each([
    ['istio-proxy', 'docker.io/istio/proxyv2:1.27.0', 'istio'],
    ['istio-proxy', 'istio/proxyv2', 'istio'],
    ['istio-proxy', 'docker.io/istio/proxyv2:1.27.0-distroless', 'istio'],
    ['istio-proxy', 'gcr.io/istio-release/proxyv2:1.27.0', 'istio'],
    ['istio-proxy', 'gcr.io/gke-release/asm/proxyv2:1.21.5-asm.7', 'istio'],
    ['istio-proxy', `gcr.io/gke-release/asm/proxyv2@${digest}`, 'istio'],
    ['istio-proxy', 'registry.example:5000/istio/proxyv2:1.27.0', 'istio'],
    ['istio-proxy', 'localhost:5000/proxyv2', 'istio'],
    ['istio-proxy', '123456789012.dkr.ecr.eu-west-1.amazonaws.com/mirror/istio/proxyv2:1.27', 'istio'],
    ['linkerd-proxy', 'ghcr.io/linkerd/proxy:edge-25.10.1', 'linkerd'],
    ['linkerd-proxy', 'cr.l5d.io/linkerd/proxy:stable-2.14.10', 'linkerd'],
    ['linkerd-proxy', `cr.l5d.io/linkerd/proxy:stable-2.14.10@${digest}`, 'linkerd'],
    ['linkerd-proxy', 'ghcr.io/buoyantio/proxy:enterprise-2.18.0', 'linkerd'],
    ['cloud-sql-proxy', 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.1', 'cloud-sql-proxy'],
    ['cloud-sql-proxy', 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.18.2-alpine', 'cloud-sql-proxy'],
    ['cloudsql-proxy', 'gcr.io/cloudsql-docker/gce-proxy:1.33.1', 'cloud-sql-proxy'],
    ['cloudsql-proxy', 'eu.gcr.io/cloudsql-docker/gce-proxy:1.33.1-buster', 'cloud-sql-proxy'],
    ['vault-agent', 'hashicorp/vault:1.17', 'vault-agent'],
    ['vault-agent', 'docker.io/hashicorp/vault:1.17.2', 'vault-agent'],
    ['vault-agent', 'vault:1.13.3', 'vault-agent'],
    ['vault-agent', 'registry.example:5000/hashicorp/vault-enterprise:1.17.0-ent', 'vault-agent'],
    ['vault-agent', `hashicorp/vault@${digest}`, 'vault-agent'],
  ])('%s of %s', (container, image, profile) => {
    expect(profileOf(container, image)).toBe(profile);
  });
});

describe('a look-alike is not known', () => {
  it.each([
    // The name of another container of the same system.
    ['istio-init', 'docker.io/istio/proxyv2:1.27.0'],
    ['istio-validation', 'docker.io/istio/proxyv2:1.27.0'],
    ['my-istio-proxy', 'docker.io/istio/proxyv2:1.27.0'],
    ['istio-proxy-2', 'docker.io/istio/proxyv2:1.27.0'],
    ['vault-agent-init', 'hashicorp/vault:1.17'],
    ['vault', 'hashicorp/vault:1.17'],
    ['proxy', 'ghcr.io/linkerd/proxy:edge'],
    // The name of a sidecar on an image of its own.
    ['istio-proxy', 'acme/batch:1'],
    ['istio-proxy', 'docker.io/istio/pilot:1.27.0'],
    ['istio-proxy', 'acme/notproxyv2:1'],
    ['istio-proxy', 'acme/proxyv2-tools:1'],
    ['istio-proxy', 'acme/proxyv2/tools:1'],
    ['istio-proxy', 'acme/tools:proxyv2'],
    ['istio-proxy', 'acme/tools@sha256:istio/proxyv2'],
    ['istio-proxy', ''],
    ['linkerd-proxy', 'acme/proxy:1'],
    ['linkerd-proxy', 'cr.l5d.io/linkerd/proxy-init:v2.4.0'],
    ['linkerd-proxy', 'notlinkerd/proxy:1'],
    ['cloud-sql-proxy', 'gcr.io/cloud-sql-connectors/cloud-sql-proxy-operator:1.6'],
    ['cloud-sql-proxy', 'acme/cloud-sql-proxy:1'],
    ['cloud_sql_proxy', 'gcr.io/cloudsql-docker/gce-proxy:1.33.1'],
    ['vault-agent', 'hashicorp/vault-k8s:1.4'],
    ['vault-agent', 'acme/myvault:1'],
    ['vault-agent', 'acme/vault-backup:1'],
    ['vault-agent', 'hashicorp/vault.evil:1'],
    // Upper case names no repository.
    ['istio-proxy', 'docker.io/Istio/ProxyV2:1.27.0'],
  ])('%s of %s', (container, image) => {
    expect(profileOf(container, image)).toBeUndefined();
  });
});

it('every profile has a name of its own', () => {
  const names = catalogue.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
