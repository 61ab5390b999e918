import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KubeConfig, RbacAuthorizationV1Api } from '@kubernetes/client-node';
import { expect } from 'vitest';
import { permissionsIn } from '../../../tools/manifests/permissions.ts';
import { cannotRender, render } from '../../../tools/manifests/render.ts';
import type { Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';

/** What an account with few permissions can do. */
export const accounts: readonly Scenario[] = [
  {
    title:
      'the permissions of manifests/overlays/swap, which run nothing anywhere, end a sidecar without a shell',
    needs: { kind: 'Programs', missing: cannotRender },
    async play(stage) {
      await stage.stuck({ name: 'work', sidecar: { image: stage.images.shellLess } });
      const kubeconfig = await accountOfSwap(stage);
      const swept = await stage.sweep({ kubeconfig, flags: [...stage.swapping, '--events'] });
      expect(swept.methods('work')).toEqual(['ImageSwap']);
      expect(swept.exitCode).toBe(0);
      expect(await stage.endOf('work')).toBe('Complete');
    },
  },
];

/** Creates an account with the overlay's permissions in the namespace; returns the path of its kubeconfig. */
async function accountOfSwap({ core, site, namespace, folder }: Stage): Promise<string> {
  const rbac = site.config.makeApiClient(RbacAuthorizationV1Api);
  const name = 'sweeper';
  const rules = permissionsIn(await render('overlays/swap')).map(({ group, resource, verb }) => ({
    apiGroups: [group],
    resources: [resource],
    verbs: [verb],
  }));
  const metadata = { name };
  await core.createNamespacedServiceAccount({ namespace, body: { metadata } });
  await rbac.createNamespacedRole({ namespace, body: { metadata, rules } });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
  const subjects = [{ kind: 'ServiceAccount', namespace, name }];
  await rbac.createNamespacedRoleBinding({ namespace, body: { metadata, roleRef, subjects } });
  const body = { spec: { audiences: [] } };
  const { status } = await core.createNamespacedServiceAccountToken({ namespace, name, body });
  const cluster = site.config.getCurrentCluster();
  if (!cluster || !status?.token) throw new Error('no cluster or no token');
  const config = new KubeConfig();
  config.loadFromClusterAndUser(cluster, { name, token: status.token });
  const file = join(folder, 'kubeconfig');
  await writeFile(file, config.exportConfig());
  return file;
}
