import type { Entry } from '../policy/profile.ts';

export const haproxy: Entry = {
  name: 'haproxy',
  containers: ['haproxy', 'haproxy-sidecar'],
  images: ['haproxy', 'haproxy-alpine', 'haproxytech/haproxy-*'],
  steps: [{ signal: ['USR1'], exitCode: 0 }, { signal: ['TERM'] }],
  notes:
    'USR1 lets it finish open connections. Without -W, it has no handler for TERM, so TERM has no effect on it as PID 1; with -W, TERM ends it at once.',
  source: 'haproxy management guide, Stopping and restarting HAProxy; tried with 2.6',
};
