import { BlockList, isIP } from 'node:net';
import { hasReadableLogin, UsageError } from '../../util/usage-error.ts';

/** As in kubectl, a URL without a scheme is plain http; a UsageError does not quote it, because it may hold a password. */
export function parseServer(server: string, where: string) {
  const complete = /^\w+:\/\//.test(server) ? server : `http://${server}`;
  const url = /\s/.test(complete) || !URL.canParse(complete) ? undefined : new URL(complete);
  const text = complete
    .replace(/[?#].*$/, '')
    .replace(/^https?:/i, (scheme) => scheme.toLowerCase())
    .replace(/\/+$/, '');
  // A backslash is a slash in URLs, so the text may have no host left.
  if (!url?.hostname || !['http:', 'https:'].includes(url.protocol) || !URL.canParse(text)) {
    throw new UsageError(`the server of ${where} is not an http(s) URL`);
  }
  if (url.username || url.password) throw withPassword(`the server of ${where}`);
  return { url, text };
}

/** Kubernetes has had no passwords since 1.19. */
export function withPassword(title: string): UsageError {
  return new UsageError(
    `${title} has a user name or a password: use a token, a client certificate or a credential plugin instead`,
  );
}

export function loginIn({ username, password }: URL) {
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}

export function addressOf({ protocol, hostname, port }: URL) {
  const usual = { 'https:': 443, 'socks5:': 1080 }[protocol] ?? 80;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || usual };
}

export type Env = Readonly<Record<string, string | undefined>>;

/** By Go's rules, as in kubectl (https://pkg.go.dev/golang.org/x/net/http/httpproxy). */
export function chooseProxy(server: URL, proxyUrl: string | undefined, env: Env): URL | undefined {
  if (proxyUrl !== undefined) return parseProxy(proxyUrl, 'proxy-url of the kubeconfig');
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = envOf(env, name);
  if (!value || !usesProxy(server, envOf(env, 'NO_PROXY') ?? '')) return undefined;
  // As with curl, it may lack its scheme.
  return parseProxy(/^[a-z0-9]+:\/\//i.test(value) ? value : `http://${value}`, name);
}

function envOf(env: Env, name: string): string | undefined {
  return env[name] || env[name.toLowerCase()];
}

function parseProxy(value: string, name: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url?.hostname || !['http:', 'https:', 'socks5:'].includes(url.protocol)) {
    throw new UsageError(`${name} is not the URL of a proxy (http, https or socks5)`);
  }
  if (!hasReadableLogin(url)) throw new UsageError(`${name} has a password that is not percent-encoded`);
  return url;
}

function usesProxy(server: URL, noProxy: string): boolean {
  const { host, port } = addressOf(server);
  if (host === 'localhost' || contains('127.0.0.0', host, 8) || contains('::1', host)) return false;
  return !noProxy.split(',').some((entry) => exempts(entry.trim().toLowerCase(), host, String(port)));
}

/** Whether an entry of NO_PROXY is about this host: `*`, an address, a CIDR, a domain, or one with a port. */
function exempts(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const [, network = '', bits] = /^([0-9a-f.:]+)\/(\d{1,3})$/.exec(entry) ?? [];
  if (isIP(network)) return contains(network, host, Number(bits));
  const [, named = entry, only] = (!isIP(entry) && /^(.*):([^:]*)$/.exec(entry)) || [];
  const name = named.replace(/^\[|\]$/g, '');
  if (name === '' || (only && only !== port)) return false;
  if (isIP(name)) return contains(name, host);
  const domain = name.replace(/^\*\./, '.');
  return domain.startsWith('.') ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

/** Whether a host is in a network or, without bits, is this address. */
function contains(network: string, host: string, bits?: number): boolean {
  const family = familyOf(network);
  if (!isIP(host) || (bits ?? 0) > (family === 'ipv6' ? 128 : 32)) return false;
  const list = new BlockList();
  if (bits === undefined) list.addAddress(network, family);
  else list.addSubnet(network, bits, family);
  return list.check(host, familyOf(host));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
