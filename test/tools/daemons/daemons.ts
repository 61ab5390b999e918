import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Container, hostProgram, type Image, type RootEntry } from '../../kit/emulator/index.ts';

/** A daemon from Debian's packages, in an image with a shell and its configuration. */
export interface Daemon {
  readonly binary: string;
  readonly image: string;
  readonly config: Readonly<Record<string, string>>;
  /** Runs it in the foreground, as PID 1. */
  readonly command: readonly string[];
  /** Set if it refuses to run as root. */
  readonly user?: number;
  /** A library that it loads at run time without being linked to it. */
  readonly loads?: string;
  readonly starts?: readonly string[];
  readonly reads?: readonly string[];
}

const pgbouncerIni = `[databases]
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = 6432
auth_type = any
unix_socket_dir =
`;
const nginxConf = `daemon off;
pid /tmp/nginx.pid;
error_log stderr notice;
events {}
http {
  access_log off;
  client_body_temp_path /tmp/body;
  proxy_temp_path /tmp/proxy;
  fastcgi_temp_path /tmp/fastcgi;
  uwsgi_temp_path /tmp/uwsgi;
  scgi_temp_path /tmp/scgi;
  server { listen 127.0.0.1:8080; }
}
`;
const haproxyCfg = `defaults
  mode tcp
  timeout connect 1s
  timeout client 1s
  timeout server 1s
frontend local
  bind 127.0.0.1:8081
`;
const stunnelConf = `foreground = yes
pid =
[local]
client = yes
accept = 127.0.0.1:8082
connect = 127.0.0.1:8083
`;

const haproxy = {
  binary: '/usr/sbin/haproxy',
  image: 'docker.io/library/haproxy:2.6',
  config: { '/etc/haproxy.cfg': haproxyCfg },
};

/** Debian's packages and Docker's own have these in different folders. */
function found(program: string): string {
  const sbin = `/usr/sbin/${program}`;
  return existsSync(sbin) ? sbin : `/usr/bin/${program}`;
}

export const daemons = {
  pgbouncer: {
    binary: '/usr/sbin/pgbouncer',
    image: 'docker.io/edoburu/pgbouncer:1.18',
    config: { '/etc/pgbouncer.ini': pgbouncerIni },
    command: ['/usr/sbin/pgbouncer', '/etc/pgbouncer.ini'],
    user: 70,
  },
  nginx: {
    binary: '/usr/sbin/nginx',
    image: 'docker.io/library/nginx:1.22',
    config: { '/etc/nginx.conf': nginxConf, '/var/log/nginx/none': '', '/var/lib/nginx/none': '' },
    command: ['/usr/sbin/nginx', '-c', '/etc/nginx.conf'],
  },
  haproxy: { ...haproxy, command: ['/usr/sbin/haproxy', '-f', '/etc/haproxy.cfg'] },
  haproxyWithMaster: { ...haproxy, command: ['/usr/sbin/haproxy', '-W', '-f', '/etc/haproxy.cfg'] },
  stunnel: {
    binary: '/usr/bin/stunnel4',
    image: 'docker.io/dweomer/stunnel:5.68',
    config: { '/etc/stunnel.conf': stunnelConf },
    command: ['/usr/bin/stunnel4', '/etc/stunnel.conf'],
    // The C library loads it when the first thread ends.
    loads: 'libgcc_s.so.1',
  },
  docker: {
    binary: found('dockerd'),
    image: 'docker.io/library/docker:dind',
    config: {},
    command: ['dockerd', '--storage-driver=vfs', '--bridge=none', '--iptables=false', '--ip6tables=false'],
    starts: [found('containerd'), found('runc')],
    // The second one is there with version 1 of cgroups.
    reads: ['/sys/fs/cgroup', '/sys/fs/cgroup/devices'].filter((path) => existsSync(path)),
  },
} as const satisfies Record<string, Daemon>;

/** Debian 12 has it; other releases may have no package of this old version. */
export const cloudSqlProxyV1: Daemon = {
  binary: '/usr/bin/cloud_sql_proxy',
  image: 'gcr.io/cloudsql-docker/gce-proxy:1.17',
  config: {},
  // Without Google's API, it can serve no instance.
  command: [
    'cloud_sql_proxy',
    '-token=none',
    '-dir=/tmp',
    '-instances=p:r:i=tcp:3306',
    '-skip_failed_instance_config',
  ],
};

export function missingDaemons(): string | undefined {
  const programs = Object.values(daemons).flatMap(({ binary, starts = [] }: Daemon) => [binary, ...starts]);
  const missing = new Set(programs.filter((program) => !existsSync(program)));
  return missing.size === 0 ? undefined : `not installed: ${[...missing].join(', ')}`;
}

export function imageOf(daemon: Daemon): Image {
  return { entrypoint: daemon.command, root: () => rootOf(daemon) };
}

/** A container that runs the daemon; daemons with the same image have different commands. */
export function containerOf(name: string, { image, command, user }: Daemon): Container {
  return {
    name,
    image,
    command: [...command],
    ...(user !== undefined && { securityContext: { runAsUser: user, runAsGroup: user } }),
  };
}

function rootOf({ binary, config, loads, starts = [], reads = [] }: Daemon): readonly RootEntry[] {
  const users = [
    'root:x:0:0:root:/root:/bin/sh',
    'postgres:x:70:70::/:/bin/sh',
    'nobody:x:65534:65534::/:/bin/sh',
  ];
  const groups = ['root:x:0:', 'postgres:x:70:', 'nogroup:x:65534:'];
  const files = { ...config, '/etc/passwd': lines(users), '/etc/group': lines(groups) };
  return [
    ...hostProgram(binary, realpathSync(binary)),
    ...hostProgram('/bin/sh', realpathSync('/bin/sh')),
    ...(loads === undefined ? [] : [besideLibc(loads)]),
    ...starts.flatMap((path) => hostProgram(path, realpathSync(path))),
    ...reads.map((path): RootEntry => ({ kind: 'mount', path, source: path })),
    ...Object.entries(files).map(([path, content]): RootEntry => ({ kind: 'file', path, content })),
  ];
}

function besideLibc(library: string): RootEntry {
  const perl = hostProgram('/usr/bin/perl', '/usr/bin/perl').map((entry) => entry.path);
  const libc = perl.find((path) => path.includes('/libc.so')) ?? '/lib/libc.so';
  const path = join(dirname(libc), library);
  return { kind: 'mount', path, source: path };
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
