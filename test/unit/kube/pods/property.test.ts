import fc from 'fast-check';
import { expect, it } from 'vitest';
import { narrowed, read } from '../../../builders/narrowed.ts';
import { podsBefore } from '../../../builders/recordings.ts';

/** Fields as in the API's JSON, which leaves out what is empty: each may be missing but the required ones. */
function object(
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  ...required: readonly string[]
): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(fields as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [...required] });
}

function some<T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(item, { minLength: 1, maxLength: 3 });
}

/** Of one byte, of several, and of more than one byte of length tells. */
const word = fc.constantFrom(
  'a',
  'docker.io/local/app:1',
  ' ',
  'größer',
  '名前',
  '😀',
  '\0',
  '-'.repeat(150),
);
const name = fc.constantFrom('main', 'sidecar', 'wait', 'istio-proxy', 'vault-agent');
const yes = fc.constant(true);
const positive = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constantFrom(2 ** 31 - 1, 2 ** 40));
const code = fc.constantFrom(0, 0, 1, 137, 143, 255, 2 ** 31 - 1, -1);
const quantity = fc.constantFrom('100m', '1', '1500m', '64Mi', '1Gi', '0', '1e3');
const quantities = fc.dictionary(fc.constantFrom('cpu', 'memory', 'ephemeral-storage'), quantity, {
  minKeys: 1,
});
const words = fc.dictionary(word, fc.oneof(word, fc.constant('')), { minKeys: 1, maxKeys: 4 });
const policy = fc.constantFrom('Never', 'OnFailure', 'Always');
const time = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  .map((date) => `${date.toISOString().slice(0, 19)}Z`);
/** Go's zero time is null where it is not left out. */
const timeOrNull = fc.oneof({ weight: 9, arbitrary: time }, { weight: 1, arbitrary: fc.constant(null) });

const probe = object({
  exec: object({ command: some(word) }, 'command'),
  httpGet: object({ path: word, port: fc.oneof(positive, word), scheme: word }, 'port'),
  initialDelaySeconds: positive,
});

const restartRule = object(
  {
    action: fc.constantFrom('Restart', 'RestartAllContainers'),
    exitCodes: object({ operator: fc.constantFrom('In', 'NotIn'), values: some(code) }, 'operator'),
  },
  'action',
);

const container = object(
  {
    name,
    image: word,
    command: some(fc.oneof(word, fc.constant(''))),
    args: some(fc.string({ maxLength: 8 })),
    ports: some(object({ containerPort: positive, protocol: word }, 'containerPort')),
    env: some(
      fc.oneof(
        object({ name: word, value: word }, 'name'),
        fc.constantFrom<Record<string, string>[]>(
          { name: 'ARGO_TEMPLATE', value: '{"containerSet":{"containers":[{"name":"main"}]}}' },
          { name: 'ARGO_TEMPLATE' },
          { name: 'KUBEXIT_NAME', value: 'main' },
          { name: 'PATH', value: '/opt' },
        ),
      ),
    ),
    envFrom: some(object({ prefix: word })),
    resources: object({ requests: quantities, limits: quantities }),
    volumeMounts: some(object({ name: word, mountPath: word, readOnly: yes }, 'name', 'mountPath')),
    livenessProbe: probe,
    readinessProbe: probe,
    startupProbe: probe,
    lifecycle: object({
      postStart: object({ sleep: object({ seconds: positive }) }),
      preStop: fc.constant({}),
    }),
    imagePullPolicy: fc.constantFrom('Always', 'IfNotPresent'),
    securityContext: object({ runAsUser: code, capabilities: object({ drop: some(word) }) }),
    restartPolicy: policy,
    restartPolicyRules: some(restartRule),
  },
  'name',
  'resources',
);

const state = fc.oneof(
  fc.constant({}),
  object({ waiting: object({ reason: word, message: word }) }, 'waiting'),
  object({ running: object({ startedAt: timeOrNull }, 'startedAt') }, 'running'),
  object(
    {
      terminated: object(
        { exitCode: code, signal: positive, reason: word, startedAt: timeOrNull, finishedAt: timeOrNull },
        'exitCode',
        'startedAt',
        'finishedAt',
      ),
    },
    'terminated',
  ),
);

