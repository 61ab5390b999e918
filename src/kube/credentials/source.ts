import { readBounded } from '../bounded-file.ts';
import type { Source } from '../kubeconfig/connection.ts';

/** The text of a certificate, key or token. Rejects if its file cannot be read. */
export async function readSource(source: Source | undefined): Promise<string | undefined> {
  return source?.kind === 'File' ? await readBounded(source.path) : source?.text;
}
