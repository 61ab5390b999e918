import { type CatalogueCase, clean, endsBySwap, endsOnRequest, endsOnSignal, sidecar } from './cases.ts';

const cloudSql = 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.20.0';
const alloyDb = 'gcr.io/alloydb-connectors/alloydb-auth-proxy:1.13.0-bookworm';
const vault = 'docker.io/hashicorp/vault:1.20';
const openBao = 'quay.io/openbao/openbao:2.6.2';
const quits = { 'vault.hashicorp.com/agent-enable-quit': 'true' };

/** The injectors start an agent as the child of a shell. */
function byShell(program: string) {
  return { command: ['/bin/sh', '-ec', `test -n "$HOSTNAME" && ${program} agent && true`] };
}

/** Database proxies and secret agents. */
export const proxies: readonly CatalogueCase[] = [
  endsOnRequest('POST 9091 /quitquitquit', {
    profile: 'cloud-sql-proxy',
    name: 'flag',
    title: 'is called if a flag enables the endpoint',
    sidecar: sidecar('cloud-sql-proxy', cloudSql, { args: ['--quitquitquit', 'p:r:i'] }),
  }),
  endsOnRequest('POST 9191 /quitquitquit', {
    profile: 'cloud-sql-proxy',
    name: 'port',
    title: 'is called if a variable enables the endpoint, on the port of an argument',
    sidecar: sidecar('cloud-sql-proxy', cloudSql, {
      args: ['--admin-port', '9191', 'p:r:i'],
      env: { CSQL_PROXY_QUITQUITQUIT: 'true' },
    }),
  }),
  endsOnRequest('POST 9092 /quitquitquit', {
    profile: 'cloud-sql-proxy',
    name: 'operator',
    title: 'is called on the port that the operator gave it',
    sidecar: sidecar('csql-jobs-orders', cloudSql, {
      args: ['p:r:i?port=5432'],
      env: {
        CSQL_PROXY_EXIT_ZERO_ON_SIGTERM: 'true',
        CSQL_PROXY_QUITQUITQUIT: 'true',
        CSQL_PROXY_ADMIN_PORT: '9092',
        CSQL_PROXY_QUIT_URLS: 'http://localhost:9091/quitquitquit http://localhost:9092/quitquitquit',
      },
    }),
  }),
  {
    profile: 'cloud-sql-proxy',
    name: 'shutdown',
    title: 'without permission for port-forward, its own command calls it',
    sweep: 'exec',
    sidecar: sidecar('cloud-sql-proxy', cloudSql, { args: ['--quitquitquit', 'p:r:i'] }),
    methods: ['Command'],
    outcome: clean,
    heard: ['asked POST 9091 /quitquitquit'],
  },
  endsOnSignal('TERM', {
    profile: 'cloud-sql-proxy',
    name: 'exit-zero',
    title: 'without the endpoint, exits 0 on TERM if a flag says so',
    sidecar: sidecar('cloudsql-proxy', `${cloudSql}-alpine`, { args: ['--exit-zero-on-sigterm', 'p:r:i'] }),
    unfit: [
      { method: 'Http', reason: 'NotShown' },
      { method: 'Command', reason: 'NotShown' },
      { method: 'Signal', reason: 'ShownOtherwise' },
    ],
  }),
  endsBySwap({
    sweep: 'forbidding',
    profile: 'cloud-sql-proxy',
    name: 'no-flag',
    title: 'without a flag, would exit 143 on TERM, which is held back: the swap ends it',
    sidecar: sidecar('cloud-sql-proxy', `${cloudSql}-alpine`),
  }),
  {
    profile: 'cloud-sql-proxy',
    name: 'unclean',
    title: 'exits 143 on TERM if unclean exits are allowed',
    sweep: 'unclean',
    sidecar: sidecar('cloud-sql-proxy', `${cloudSql}-alpine`),
    methods: ['Signal'],
    outcome: { kind: 'Stopped', exitCode: 143 },
    heard: ['signal TERM'],
  },
  endsOnSignal('TERM', {
    profile: 'cloud-sql-proxy-v1',
    name: 'term',
    title: 'has only TERM',
    sidecar: sidecar('cloudsql-proxy', 'gcr.io/cloudsql-docker/gce-proxy:1.37.0-alpine'),
  }),
  endsOnRequest('POST 9091 /quitquitquit', {
    profile: 'alloydb-auth-proxy',
    name: 'variable',
    title: 'is called if a variable enables the endpoint',
    sidecar: sidecar('alloydb-auth-proxy', alloyDb, { env: { ALLOYDB_PROXY_QUITQUITQUIT: 'true' } }),
  }),
  endsOnSignal('TERM', {
    profile: 'alloydb-auth-proxy',
    name: 'exit-zero',
    title: 'without the endpoint, exits 0 on TERM if a flag says so',
    sidecar: sidecar('alloydb-auth-proxy', alloyDb, { args: ['--exit-zero-on-sigterm'] }),
  }),
  {
    profile: 'alloydb-auth-proxy',
    name: 'unclean',
    title: 'without a flag, exits 143 on TERM if unclean exits are allowed',
    sweep: 'unclean',
    sidecar: sidecar('alloydb-auth-proxy', alloyDb),
    methods: ['Signal'],
    outcome: { kind: 'Stopped', exitCode: 143 },
    heard: ['signal TERM'],
  },
  endsOnRequest('POST 8200 /agent/v1/quit', {
    profile: 'vault-agent',
    name: 'quit',
    title: 'is called if the annotation enables the endpoint',
    sidecar: sidecar('vault-agent', vault, { env: { VAULT_ENABLE_QUIT: 'yes' } }),
    annotations: quits,
  }),
  {
    profile: 'vault-agent',
    name: 'once',
    title: 'gets TERM if it exceeds its grace period, and is never called twice',
    sidecar: sidecar('vault-agent', vault, { env: { VAULT_ENABLE_QUIT: 'yes', VAULT_TAKES: '600' } }),
    annotations: quits,
    methods: ['Http', 'Signal'],
    outcome: clean,
    heard: ['asked POST 8200 /agent/v1/quit', 'signal TERM'],
  },
  endsOnSignal('TERM', {
    profile: 'vault-agent',
    name: 'shell',
    title: 'gets TERM as the child of a shell if the injector started it so, and the shell exits 0',
    sidecar: sidecar('vault-agent', vault, byShell('/bin/vault')),
    unfit: [{ method: 'Http', reason: 'NotShown' }],
  }),
  endsOnSignal('TERM', {
    profile: 'vault-agent',
    name: 'openbao',
    title: 'in the image of OpenBao, as its chart injects it, gets TERM',
    sidecar: sidecar('vault-agent', openBao, byShell('/usr/bin/vault')),
    unfit: [{ method: 'Http', reason: 'NotShown' }],
  }),
  endsBySwap({
    profile: 'azwi-proxy',
    name: 'no-shell',
    title: 'has no shell for its signal: the swap ends it',
    sidecar: sidecar('azwi-proxy', 'mcr.microsoft.com/oss/v2/azure/workload-identity/proxy:v1.5.1'),
  }),
  endsOnSignal('TERM', {
    profile: 'oauth2-proxy',
    name: 'term',
    title: 'closes its listeners on TERM',
    sidecar: sidecar('oauth2-proxy', 'quay.io/oauth2-proxy/oauth2-proxy:v7.12.0-alpine'),
  }),
  endsOnSignal('TERM', {
    profile: 'tailscale',
    name: 'term',
    title: 'leaves the network on TERM, then ends',
    sidecar: sidecar('tailscale', 'ghcr.io/tailscale/tailscale:v1.90'),
  }),
  endsOnRequest('POST 8200 /agent/v1/quit', {
    profile: 'openbao-agent',
    name: 'quit',
    title: 'is called if the annotation enables the endpoint',
    sidecar: sidecar('openbao-agent', openBao, { env: { VAULT_ENABLE_QUIT: 'yes' } }),
    annotations: { 'openbao.org/agent-enable-quit': 'true' },
  }),
  endsOnSignal('TERM', {
    profile: 'openbao-agent',
    name: 'shell',
    title: 'gets TERM as the child of a shell if the injector started it so, and the shell exits 0',
    sidecar: sidecar('openbao-agent', openBao, byShell('/usr/bin/bao')),
    unfit: [{ method: 'Http', reason: 'NotShown' }],
  }),
];
