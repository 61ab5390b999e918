import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { printable } from '../../printable.ts';
import { whyUnreadable } from '../../unreadable.ts';
import { UsageError } from '../../usage-error.ts';
import { readYaml } from '../../yaml.ts';
import { isRecord, type Json } from '../json.ts';
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
  const content = new Section(file, readFields(file), dirname(resolve(file)));
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

/** An empty file is allowed, as in kubectl. What is wrong with the YAML is not told, because it may be a token. */
function readFields(file: string): Json {
  const read = readYaml(readText(file));
  if (read.kind === 'Wrong') throw unreadable(file, `line ${read.problems[0]?.line} is not valid YAML`);
  const content = read.value ?? {};
  if (!isRecord(content)) throw unreadable(file, 'it is not a kubeconfig');
  return content;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, whyUnreadable(error));
  }
}

function unreadable(file: string, why: string): UsageError {
  return new UsageError(`the kubeconfig ${file} cannot be read: ${why}`);
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
