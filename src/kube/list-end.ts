import type { PageToken } from '../model/reading.ts';
import { isRecord } from './json.ts';

/** How a page of a list ends, by its metadata; undefined if that is unclear, so that no part passes for the whole. */
export function continueToken(metadata: unknown = {}): { readonly token: PageToken } | undefined {
  if (!isRecord(metadata)) return undefined;
  const { continue: token = '' } = metadata;
  return typeof token === 'string' ? { token: token || undefined } : undefined;
}
