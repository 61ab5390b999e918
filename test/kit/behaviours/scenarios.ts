import { AdmissionregistrationV1Api, type V1JobSpec } from '@kubernetes/client-node';
import { expect } from 'vitest';
import { onTerm, type SidecarFields } from './jobs.ts';
import type { Stage } from './stage.ts';

/** A behaviour that takes more than one pod, more than one sweep or a special namespace. It has a namespace to itself. */
export interface Scenario {
  readonly title: string;
  /** The Kubernetes that has what it is about. */
  readonly needs?: { readonly version: string; readonly for: string };
  /** Plays it, with its expectations. */
  play(stage: Stage): Promise<void>;
}

const missing = 'registry.invalid/no-such-image:1';
const never = 'no image is changed here';

/** When images are swapped, who refuses it, and what becomes of swaps that go wrong. */
const swaps: readonly Scenario[] = [
  {
    title: 'a pod whose no-op image cannot be pulled is reported, and again by the next sweep',
    async play(stage) {
      // Under Never, the end of the old sidecar would be that of the pod. One that exits with 0 is not started again under OnFailure.
      const sidecar = { command: onTerm('exit 3') };
      await stage.stuck({ name: 'work', sidecar, restartPolicy: 'OnFailure' });
      // Otherwise the sweep would give the pull a minute.
      const swept = await stage.sweep({
        policy: { imageSwap: { image: missing, commands: 'shipped' } },
        flags: ['--deadline', '30s'],
      });
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
      const swept = await stage.sweep({ policy: stage.swapping });
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
    needs: { version: '1.30', for: 'ValidatingAdmissionPolicy' },
    play: (stage) => playRefused(stage, refuseByPolicy, never),
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
  const swept = await stage.sweep({ policy: stage.swapping });
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

const exits143 = { command: onTerm('exit 143') };

/** What an unclean end or a swap costs a Job. */
const cost: readonly Scenario[] = [
  notTaken('a Job without retries', { backoffLimit: 0 }),
  {
    ...notTaken('a Job that its podFailurePolicy would fail', {
      podFailurePolicy: {
        rules: [
          { action: 'FailJob', onExitCodes: { containerName: 'sidecar', operator: 'In', values: [143] } },
        ],
      },
    }),
    needs: { version: '1.26', for: 'podFailurePolicy' },
  },
  {
    title: 'a Job that tolerates no restart is left alone, and completes once its backoffLimit may be raised',
    async play(stage) {
      await stage.stuck({
        name: 'work',
        sidecar: { image: stage.images.shellLess },
        restartPolicy: 'OnFailure',
        job: { backoffLimit: 0 },
      });
      const before = await stage.sweep({ policy: stage.swapping });
      expect(before.sidecar('work').unfit).toContainEqual(
        expect.objectContaining({ reason: 'WouldFailJob' }),
      );
      expect(before.exitCode).toBe(4);

      const swept = await stage.sweep({ policy: { ...stage.swapping, raiseBackoffLimit: true } });
      expect(swept.report.warnings).toContainEqual(
        expect.objectContaining({ kind: 'BackoffLimitRaised', job: 'work', from: 0, to: 2 }),
      );
      expect(swept.sidecar('work').attempts).toMatchObject([{ method: 'ImageSwap' }]);
      expect(swept.exitCode).toBe(0);
      expect(await stage.endOf('work')).toBe('Complete');
      expect((await stage.job('work')).spec?.backoffLimit).toBe(2);
    },
  },
];

function notTaken(which: string, job: Partial<V1JobSpec>): Scenario {
  return {
    title: `${which} is not put at risk to find out how its sidecar ends`,
    async play(stage) {
      await stage.stuck({ name: 'work', sidecar: exits143, job });
      const swept = await stage.sweep();
      expect(swept.pod('work')).toMatchObject({ uncleanCost: { kind: 'Job' }, outcome: { kind: 'Blocked' } });
      const results = swept.sidecar('work').attempts.map(({ result }) => result.kind);
      expect(new Set(results)).toEqual(new Set(['Blocked']));
      expect(swept.exitCode).toBe(4);
      expect((await stage.job('work')).status).toMatchObject({ active: 1 });
    },
  };
}

/** Containers that the kubelet restarts however they end: only the end of their pod ends them. */
const alwaysRestarted: readonly Scenario[] = [
  neverAsked('a restartPolicy of its own, Always', { restartPolicy: 'Always' }),
  neverAsked('a rule that restarts it after every exit code', {
    restartPolicy: 'Never',
    restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'NotIn', values: [255] } }],
  }),
];

function neverAsked(what: string, sidecar: SidecarFields): Scenario {
  return {
    title: `nothing is sent to a sidecar with ${what}, unless the pod may be ended`,
    // By default; in 1.34, it has to be switched on.
    needs: { version: '1.35', for: 'restart policies of single containers' },
    async play(stage) {
      await stage.stuck({ name: 'work', sidecar });
      const swept = await stage.sweep({ policy: stage.swapping });
      expect(swept.sidecar('work')).toMatchObject({
        attempts: [],
        outcome: { kind: 'Skipped', reason: { kind: 'RestartsAlways' } },
      });
      expect(swept.exitCode).toBe(4);
      expect(await stage.restarts()).toEqual([0]);

      const ended = await stage.sweep({ flags: ['--last-resort', 'delete', '--unclean-exit', 'allow'] });
      expect(ended.methods('work')).toEqual(['Delete']);
      expect(ended.pod('work').outcome.kind).toBe('Gone');
    },
  };
}

/** What takes longest comes first. What fails only when it is told to is tried on the emulator: `test/faults`. */
export const scenarios: readonly Scenario[] = [...swaps, ...cost, ...alwaysRestarted];

/** Why a scenario cannot play on a cluster of this version, such as `v1.36.2`; undefined if it can. */
export function whyNot(needs: Scenario['needs'], version: string): string | undefined {
  const [major = 0, minor = 0] = numbersOf(version);
  const [wantedMajor = 0, wantedMinor = 0] = numbersOf(needs?.version ?? '0');
  const isOld = major < wantedMajor || (major === wantedMajor && minor < wantedMinor);
  return needs && isOld ? `needs Kubernetes ${needs.version} (${needs.for}); this is ${version}` : undefined;
}

function numbersOf(version: string): readonly number[] {
  return (version.match(/\d+/g) ?? []).map(Number);
}
