import type { Profile } from '../types.ts';

/**
 * Sidecars known without any configuration. Name and image must both fit: names alone are not safe, because
 * nothing stops somebody from calling a main container `vault-agent`.
 */
export const catalogue: readonly Profile[] = [
  { name: 'istio', containers: ['istio-proxy'], images: ['proxyv2'] },
  { name: 'linkerd', containers: ['linkerd-proxy'], images: ['linkerd/proxy', 'buoyantio/proxy'] },
  {
    name: 'cloud-sql-proxy',
    containers: ['cloud-sql-proxy', 'cloudsql-proxy'],
    images: ['cloud-sql-connectors/cloud-sql-proxy', 'cloudsql-docker/gce-proxy'],
  },
  { name: 'vault-agent', containers: ['vault-agent'], images: ['vault', 'vault-enterprise'] },
];
