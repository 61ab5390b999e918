import type { Entry } from '../policy/profile.ts';

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
