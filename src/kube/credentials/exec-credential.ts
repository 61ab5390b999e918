import { filled, parseJson, record } from '../json.ts';
import type { Plugin } from '../kubeconfig/connection.ts';
import { parseTime } from '../time.ts';

/** What a plugin or an identity provider has issued. */
export interface Issued {
  readonly token: string | undefined;
  readonly certificate: { readonly cert: string; readonly key: string } | undefined;
  /** Undefined if it is valid until the server refuses it. */
  readonly expires: number | undefined;
}

/** The cluster that a plugin may be told of; the names are those of the protocol. */
export interface ClusterInfo {
  readonly server: string;
  readonly 'tls-server-name'?: string | undefined;
  readonly 'insecure-skip-tls-verify'?: boolean | undefined;
  readonly 'certificate-authority-data'?: string | undefined;
  readonly 'proxy-url'?: string | undefined;
  readonly config?: unknown;
}

/** What a plugin reads from KUBERNETES_EXEC_INFO. */
export function execInfo(
  { apiVersion }: Plugin,
  interactive: boolean,
  cluster: ClusterInfo | undefined,
): string {
  return JSON.stringify({ kind: 'ExecCredential', apiVersion, spec: { cluster, interactive } });
}

/** Reads what a plugin has printed. Throws an Error that quotes none of it. */
export function parseExecCredential({ command, apiVersion }: Plugin, output: string): Issued {
  const wrong = (what: string) => new Error(`the credential plugin ${command} ${what}`);
  const credential = record(parseJson(output));
  if (credential['kind'] !== 'ExecCredential') throw wrong('printed something other than an ExecCredential');
  if (credential['apiVersion'] !== apiVersion) throw wrong(`answered in another version than ${apiVersion}`);
  const status = record(credential['status']);
  const token = filled(status['token']);
  const [cert, key] = [filled(status['clientCertificateData']), filled(status['clientKeyData'])];
  if ((cert === undefined) !== (key === undefined)) throw wrong('gave only one of certificate and key');
  const certificate = cert && key ? { cert, key } : undefined;
  if (!token && !certificate) throw wrong('gave neither a token nor a certificate');
  return { token, certificate, expires: parseTime(status['expirationTimestamp']) };
}
