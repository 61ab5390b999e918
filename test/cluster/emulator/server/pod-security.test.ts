import { describe, expect, it } from 'vitest';
import type { Container } from '../../../kit/emulator/index.ts';
import { messageOf, stage } from './stage.ts';

const cluster = stage();

const secure = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};
const containerWith = (securityContext: object): Container => ({
  name: 'main',
  image: 'docker.io/local/busybox:1',
  securityContext: securityContext as NonNullable<Container['securityContext']>,
});

/** The namespace, created with its label if it is missing. */
function namespaceOf(level: string): string {
  const { store } = cluster.emulator.world;
  if (!store.get('namespaces', undefined, level)) {
    const labels = { 'pod-security.kubernetes.io/enforce': level };
    store.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: level, labels } });
  }
  return level;
}

let made = 0;
function create(level: string, spec: object = {}, container: object = {}) {
  const containers = [{ ...containerWith({}), ...container }];
  const body = { metadata: { name: `pod-${++made}` }, spec: { containers, ...spec } };
  return cluster.ask('POST', `/api/v1/namespaces/${namespaceOf(level)}/pods`, { body });
}

const violation = async (...[level, spec, container]: Parameters<typeof create>) =>
  messageOf(await create(level, spec, container))?.replace(/^.*violates PodSecurity /, '');

describe('baseline', () => {
  it('allows a plain pod', async () => {
    expect(await create('baseline')).toMatchObject({ status: 201 });
  });

  it.each<readonly [spec: object, container: object, violation: string]>([
    [{ hostNetwork: true, hostPID: true }, {}, 'host namespaces (hostNetwork=true, hostPID=true)'],
    [{ volumes: [{ name: 'root', hostPath: { path: '/' } }] }, {}, 'hostPath volumes (volume "root")'],
    [{}, { ports: [{ containerPort: 80, hostPort: 80 }] }, 'hostPort (container "main" uses hostPort 80)'],
    [
      {},
      containerWith({ privileged: true }),
      'privileged (container "main" must not set securityContext.privileged=true)',
    ],
    [
      {},
      containerWith({ capabilities: { add: ['NET_ADMIN', 'CHOWN'] } }),
      'non-default capabilities (container "main" must not include "NET_ADMIN" in securityContext.capabilities.add)',
    ],
    [
      { securityContext: { seccompProfile: { type: 'Unconfined' } } },
      {},
      'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
  ])('refuses %j %j', async (spec, container, expected) => {
    expect(await violation('baseline', spec, container)).toBe(`"baseline:latest": ${expected}`);
  });
});

describe('restricted', () => {
  it('names everything that a plain pod lacks, with 403', async () => {
    const { status, body } = await create('restricted');
    expect(status).toBe(403);
    expect(body).toMatchObject({
      reason: 'Forbidden',
      details: { name: `pod-${made}`, kind: 'pods' },
      message:
        `pods "pod-${made}" is forbidden: violates PodSecurity "restricted:latest": ` +
        'allowPrivilegeEscalation != false (container "main" must set ' +
        'securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "main" must set ' +
        'securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "main" must set ' +
        'securityContext.runAsNonRoot=true), seccompProfile (pod or container "main" must set ' +
        'securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    });
  });

  it('allows a pod that has it all, in the container or in the pod', async () => {
    expect(await create('restricted', {}, containerWith(secure))).toMatchObject({ status: 201 });
    const { allowPrivilegeEscalation, capabilities, ...ofPod } = secure;
    const container = containerWith({ allowPrivilegeEscalation, capabilities });
    expect(await create('restricted', { securityContext: ofPod }, container)).toMatchObject({ status: 201 });
  });

  it.each<readonly [container: object, violation: RegExp]>([
    [
      { ...secure, runAsUser: 0 },
      /^"restricted:latest": runAsUser=0 \(container "main" must not set runAsUser=0\)$/,
    ],
    [{ ...secure, runAsNonRoot: false }, /runAsNonRoot != true \(container "main" must not set/],
    [{ ...secure, privileged: true }, /"restricted:latest": privileged \(/],
  ])('refuses %j', async (securityContext, expected) => {
    expect(await violation('restricted', {}, containerWith(securityContext))).toMatch(expected);
  });
});
