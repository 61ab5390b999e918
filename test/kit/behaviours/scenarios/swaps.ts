import { AdmissionregistrationV1Api } from '@kubernetes/client-node';
import { expect } from 'vitest';
import type { Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const missing = 'registry.invalid/no-such-image:1';
const never = 'no image is changed here';

/** When images are swapped, who refuses it, and what becomes of swaps that go wrong. */
export const swaps: readonly Scenario[] = [
  {
    title: 'a pod whose no-op image cannot be pulled is reported, and again by the next sweep',
    async play(stage) {
      await stage.stuck({ name: 'work', sidecar: { image: stage.images.shellLess } });
      // Otherwise the sweep would give the pull a minute.
      const swept = await stage.sweep({ flags: ['--noop-image', missing, '--deadline', '30s'] });
      expect(swept.sidecar('work').outcome).toMatchObject({
        kind: 'NotStarted',
        reason: expect.stringMatching(/Pull/),
      });
      expect(swept.exitCode).toBe(5);

      const later = await stage.sweep();
      expect(later.report.pods).toEqual([]);
      expect(later.report.notStartedAgain).toMatchObject([
        { waiting: [{ name: 'sidecar', image: missing }] },
      ]);
      expect(later.exitCode).toBe(4);
    },
  },
  {
    title: 'where a swap is permitted, it goes before every step whose end is uncertain',
    async play(stage) {
      await stage.stuck({ name: 'work', sidecar: { image: stage.images.shellLess } });
      const swept = await stage.sweep({ flags: stage.swapping });
      expect(swept.methods('work')).toEqual(['ImageSwap']);
      expect(swept.sidecar('work').outcome).toEqual({ kind: 'Stopped', exitCode: 0 });
      expect(swept.exitCode).toBe(0);
      expect(await stage.endOf('work')).toBe('Complete');
    },
  },
  {
    title: 'a swap that PodSecurity refuses is unfit, with its message, and nothing is swapped',
    play: (stage) => playRefused(stage, refuseByPodSecurity, 'violates PodSecurity "restricted'),
  },
  {
    title: 'a swap that an admission policy refuses is unfit, with its message, and nothing is swapped',
    needs: { kind: 'Version', version: '1.30', for: 'ValidatingAdmissionPolicy' },
    play: (stage) => playRefused(stage, refuseByPolicy, never),
  },
  {
    title: 'a no-op image without the program that a container names fails one pod at most',
    async play(stage) {
      const names = ['a', 'b', 'c'];
      const sidecar = { command: ['sleep', '100000'] };
      await stage.stuck(...names.map((name) => ({ name, sidecar })));
      const swept = await stage.sweep({ flags: ['--noop-image', stage.images.shellLess] });
      expect(swept.outcomes()).toEqual(['Ended', 'Blocked', 'Blocked']);
      expect(swept.exitCode).toBe(7);
      const phases = (await Promise.all(names.map((name) => stage.pods(name)))).flat();
      expect(phases.filter(({ status }) => status?.phase === 'Failed')).toHaveLength(1);
    },
  },
];

/** A sweep whose swaps are refused. The sidecar has no shell, so that no other step can end it. */
async function playRefused(
  stage: Stage,
  refuse: (stage: Stage) => Promise<void>,
  message: string,
): Promise<void> {
  await stage.stuck({ name: 'work', sidecar: { image: stage.images.shellLess } });
  await refuse(stage);
  const swept = await stage.sweep({ flags: stage.swapping });
  expect(swept.sidecar('work').unfit).toContainEqual({
    method: 'ImageSwap',
    reason: 'NotAdmitted',
    detail: expect.stringContaining(message),
  });
  expect(swept.methods('work')).not.toContain('ImageSwap');
  expect(swept.exitCode).toBe(4);
  expect(await stage.restarts()).toEqual([0]);
}

/** A namespace that became strict after the pod had started: PodSecurity looks again when an image changes. */
async function refuseByPodSecurity({ core, namespace }: Stage): Promise<void> {
  const body = await core.readNamespace({ name: namespace });
  const labels = { ...body.metadata?.labels, 'pod-security.kubernetes.io/enforce': 'restricted' };
  await core.replaceNamespace({ name: namespace, body: { ...body, metadata: { ...body.metadata, labels } } });
}

async function refuseByPolicy(stage: Stage): Promise<void> {
  const { namespace: name, site } = stage;
  const admission = site.config.makeApiClient(AdmissionregistrationV1Api);
  const here = { matchLabels: { 'kubernetes.io/metadata.name': name } };
  const pods = { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['UPDATE'] };
  const isOld = 'oldObject.spec.containers.exists(o, o.name == c.name && o.image == c.image)';
  await admission.createValidatingAdmissionPolicy({
    body: {
      metadata: { name },
      spec: {
        matchConstraints: { namespaceSelector: here, resourceRules: [pods] },
        validations: [{ expression: `object.spec.containers.all(c, ${isOld})`, message: never }],
      },
    },
  });
  stage.removeLater(() => admission.deleteValidatingAdmissionPolicy({ name }));
  await admission.createValidatingAdmissionPolicyBinding({
    body: { metadata: { name }, spec: { policyName: name, validationActions: ['Deny'] } },
  });
  stage.removeLater(() => admission.deleteValidatingAdmissionPolicyBinding({ name }));
  // A real API server takes a moment to learn of a policy.
  await stage.until('the policy to be in force', async () => {
    const [pod] = await stage.pods();
    const swap = [{ op: 'replace', path: '/spec/containers/1/image', value: stage.images.noop }];
    const patched = stage.core.patchNamespacedPod({
      namespace: name,
      name: pod?.metadata?.name ?? '',
      body: swap,
      dryRun: 'All',
    });
    return patched.then(
      () => false,
      (refusal) => String(refusal).includes(never),
    );
  });
}
