type Json = Readonly<Record<string, unknown>>;

interface Parts {
  readonly metadata?: Json;
  readonly spec?: Json;
  readonly status?: Json;
}

/** A stuck pod as in the API: `main` has ended, `sidecar` is running. The parts override the defaults. */
export function apiPod({ metadata, spec, status }: Parts = {}): Json {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'demo', name: 'work-x2k9p', uid: 'uid-1', ...metadata },
    spec: {
      restartPolicy: 'Never',
      nodeName: 'node1',
      containers: [apiContainer('main'), apiContainer('sidecar')],
      ...spec,
    },
    status: {
      phase: 'Running',
      containerStatuses: [
        apiStatus('main', {
          terminated: { exitCode: 0, reason: 'Completed', finishedAt: '2026-11-21T03:00:00Z' },
        }),
        apiStatus('sidecar', { running: { startedAt: '2026-11-21T02:00:00Z' } }),
      ],
      ...status,
    },
  };
}

export function apiContainer(name: string, more: Json = {}): Json {
  return { name, image: 'docker.io/local/busybox:1', ...more };
}

export function apiStatus(name: string, state: Json, more: Json = {}): Json {
  return { name, state, lastState: {}, restartCount: 0, containerID: `containerd://${name}-0`, ...more };
}
