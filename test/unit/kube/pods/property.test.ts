import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isRecord } from '../../../../src/util/json.ts';
import { apiContainer, apiPod, apiStatus, narrowed, read } from '../../../builders/api-pod.ts';
import { podsAfter, podsBefore } from '../../../builders/recordings.ts';

/** A pod with what no recorded one has. */
const unrecorded = apiPod({
  metadata: {
    labels: { 'workflows.argoproj.io/workflow': 'flow' },
    deletionTimestamp: '2026-11-21T03:00:00Z',
    deletionGracePeriodSeconds: 30,
    managedFields: [{ manager: 'kubelet', fieldsV1: { 'f:spec': { '.': {} } } }],
  },
  spec: {
    hostNetwork: true,
    hostPID: true,
    overhead: { cpu: '250m', memory: '1e3' },
    os: { name: 'windows' },
    resources: { requests: { cpu: '1', memory: '64Mi' } },
    initContainers: [
      apiContainer('mesh', {
        restartPolicy: 'Always',
        startupProbe: { httpGet: { path: '/', port: 15_020 }, initialDelaySeconds: 5 },
        lifecycle: { postStart: { sleep: { seconds: 3 } } },
      }),
    ],
    containers: [
      apiContainer('wait', {
        env: [{ name: 'ARGO_TEMPLATE', value: '{"containerSet":{"containers":[{"name":"main"}]}}' }],
        envFrom: [{ prefix: 'A' }],
        ports: [{ containerPort: 80, protocol: 'TCP' }],
        restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1, 42] } }],
        volumeMounts: [{ name: 'tools', mountPath: '/tools', readOnly: true }],
      }),
    ],
  },
  status: {
    resize: 'InProgress',
    conditions: [{ type: 'PodResizePending', status: 'True', lastProbeTime: null }],
    containerStatuses: [apiStatus('wait', { terminated: { exitCode: 255, signal: 9, finishedAt: null } })],
  },
});

/** Of one byte, of several, and of so many that the length takes two. */
const word = fc.constantFrom('', 'a', 'größer', '😀', '\0', 'Always', 'Job', 'istio-proxy', '-'.repeat(150));
const number = fc.oneof(fc.integer({ min: -1, max: 300 }), fc.constantFrom(2 ** 31 - 1, 2 ** 40));

/** A value like this one: without some of its fields and items, and here and there with another text or number. */
function like(value: unknown): fc.Arbitrary<unknown> {
  const same = fc.constant(value);
  const mostly = (other: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 9, arbitrary: same }, { weight: 1, arbitrary: other });
  if (Array.isArray(value)) return fc.tuple(...value.map(like)).chain((items) => fc.subarray(items));
  if (isRecord(value)) {
    const fields = Object.entries(value).map(([key, each]) => [key, like(each)] as const);
    return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  }
  if (typeof value === 'string' && Number.isNaN(Date.parse(value))) return mostly(word);
  return typeof value === 'number' ? mostly(number) : same;
}

it('every pod that the API can hold is read, and its size is known', () => {
  const pods = [...podsBefore().map(([, pod]) => pod), ...podsAfter(), unrecorded].map(like);
  const property = fc.property(fc.oneof(...pods), (pod) => {
    const view = read(Object(pod));
    if (!('problem' in view)) expect(view.size).toBeGreaterThan(100);
  });
  fc.assert(property, { numRuns: 500 });
  for (const [, pod] of podsBefore()) expect(narrowed(pod).size).toBeLessThan(8_192);
});
