import type { Entry } from '../policy/profile.ts';

const cloudSql = connector('CSQL_PROXY', '--exit-zero-on-sigterm');
const alloydb = connector('ALLOYDB_PROXY', '--exit-zero-sigterm');

export const cloudSqlProxy: Entry = {
  name: 'cloud-sql-proxy',
  containers: ['cloud-sql-proxy', 'cloudsql-proxy', 'csql-*'],
  images: ['cloud-sql-proxy', 'cloud-sql-connectors/cloud-sql-proxy'],
  tunnel: { endsIf: cloudSql.quits },
  steps: [
    cloudSql.call,
    { command: ['/cloud-sql-proxy', 'shutdown'], exitCode: 0, ...cloudSql.atDefaultPort },
    ...cloudSql.terms,
  ],
  notes:
    '/quitquitquit exists since 2.1.0 (with GET since 2.7.0) and is off by default; the command `shutdown` exists since 2.20.0. ' +
    'On TERM, version 2 exits with 143 unless --exit-zero-on-sigterm is set (since 2.6.0). With --max-sigterm-delay, it exits with 1 ' +
    'if another sidecar is still connected after that time. The containers of ' +
    'cloud-sql-proxy-operator are named csql-<namespace>-<name>, with both switched on, each on a port of its own from 9091 up; ' +
    'since 1.3.0, CSQL_PROXY_QUIT_URLS in every container of the pod lists their endpoints.',
  source:
    'GoogleCloudPlatform/cloud-sql-proxy releases, #2372, internal/proxy/proxy.go; cloud-sql-proxy-operator#425, #454, internal/workload/podspec_updates.go',
  native: {
    kind: 'Switch',
    since: 'cloud-sql-proxy-operator 1.6.0',
    by: 'an API server of 1.29 or later when the operator starts; without the operator, any template may have it under initContainers',
    source:
      'GoogleCloudPlatform/cloud-sql-proxy-operator 1.6.0, release notes; #624, internal/controller/setup.go',
  },
  cure: {
    injectedIf: [{ env: 'CSQL_PROXY_QUIT_URLS' }],
    switches: [
      {
        when: [{ env: 'CSQL_PROXY_QUIT_URLS' }],
        does:
          'upgrade cloud-sql-proxy-operator to 1.6.0 or later; if the API server was upgraded after the operator started, ' +
          "restart the operator: it checks the server's version only when it starts, and never checks the nodes",
        changes: 'the csql- containers of all pods that are made from then on are native sidecars',
        native: true,
        source: 'GoogleCloudPlatform/cloud-sql-proxy-operator 1.6.0, release notes',
      },
      {
        when: [{ env: 'CSQL_PROXY_QUIT_URLS' }],
        does: 'let the main container POST to each URL in $CSQL_PROXY_QUIT_URLS when its work is done',
        changes: 'each proxy ends with 0 when it is called',
        source: 'GoogleCloudPlatform/cloud-sql-proxy-operator#425, #454',
      },
      {
        since: ['2.1.0'],
        unless: cloudSql.quits,
        does: 'start the proxy with --quitquitquit, and let the main container POST to localhost:9091/quitquitquit when its work is done',
        changes: 'the proxy ends with 0 when it is called',
        source: 'GoogleCloudPlatform/cloud-sql-proxy 2.1.0, release notes',
      },
      {
        since: ['2.6.0'],
        ...cloudSql.exitZero,
        source: 'GoogleCloudPlatform/cloud-sql-proxy 2.6.0, release notes; #2372 is still open',
      },
    ],
  },
};

export const cloudSqlProxyV1: Entry = {
  name: 'cloud-sql-proxy-v1',
  containers: ['cloud-sql-proxy', 'cloudsql-proxy'],
  images: ['gce-proxy', 'cloudsql-docker/gce-proxy'],
  tunnel: { endsIf: [] },
  steps: [{ signal: ['TERM'] }],
  notes:
    'It has no endpoint. On TERM, it exits with 2 if connections are still open after -term_timeout (0 by default), otherwise with 0.',
  source: 'GoogleCloudPlatform/cloudsql-proxy#388, #128; tried with 1.17',
  cure: {
    switches: [
      {
        does: 'replace it with version 2.6.0 or later of cloud-sql-proxy, which has --quitquitquit and --exit-zero-on-sigterm',
        changes: 'it can then be asked to end, and ends with 0; version 1 has neither',
        source: 'GoogleCloudPlatform/cloud-sql-proxy 2.1.0 and 2.6.0, release notes',
      },
    ],
  },
};

export const alloydbAuthProxy: Entry = {
  name: 'alloydb-auth-proxy',
  containers: ['alloydb-auth-proxy', 'alloydb-proxy'],
  images: ['alloydb-auth-proxy', 'alloydb-connectors/alloydb-auth-proxy'],
  tunnel: { endsIf: alloydb.quits },
  steps: [
    alloydb.call,
    { command: ['/alloydb-auth-proxy', 'shutdown'], exitCode: 0, ...alloydb.atDefaultPort },
    ...alloydb.terms,
  ],
  notes:
    'It behaves like version 2 of cloud-sql-proxy, but its flag is --exit-zero-sigterm (since 1.11.0). /quitquitquit was added in 1.2.0, the command `shutdown` in 1.14.0.',
  source: 'GoogleCloudPlatform/alloydb-auth-proxy releases, #255, #684, #883, cmd/root.go, cmd/errors.go',
  cure: {
    switches: [
      {
        since: ['1.11.0'],
        ...alloydb.exitZero,
        source: 'GoogleCloudPlatform/alloydb-auth-proxy 1.11.0, release notes; #684',
      },
    ],
  },
};

/** Shared by both proxies: each flag is an environment variable, too. */
function connector(prefix: string, exitZero: string) {
  const quits = [{ argument: '--quitquitquit' }, { env: `${prefix}_QUITQUITQUIT` }];
  const variable = exitZero.slice(2).replaceAll('-', '_').toUpperCase();
  const exitsZero = [{ argument: exitZero }, { env: `${prefix}_${variable}` }];
  return {
    quits,
    // Like the proxy, the command takes another port as an argument, but not from the environment.
    atDefaultPort: {
      when: quits,
      unless: [{ argument: '--admin-port' }, { env: `${prefix}_ADMIN_PORT` }],
    },
    call: {
      http: {
        port: { argument: '--admin-port', env: `${prefix}_ADMIN_PORT`, default: 9091 },
        path: '/quitquitquit',
      },
      exitCode: 0,
      when: quits,
    },
    terms: [
      { signal: ['TERM'], exitCode: 0, when: exitsZero },
      { signal: ['TERM'], exitCode: 143, unless: exitsZero },
    ] satisfies Entry['steps'],
    exitZero: {
      unless: exitsZero,
      does: `start the proxy with ${exitZero}`,
      changes:
        'it ends with 0 on TERM instead of 143, so that a sweep makes no finished work run again; it still waits for the sweep',
    },
  };
}
