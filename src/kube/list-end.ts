import type { PageToken } from '../model/observation.ts';
import { isRecord } from './json.ts';

/** The API server's own have some 500 characters: a name, its namespace and a version, in base64. Several are kept. */
const longestToken = 4_096;

/** How a page of a list ends, by its metadata; undefined if that is unclear, so that no part passes for the whole. */
export function readListEnd(metadata: unknown = {}): { readonly token: PageToken } | undefined {
  if (!isRecord(metadata)) return undefined;
  const { continue: token = '' } = metadata;
  return typeof token === 'string' && token.length <= longestToken
    ? { token: token || undefined }
    : undefined;
}
