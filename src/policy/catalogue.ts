import type { Profile } from '../types.ts';

/**
 * Sidecars known without any configuration. Name and image must both fit: names alone are not safe, because
 * nothing stops somebody from calling a main container `vault-agent`.
 */
export const catalogue: readonly Profile[] = [
  // Also the images of managed meshes, such as gcr.io/gke-release/asm/proxyv2.
  { name: 'istio', containerName: /^istio-proxy$/, image: repository('(?:istio/|asm/|.*/)?proxyv2') },
  { name: 'linkerd', containerName: /^linkerd-proxy$/, image: repository('(?:linkerd|buoyantio)/proxy') },
  {
    name: 'cloud-sql-proxy',
    containerName: /^cloud-?sql-proxy$/,
    image: repository('(?:cloud-sql-connectors/cloud-sql-proxy|cloudsql-docker/gce-proxy)'),
  },
  {
    name: 'vault-agent',
    containerName: /^vault-agent$/,
    image: repository('(?:hashicorp/)?vault(?:-enterprise)?'),
  },
];

/** An image of this repository, from any registry, with any tag or digest. */
function repository(path: string): RegExp {
  return new RegExp(`^(?:[^@]*/)?${path}(?::[^/@]+)?(?:@.+)?$`);
}
