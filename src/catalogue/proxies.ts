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

export const nginx: Entry = {
  name: 'nginx',
  containers: ['nginx-proxy', 'nginx-sidecar'],
  images: ['nginx', 'nginx-unprivileged'],
  steps: [
    { signal: ['QUIT'], exitCode: 0 },
    { signal: ['TERM'], exitCode: 0 },
  ],
  notes:
    'QUIT lets it finish open requests, TERM does not. A container named nginx is often the main, ' +
    'so it needs an annotation or a rule to count as a sidecar.',
  source: 'nginx documentation, Controlling nginx; tried with 1.22',
};

export const pgbouncer: Entry = {
  name: 'pgbouncer',
  containers: ['pgbouncer'],
  images: ['pgbouncer'],
  database: { endsIf: [] },
  steps: [{ signal: ['INT'], exitCode: 0 }, { signal: ['TERM'] }],
  notes:
    'On INT, it lets running queries finish. On TERM, it exits with 1 at once before 1.23; since 1.23, it waits for all clients to ' +
    'disconnect, and a second TERM ends it at once.',
  source: 'pgbouncer/pgbouncer#902; tried with 1.18',
};

export const stunnel: Entry = {
  name: 'stunnel',
  containers: ['stunnel', 'stunnel-*'],
  images: ['stunnel'],
  steps: [{ signal: ['TERM'], exitCode: 0 }],
  notes: 'It must run with `foreground = yes`, as it does in containers.',
  source: 'stunnel(8), SIGNALS; tried with 5.68',
};
