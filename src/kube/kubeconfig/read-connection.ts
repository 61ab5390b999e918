import { UsageError } from '../../usage-error.ts';
import type { Connection } from './connection.ts';
import type { Section } from './kubeconfig-section.ts';
import { chooseProxy } from './proxy.ts';
import { clusterConfigOf, readUser, sourceOf } from './read-user.ts';
import { parseServer } from './server-url.ts';

interface Parts {
  readonly context: string;
  readonly cluster: Section;
  /** Undefined if the context names none; it keeps its cluster's settings, as in kubectl. */
  readonly user: Section | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the command line says that any certificate will do. */
  readonly insecure: boolean;
}

/** Puts the parts of a context together. Throws UsageError. */
export function readConnection({ context, cluster, user: section, env, insecure }: Parts): Connection {
  // As in kubectl, the flag also drops the certificate authority, and the file does not.
  const ca = insecure ? undefined : sourceOf(cluster, 'certificate-authority');
  const any = insecure || cluster.flag('insecure-skip-tls-verify');
  if (any && ca) {
    throw new UsageError(`${cluster.title} has both a certificate-authority and insecure-skip-tls-verify`);
  }
  const user = section ? readUser(section, { env, clusterConfig: clusterConfigOf(cluster) }) : {};
  const { url, text, basic } = parseServer(cluster.text('server') ?? '', cluster.title);
  // As in kubectl, nothing secret is sent without TLS, and a password in the URL takes precedence.
  const safe = url.protocol === 'https:' ? user : { impersonated: user.impersonated };
  return {
    context,
    server: text,
    tls: { ca, serverName: cluster.text('tls-server-name'), insecure: any },
    proxy: chooseProxy(url, cluster.text('proxy-url'), env),
    user: basic ? { certificate: safe.certificate, impersonated: safe.impersonated, basic } : safe,
  };
}
