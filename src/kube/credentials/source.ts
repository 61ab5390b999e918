import { readFile } from 'node:fs/promises';
import type { Source } from '../kubeconfig/connection.ts';

/** The text of a certificate, key or token. Rejects if its file cannot be read. */
export async function readSource(source: Source | undefined): Promise<string | undefined> {
  return source?.kind === 'File' ? await readFile(source.path, 'utf8') : source?.text;
}
