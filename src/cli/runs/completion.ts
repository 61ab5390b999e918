import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { everyPage } from '../../kube/every-page.ts';
import { contextNames } from '../../kube/kubeconfig/config.ts';
import { catalogue } from '../../policy/catalogue.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { printable } from '../../util/text.ts';
import { type Millis, parseDuration } from '../../util/time.ts';
import { type Completed, complete, type Word } from '../completion/complete.ts';
import { type Shell, scripts } from '../completion/scripts.ts';
import { print, write } from '../output.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Use, withCluster } from '../with-cluster.ts';

export async function printCompletion(shell: Shell, { stdout }: Surroundings): Promise<number> {
  await write(stdout, scripts[shell]);
  return exitCodes.resolved;
}

/** What follows the words: whether files fit as well. https://github.com/spf13/cobra, ShellCompDirective */
const directives = { files: ':0', noFiles: ':4' } as const;

/** Prints what could stand for the last of these words, a line each, as cobra does. Never fails: a shell could do nothing about it. */
export async function printCompleted(
  words: readonly string[],
  program: Command,
  surroundings: Surroundings,
): Promise<number> {
  const completed = complete(program, words);
  const { completion } = completed;
  const found =
    completion.kind === 'Words'
      ? completion.words
      : completion.kind === 'Named'
        ? await namesOf(completion.placeholder, words.at(-1) ?? '', completed, surroundings)
        : [];
  const before = completion.kind === 'Named' ? completion.before : '';
  const lines = found.map(({ value, means }) => `${before}${value}${means ? `\t${firstLine(means)}` : ''}`);
  const directive = completion.kind === 'Files' ? directives.files : directives.noFiles;
  await print(surroundings.stdout, `${[...lines, directive].join('\n')}\n`);
  return exitCodes.resolved;
}

function firstLine(text: string): string {
  return printable(text.split('\n', 1)[0] ?? '');
}

/** Nobody waits longer for a key, unless the cluster is far away. */
function patienceOf({ SIDECAR_SWEEPER_COMPLETION_TIMEOUT: written = '' }: Surroundings['env']): Millis {
  return parseDuration(written) || 1_000;
}

async function namesOf(
  placeholder: string,
  current: string,
  { flags }: Completed,
  surroundings: Surroundings,
): Promise<readonly Word[]> {
  const { kubeconfig, context, namespace } = flags;
  const ask = (use: Use<readonly string[]>) => {
    const patience = patienceOf(surroundings.env);
    const limits = { deadline: patience, requestTimeout: patience };
    const silent = { ...surroundings, stdin: new PassThrough(), stderr: new PassThrough() };
    const flagged = { ...limits, ...(kubeconfig && { kubeconfig }), ...(context && { context }) };
    return withCluster(flagged, silent, use);
  };
  try {
    return (await named()).map((value) => ({ value: printable(value) }));
  } catch {
    return [];
  }

  async function named(): Promise<readonly string[]> {
    switch (placeholder) {
      case 'context':
        return contextNames({ kubeconfig, env: surroundings.env });
      case 'namespace':
        return ask(namespaces);
      case 'pods':
        return ask(podsIn(namespace, /^(?:pods?|po)\//.exec(current)?.[0] ?? ''));
      case 'profiles':
        return catalogue.map(({ name }) => name);
      default:
        return [];
    }
  }
}

const namespaces: Use<readonly string[]> = async (cluster, { signal }) => {
  const names: string[] = [];
  await everyPage(async (token) => {
    const page = await cluster.listNamespaces(undefined, token, signal);
    // Some are better than none.
    if (page.kind === 'Page') names.push(...page.items.map(({ name }) => name));
    return page;
  });
  return names;
};

/** Those that could be stuck: nobody asks why another one is left alone. */
function podsIn(namespace: string | undefined, before: string): Use<readonly string[]> {
  return async (cluster, { signal }) => {
    const scope = { namespaces: namespace ? [namespace] : [], labelSelector: undefined };
    const names: string[] = [];
    for await (const part of cluster.findPods(scope, signal)) {
      if (part.kind !== 'Page') continue;
      const refs = [...part.pods.map(({ ref }) => ref), ...(part.atWork ?? [])];
      names.push(...refs.map((ref) => (namespace ? before + ref.name : `${ref.namespace}/${ref.name}`)));
    }
    return names;
  };
}
