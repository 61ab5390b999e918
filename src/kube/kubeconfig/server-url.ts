import { hasReadableLogin } from '../../readable-login.ts';
import { UsageError } from '../../usage-error.ts';

export interface Server {
  readonly url: URL;
  /** As it is dialled and reported. */
  readonly text: string;
  /** A password in the URL authenticates as any other does. */
  readonly basic: { readonly username: string; readonly password: string } | undefined;
}

/**
 * Reads the URL of an API server; as in kubectl, one without a scheme is plain http. Throws UsageError, which does
 * not quote the URL: it may hold a password.
 */
export function parseServer(server: string, where: string): Server {
  const complete = /^\w+:\/\//.test(server) ? server : `http://${server}`;
  const url = /\s/.test(complete) || !URL.canParse(complete) ? undefined : new URL(complete);
  const text = complete
    .replace(/[?#].*$/, '')
    .replace(/^(https?:\/\/)[^/]*@/i, '$1')
    .replace(/^https?:/i, (scheme) => scheme.toLowerCase())
    .replace(/\/+$/, '');
  // A backslash is a slash in URLs, so the text may have no host left.
  if (!url?.hostname || !['http:', 'https:'].includes(url.protocol) || !URL.canParse(text)) {
    throw new UsageError(`the server of ${where} is not an http(s) URL`);
  }
  return { url, text, basic: basicOf(url, where) };
}

function basicOf(url: URL, where: string): Server['basic'] {
  const { username, password } = url;
  if (username === '' && password === '') return undefined;
  if (!hasReadableLogin(url)) {
    throw new UsageError(`the server of ${where} has a password that is not percent-encoded`);
  }
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}
