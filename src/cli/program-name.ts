import { basename } from 'node:path';
import { askedByShells } from './commands/completion.ts';

/** How the program is called, by the name of its file: kubectl runs plugins, and asks how to complete them. */
export function calledAs(
  file: string,
  argv: readonly string[],
): { readonly program: string; readonly argv: readonly string[] } {
  const name = basename(file);
  const [, kind, plugin] = /^(kubectl|kubectl_complete)-(.+?)(?:\.[a-z]+)?$/.exec(name) ?? [];
  if (plugin === undefined) return { program: 'sidecar-sweeper', argv };
  // kubectl reads an underscore as a dash. https://kubernetes.io/docs/tasks/extend-kubectl/kubectl-plugins/
  const program = `kubectl ${plugin.replaceAll('_', '-')}`;
  return { program, argv: kind === 'kubectl' ? argv : [askedByShells, ...argv] };
}
