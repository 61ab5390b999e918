import { type Emulator, ensureObject, type KubeObject, type Pod, steppedClock } from '../emulator/index.ts';
import { barePod, recordedPod } from './manifests.ts';
import { type Exchange, type RecordedRequest, readRecording } from './recording.ts';
import type { ExchangeCase } from './replay-exchanges.ts';
import { eventualPod, isStuck, post, postPod } from './stage.ts';

const start = Date.parse('2026-11-21T04:13:25Z');

/** Bare pods whose main container is done, as during the recording of the short exchanges. */
function bareMainDone(names: readonly string[]) {
  return ({ world, clock }: Emulator) => {
    const finishedAt = new Date(clock.now().getTime() - 1000);
    const done = { kind: 'terminated', exitCode: 0, finishedAt } as const;
    world.placePods(names.map((name) => ({ manifest: barePod(name) as never, states: { main: done } })));
  };
}

/** Stuck pods of the recorded cluster. */
function stuckPods(names: readonly string[]) {
  return ({ world, clock }: Emulator) => {
    const done = { kind: 'terminated', exitCode: 0, finishedAt: clock.now() } as const;
    world.placePods(
      names.map((name) => {
        const { metadata, spec } = recordedPod(name);
        const { nodeName, volumes, tolerations, ...rest } = spec;
        const manifest = { metadata: { name, namespace: 'demo', labels: metadata.labels ?? {} }, spec: rest };
        return { manifest, states: { main: done } };
      }),
    );
  };
}

/** A service account with these rules, and stuck pods for its requests. */
function limited(rules: readonly { resources: string[]; verbs: string[] }[], pods: readonly string[] = []) {
  return (emulator: Emulator) => {
    stuckPods(pods)(emulator);
    const withGroup = rules.map((rule) => ({ apiGroups: [''], ...rule }));
    return emulator.serviceAccount({ namespace: 'demo', name: 'limited', rules: withGroup });
  };
}

const distroless = ['distroless-term0-c9c24'];
const distrolessExec = (verbs: string[]) => limited([{ resources: ['pods/exec'], verbs }], distroless);

/** A pod on a node without a kubelet, or without a node. */
function podOnNode(namespace: string, name: string, container: string, nodeName?: string) {
  return async (emulator: Emulator) => {
    await post(emulator, '/api/v1/namespaces', { metadata: { name: namespace } }).catch(() => {});
    await post(emulator, `/api/v1/namespaces/${namespace}/pods`, {
      metadata: { name },
      spec: {
        containers: [{ name: container, image: 'docker.io/local/busybox:1' }],
        schedulerName: 'none',
        ...(nodeName ? { nodeName } : {}),
      },
    });
  };
}

const statusCut = ({ kind, reason, message, code }: Record<string, unknown>) => ({
  kind,
  reason,
  message,
  code,
});