const containerStatus = object(
  {
    name,
    state,
    lastState: state,
    ready: fc.boolean(),
    restartCount: fc.nat({ max: 300 }),
    image: word,
    imageID: word,
    containerID: word,
    started: fc.boolean(),
    allocatedResources: quantities,
    resources: object({ requests: quantities }),
  },
  'name',
  'state',
  'lastState',
  'ready',
  'restartCount',
);

const owner = object(
  {
    apiVersion: fc.constantFrom('batch/v1', 'v1', 'argoproj.io/v1alpha1'),
    kind: fc.constantFrom('Job', 'Workflow', 'Node'),
    name: word,
    uid: word,
    controller: fc.boolean(),
  },
  'apiVersion',
  'kind',
  'name',
  'uid',
);

const metadata = object(
  {
    name: word,
    namespace: word,
    uid: word,
    resourceVersion: word,
    creationTimestamp: timeOrNull,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: fc.nat(),
    labels: fc.oneof(words, fc.constant({ 'workflows.argoproj.io/workflow': 'flow' })),
    annotations: words,
    ownerReferences: some(owner),
    finalizers: some(fc.oneof(word, fc.constant('batch.kubernetes.io/job-tracking'))),
    managedFields: some(
      object({ manager: word, time, fieldsV1: fc.constant({ 'f:spec': { '.': {} } }) }, 'manager'),
    ),
  },
  'name',
  'uid',
);

const spec = object(
  {
    volumes: some(object({ name: word, configMap: object({ name: word, optional: fc.boolean() }) }, 'name')),
    containers: some(container),
    initContainers: some(container),
    ephemeralContainers: some(object({ name, image: word, targetContainerName: name }, 'name')),
    restartPolicy: fc.oneof(
      { weight: 19, arbitrary: policy },
      { weight: 1, arbitrary: fc.constant('Sometimes') },
    ),
    terminationGracePeriodSeconds: fc.nat({ max: 3600 }),
    nodeName: word,
    nodeSelector: fc.constant({ 'kubernetes.io/os': 'linux' }),
    hostNetwork: yes,
    hostPID: yes,
    shareProcessNamespace: fc.boolean(),
    imagePullSecrets: some(object({ name: word })),
    tolerations: some(object({ key: word, tolerationSeconds: fc.integer() })),
    overhead: quantities,
    os: object({ name: fc.constantFrom('linux', 'windows') }, 'name'),
    resources: object({ requests: quantities }),
  },
  'containers',
  'restartPolicy',
);

const conditionType = fc.constantFrom('Ready', 'DisruptionTarget', 'PodResizePending', 'PodResizeInProgress');

const status = object({
  phase: fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'),
  conditions: some(
    object(
      { type: conditionType, status: fc.constantFrom('True', 'False'), lastProbeTime: fc.constant(null) },
      'type',
      'status',
    ),
  ),
  reason: word,
  message: word,
  podIPs: some(object({ ip: word })),
  startTime: time,
  resize: fc.constantFrom('Proposed', 'InProgress'),
  containerStatuses: some(containerStatus),
  initContainerStatuses: some(containerStatus),
});

/** Pods as in the JSON of an API server, realistic or not. */
const arbitraryApiPod: fc.Arbitrary<Readonly<Record<string, unknown>>> = object(
  { metadata, spec, status },
  'metadata',
  'spec',
  'status',
);

it('every pod that the API can hold is read, and its size is known', () => {
  const property = fc.property(arbitraryApiPod, (pod) => {
    const view = read(pod);
    if (!('problem' in view)) expect(view.size).toBeGreaterThan(100);
  });
  fc.assert(property, { numRuns: 500 });
  for (const [, pod] of podsBefore()) expect(narrowed(pod).size).toBeLessThan(8_192);
});
