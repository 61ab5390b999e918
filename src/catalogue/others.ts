import type { Entry } from '../policy/profile.ts';

export const dapr: Entry = {
  name: 'dapr',
  containers: ['daprd'],
  images: ['daprio/daprd', 'dapr/daprd', 'daprd'],
  steps: [
    {
      http: { port: { argument: '--dapr-http-port', default: 3500 }, path: '/v1.0/shutdown' },
      grace: '10s',
      unless: [{ env: 'DAPR_API_TOKEN' }, { annotation: 'dapr.io/api-token-secret' }],
    },
    { signal: ['TERM'] },
  ],
  notes:
    'It answers 204 and drains for dapr.io/graceful-shutdown-seconds (5); before 1.17.7 and 1.18.0, the answer is all that comes of it. ' +
    'With an API token, the request would need that secret. Its exit code is not documented.',
  source: 'dapr/dapr#2828, #9949',
  native: {
    kind: 'Switch',
    since: '1.18.0',
    by: 'the annotation dapr.io/enable-native-sidecar, or the Helm value dapr_sidecar_injector.nativeSidecar, off by default',
    source: 'Dapr 1.18.0, release notes; dapr/dapr#9422, #9450, pkg/injector/patcher/sidecar_patcher.go',
  },
  cure: {
    injectedIf: [{ annotation: 'dapr.io/enabled' }],
    switches: [
      {
        since: ['1.18.0'],
        annotation: { key: 'dapr.io/enable-native-sidecar', value: 'true' },
        changes:
          'daprd is a native sidecar in these pods; the Helm value dapr_sidecar_injector.nativeSidecar does so in all',
        native: true,
        source: 'Dapr 1.18.0, release notes; dapr/dapr#9450',
      },
      {
        until: ['1.17.7'],
        does: 'upgrade Dapr to 1.18.0 or later, which can make daprd a native sidecar',
        changes:
          'nothing until then: POST /v1.0/shutdown has no effect before 1.17.7, so each pod waits for a sweep',
        source: 'Dapr 1.18.0, release notes; dapr/dapr#9949',
      },
      {
        since: ['1.17.7'],
        does: 'let the main container POST to localhost:3500/v1.0/shutdown when its work is done',
        changes: 'daprd drains for dapr.io/graceful-shutdown-seconds (5), then ends',
        source: 'dapr/dapr#2828, #9949',
      },
    ],
  },
};

export const gcsfuse: Entry = {
  name: 'gcsfuse',
  endsLast: true,
  containers: ['gke-gcsfuse-sidecar'],
  images: ['gcs-fuse-csi-driver-sidecar-mounter'],
  steps: [{ command: ['/bin/sh', '-c', ': > /gcsfuse-tmp/.volumes/exit'], exitCode: 0, grace: '15s' }],
  notes:
    'It looks for the file every 5 s. On TERM alone, it waits for its processes, which run on. The CSI driver writes the file itself once ' +
    'all other containers have ended. The image has no shell; that of gke.gcr.io/debug has one.',
  source: 'GoogleCloudPlatform/gcs-fuse-csi-driver, pkg/csi_driver/utils.go, cmd/sidecar_mounter/main.go',
  native: {
    kind: 'Switch',
    since: 'gcs-fuse-csi-driver 1.2.0',
    by: 'an API server and kubelets of 1.29 or later on every node, unless the annotation gke-gcsfuse/enable-native-sidecar says false',
    source: 'GoogleCloudPlatform/gcs-fuse-csi-driver, pkg/webhook/injection.go; #38, #322',
  },
  cure: {
    injectedIf: [{ annotation: 'gke-gcsfuse/volumes' }],
    switches: [
      {
        does: 'have every node of the cluster run a kubelet of 1.29 or later',
        changes: 'the webhook then makes the sidecar of every pod a native one; with one older node, of none',
        native: true,
        kubelets: '1.29',
        source: 'GoogleCloudPlatform/gcs-fuse-csi-driver#38, #322',
      },
    ],
  },
};

export const gitSync: Entry = {
  name: 'git-sync',
  containers: ['git-sync', 'git-sync-*', 'gitsync-*'],
  images: ['git-sync', 'git-sync/git-sync'],
  steps: [{ signal: ['TERM'], exitCode: 143 }],
  notes:
    'As PID 1, it ends with 128 plus the number of the signal, never with 0: only an image swap ends it cleanly.',
  source: 'kubernetes/git-sync, pkg/pid1/pid1.go; stackabletech/airflow-operator#379',
};

export const dockerInDocker: Entry = {
  name: 'docker-in-docker',
  containers: ['dind'],
  images: ['docker', 'library/docker'],
  steps: [{ signal: ['TERM'], exitCode: 0, grace: '20s' }],
  notes: 'On TERM, dockerd first stops its containers, which takes up to 15 s.',
  source:
    'moby/moby, daemon/command/daemon.go; actions/actions-runner-controller#1515, #3254; tried with 20.10',
  native: {
    kind: 'Switch',
    since: 'gha-runner-scale-set 0.12.0',
    by: 'the chart itself on Kubernetes 1.29 or later; any other template may have it under initContainers',
    source: 'gha-runner-scale-set 0.12.0, release notes; actions/actions-runner-controller#3842',
  },
};

export const kubexit: Entry = {
  name: 'kubexit',
  containers: ['*'],
  images: ['*'],
  shows: [{ env: 'KUBEXIT_DEATH_DEPS' }],
  steps: [
    // The shell does not interpret what its variables contain.
    {
      command: [
        '/bin/sh',
        '-c',
        `echo Died: 2020-01-01T00:00:00Z > "\${KUBEXIT_GRAVEYARD:-/graveyard}/\${KUBEXIT_DEATH_DEPS%%,*}"`,
      ],
    },
  ],
  notes:
    'kubexit ends the process that it wraps when a tombstone of its KUBEXIT_DEATH_DEPS contains Died; a main that is not wrapped ' +
    'leaves no tombstone. It sends TERM, then KILL after KUBEXIT_GRACE_PERIOD, and passes on the exit code.',
  source: 'karlkfi/kubexit, cmd/kubexit/main.go (onDeathOfAny)',
  cure: {
    switches: [
      {
        does: 'start the main container by kubexit as well, with KUBEXIT_NAME and the same KUBEXIT_GRAVEYARD',
        changes: 'it then leaves a tombstone when it ends, for which this container waits',
        source: 'karlkfi/kubexit',
      },
    ],
  },
};
