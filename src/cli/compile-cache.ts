import * as nodeModule from 'node:module';
import { join } from 'node:path';

/** What Node has since 22.8, and is asked for by name because its types are those of the oldest version. */
interface CompileCache {
  readonly enableCompileCache?: (directory: string) => unknown;
}

/**
 * Lets Node keep the compiled code of what is loaded from now on, for the next start. Where it cannot be
 * written, as on a read-only root filesystem, Node does without. It is kept with the user's own files and
 * not where Node would, in a folder of /tmp, because whoever could write there could have code executed.
 * https://nodejs.org/api/module.html#module-compile-cache
 */
export function keepCompiledCode(
  { XDG_CACHE_HOME, HOME }: Readonly<Record<string, string | undefined>>,
  { enableCompileCache }: CompileCache = nodeModule as CompileCache,
): void {
  const caches = XDG_CACHE_HOME || (HOME && join(HOME, '.cache'));
  if (caches) enableCompileCache?.(join(caches, 'sidecar-sweeper'));
}
