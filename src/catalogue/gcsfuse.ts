import type { Entry } from '../policy/profile.ts';

export const gcsfuse: Entry = {
  name: 'gcsfuse',
  endsLast: true,
  containers: ['gke-gcsfuse-sidecar'],
  images: ['gcs-fuse-csi-driver-sidecar-mounter'],
  steps: [{ tombstone: { path: '/gcsfuse-tmp/.volumes/exit' }, exitCode: 0, grace: '15s' }],
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
