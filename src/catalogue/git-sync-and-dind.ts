import type { Entry } from '../policy/profile.ts';

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