/** The setup of each recorded exchange that does not follow a pod. An empty one needs none. */
// biome-ignore format: as many as fit on a line
export const exchangeCases: Readonly<Record<string, ExchangeCase>> = {
  'access-review': {},
  'access-review-denied': { given: limited([]) },
  'deadline-raise': {
    given: bareMainDone(['r4-b']),
    cut: (body) => {
      if (body['kind'] !== 'Pod') return statusCut(body);
      const { activeDeadlineSeconds } = body['spec'] as Pod['spec'];
      return { kind: 'Pod', activeDeadlineSeconds };
    },
  },
  'delete-wrong-uid': { given: bareMainDone(['r4-a']) },
  'ephemeral-invalid': { given: bareMainDone(['r4-a']), cut: statusCut },
  'event-create': {},
  'event-generate-name': {},
  evict: {
    given: async (emulator) => {
      bareMainDone(['r4-c', 'r4-d'])(emulator);
      await post(emulator, '/apis/policy/v1/namespaces/demo/poddisruptionbudgets', {
        metadata: { name: 'r4' },
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'r4-c' } } },
      });
    },
  },
  'exec-forbidden-no-verb': { given: limited([], distroless) },
  'exec-with-get-verb-only': { given: distrolessExec(['get']) },
  'exec-with-create-verb-only': { given: distrolessExec(['create']) },
  'exec-unauthorized': { given: () => 'no-such-token' },
  'exec-no-protocol': { given: stuckPods(['ignore-term-v9n28']) },
  'exec-pod-not-found': {},
  'exec-unscheduled': { given: podOnNode('demo', 'r4-unscheduled', 'sidecar') },
  'exec-node-gone': { given: podOnNode('scale-0', 'job-0-x7k2p', 'istio-proxy', 'fake-0') },
  'exec-kubelet-refuses': {
    given: async (emulator) => {
      await podOnNode('demo', 'r4-dead', 'sidecar', 'dead')(emulator);
      await post(emulator, '/api/v1/nodes', {
        metadata: { name: 'dead' },
        status: {
          addresses: [{ type: 'InternalIP', address: '127.0.0.9' }],
          daemonEndpoints: { kubeletEndpoint: { Port: 10_999 } },
        },
      });
    },
  },
  'get-pod-not-found': {},
  lease: { adapt: adaptLease },
  'list-bad-continue': {},
  'list-bad-field-selector': {},
  'list-expired-continue': { given: ({ world }) => world.store.compact() },
  'list-forbidden': { given: limited([]) },
  'list-pages': {
    given: stuckPods([
      'argo-annotated-447qm', 'container-restart-policy-8fhj4', 'deadline-9rzp5', 'distroless-http-mhk9p',
      'distroless-term0-c9c24', 'ephemeral-tvgbq', 'ignore-term-v9n28',
    ]),
    adapt: adaptContinue,
    cut: (body) => ({
      ...body,
      items: (body['items'] as Pod[]).map(({ metadata: { name, namespace }, status: { phase } }) => ({
        metadata: { name, namespace },
        status: { phase },
      })),
    }),
  },
  'list-protobuf': {
    given: (emulator) => {
      const [json] = readRecording('list-protobuf.json').exchanges ?? [];
      const { items } = (json?.body ?? { items: [] }) as { items: readonly Pod[] };
      for (const { metadata, ...pod } of items) {
        const named = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata } };
        ensureObject(emulator.world, { ...pod, ...named });
      }
      bareMainDone(['r4-a', 'r4-b', 'r4-c', 'r4-d'])(emulator);
    },
    recordedHeaders: ['content-type', 'content-length', 'transfer-encoding'],
  },
  logs: {
    options: { runtime: 'processes' },
    given: async (emulator) => {
      await postPod(emulator, barePod('r4-a'));
      await eventualPod(emulator, isStuck);
    },
  },
  'patch-immutable-field': { given: bareMainDone(['r4-a']) },
  'patch-uid-test-fails': { given: bareMainDone(['r4-a']) },
  'table-list': {
    // The recording was made nine seconds after the pods were created.
    options: { clock: steppedClock(start) },
    given: ({ world }) => {
      const at = new Date(start - 9000);
      const done = { kind: 'terminated', exitCode: 0, finishedAt: at } as const;
      world.placePods(
        ['r4-a', 'r4-b'].map((name) => {
          const pod = barePod(name) as KubeObject;
          const creationTimestamp = at.toISOString().replace('.000', '');
          return {
            manifest: { ...pod, metadata: { ...pod.metadata, creationTimestamp } } as never,
            states: { main: done },
          };
        }),
      );
    },
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  },
  unauthorized: { given: () => 'no-such-token' },
  version: {},
  'watch-too-old': { given: ({ world }) => world.store.compact() },
};

/** The recorded PUTs have the uid and resourceVersion from the answer to the recorded POST. */
function adaptLease(request: RecordedRequest, earlier: readonly Exchange[]): RecordedRequest {
  const [created] = earlier;
  if (!request.body || request.method !== 'PUT' || !created) return request;
  const { uid, resourceVersion } = (created.body as KubeObject).metadata;
  const body = JSON.parse(request.body) as KubeObject;
  const metadata = { ...body.metadata, uid, resourceVersion };
  return { ...request, body: JSON.stringify({ ...body, metadata }) };
}

function adaptContinue(request: RecordedRequest, earlier: readonly Exchange[]): RecordedRequest {
  const body = earlier.at(-1)?.body as { metadata: { continue: string } } | undefined;
  if (!body) return request;
  return { ...request, path: request.path.replace(/continue=[^&]+/, `continue=${body.metadata.continue}`) };
}
