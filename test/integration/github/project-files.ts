import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The text of a file of the project. */
export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
