import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { printable } from '../../printable.ts';
import { UsageError } from '../../usage-error.ts';
import { isRecord } from '../json.ts';
import { Section } from './kubeconfig-section.ts';

type Named = ReadonlyMap<string, Section>;

/** The contents of kubeconfig files. */
export interface Kubeconfig {
  readonly clusters: Named;
  readonly users: Named;
  readonly contexts: Named;
  readonly currentContext: string | undefined;
}

/** Reads one file. Throws UsageError. */
export function readKubeconfig(file: string): Kubeconfig {
  const content = new Section(file, readYaml(file), dirname(resolve(file)));
  return {
    clusters: byName(content, 'clusters', 'cluster'),
    users: byName(content, 'users', 'user'),
    contexts: byName(content, 'contexts', 'context'),
    currentContext: content.text('current-context'),
  };
}

/** As in kubectl, the first file that has a name is the only one that counts for it. */
export function mergeKubeconfigs(files: readonly Kubeconfig[]): Kubeconfig {
  const first = (named: (file: Kubeconfig) => Named) =>
    new Map([...files].reverse().flatMap((file) => [...named(file)]));
  return {
    clusters: first(({ clusters }) => clusters),
    users: first(({ users }) => users),
    contexts: first(({ contexts }) => contexts),
    currentContext: files.map(({ currentContext }) => currentContext).find(Boolean),
  };
}

function readYaml(file: string) {
  try {
    // Without pretty errors, a message does not quote the file. An empty file is allowed, as in kubectl.
    const content: unknown =
      parse(readFileSync(file, 'utf8'), { prettyErrors: false, logLevel: 'error' }) ?? {};
    if (isRecord(content)) return content;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `the kubeconfig ${file} cannot be read: ${printable(message.split('\n', 1)[0] ?? '')}`,
    );
  }
  throw new UsageError(`the kubeconfig ${file} cannot be read: it is not an object`);
}

function byName(content: Section, list: string, kind: string): Named {
  const named = new Map<string, Section>();
  for (const item of content.sections(list)) {
    const name = item.text('name') ?? '';
    if (named.has(name))
      throw new UsageError(`${content.title} has two ${list} with the name "${printable(name)}"`);
    const section = item.section(kind);
    if (section) named.set(name, section.called(`the ${kind} "${printable(name)}" in ${content.title}`));
  }
  return named;
}
