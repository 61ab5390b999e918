import type { Entry } from '../policy/profile.ts';

const tombstone = 'Born: 2020-01-01T00:00:00Z\nDied: 2020-01-01T00:00:01Z\nExitCode: 0\n';

export const kubexit: Entry = {
  name: 'kubexit',
  containers: ['*'],
  images: ['*'],
  shows: [{ env: 'KUBEXIT_DEATH_DEPS' }],
  steps: [
    {
      tombstone: { path: '$(KUBEXIT_GRAVEYARD)/$(KUBEXIT_DEATH_DEPS)', content: tombstone },
      when: [{ env: 'KUBEXIT_GRAVEYARD' }],
    },
    {
      tombstone: { path: '/graveyard/$(KUBEXIT_DEATH_DEPS)', content: tombstone },
      unless: [{ env: 'KUBEXIT_GRAVEYARD' }],
    },
  ],
  notes:
    'kubexit ends the process that it wraps when the tombstones of its KUBEXIT_DEATH_DEPS contain Died; a main that is not wrapped ' +
    'leaves no tombstone. It sends TERM, then KILL after KUBEXIT_GRACE_PERIOD, and passes on the exit code.',
  source: 'karlkfi/kubexit',
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
