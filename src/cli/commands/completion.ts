import { PassThrough } from 'node:stream';
import type { Command, Option } from 'commander';
import { contextNames } from '../../kube/auth/config.ts';
import { everyPage } from '../../kube/objects/objects.ts';
import { namespaceName, podName } from '../../model/scope.ts';
import { catalogue } from '../../policy/catalogue.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { reasonPages } from '../../report/texts/reasons.ts';
import { printable } from '../../util/text.ts';
import { parseDuration } from '../../util/time.ts';
import { type Use, withCluster } from '../cluster.ts';
import { optionNamed, subcommands } from '../help.ts';
import { type Io, print, write } from '../io.ts';

export async function printScript(shell: string, { stdout }: Io): Promise<number> {
  await write(stdout, scripts[shell] ?? '');
  return exitCodes.resolved;
}

const scripts: Readonly<Record<string, string>> = {
  // The words are read from the line, because bash splits them at `=` and `:` as well.
  bash: `_sidecar_sweeper() {
  local line directive current before
  local -a words found=()
  read -ra words <<< "\${COMP_LINE:0:COMP_POINT}"
  [[ "\${COMP_LINE:0:COMP_POINT}" == *' ' ]] && words+=('')
  current="\${words[-1]}"
  before="\${current%"\${current##*[:=]}"}"
  while IFS= read -r line; do
    if [[ $line == :* ]]; then directive=$line; else found+=("\${line%%$'\\t'*}"); fi
  done < <(sidecar-sweeper __complete "\${words[@]:1}" 2>/dev/null)
  COMPREPLY=()
  for line in "\${found[@]}"; do
    [[ $line == "$current"* ]] || continue
    printf -v line %q "\${line#"$before"}"
    COMPREPLY+=("$line")
  done
  if [[ $directive == :0 ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "\${current##*=}")
  fi
}
complete -F _sidecar_sweeper sidecar-sweeper
`,
  zsh: `#compdef sidecar-sweeper
_sidecar_sweeper() {
  local line directive
  local -a found
  for line in "\${(@f)$(sidecar-sweeper __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :* ]]; then
      directive=$line
    elif [[ -n $line ]]; then
      line=\${line//:/\\\\:}
      found+=("\${line/$'\\t'/:}")
    fi
  done
  (( $#found )) && _describe 'sidecar-sweeper' found
  if [[ $directive == :0 ]]; then
    compset -P '*='
    _files
  fi
}
if [[ \${funcstack[1]} == _sidecar-sweeper ]]; then _sidecar_sweeper; else compdef _sidecar_sweeper sidecar-sweeper; fi
`,
  fish: `function __sidecar_sweeper_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -e words[1]
  for line in (sidecar-sweeper __complete $words "$current" 2>/dev/null)
    switch $line
      case ':0'
        __fish_complete_path (string replace -r '^--[^=]*=' '' -- "$current")
      case ':*'
      case '*'
        echo $line
    end
  end
end
complete -c sidecar-sweeper -f -a '(__sidecar_sweeper_complete)'
`,
};

/** As cobra does. Never fails: a shell could do nothing about it. */
export async function printCompletions(words: readonly string[], program: Command, io: Io): Promise<number> {
  const completed = complete(program, words);
  const names = await namesOf(completed, words.at(-1) ?? '', io).catch(() => []);
  const lines = [
    ...completed.words.map(({ value, means }) => (means ? `${value}\t${means}` : value)),
    // A name whose unprintable characters are escaped would be another name.
    ...names.filter((name) => printable(name) === name).map((name) => completed.before + name),
    // Whether files fit as well. https://github.com/spf13/cobra, ShellCompDirective
    /^files?$/.test(completed.placeholder) ? ':0' : ':4',
  ];
  await print(io.stdout, `${lines.join('\n')}\n`);
  return exitCodes.resolved;
}

async function namesOf(
  { placeholder, flags: { kubeconfig, context, namespaces: namespace } }: Completed,
  current: string,
  io: Io,
): Promise<readonly string[]> {
  const ask = (use: Use<readonly string[]>) => {
    // The user waits for the shell. Far clusters may need more time.
    const timeout = parseDuration(io.env['SIDECAR_SWEEPER_COMPLETION_TIMEOUT'] ?? '') || 1_000;
    const flags = { deadline: timeout, requestTimeout: timeout, kubeconfig, context };
    return withCluster(flags, { ...io, stdin: new PassThrough(), stderr: new PassThrough() }, use);
  };
  switch (placeholder) {
    case 'context':
      return contextNames({ kubeconfig, env: io.env });
    case 'namespace':
      return ask(namespaces);
    case 'pods':
      return ask(podsIn(namespace, /^(?:pods?|po)\//.exec(current)?.[0] ?? ''));
    case 'profiles':
      return catalogue.map(({ name }) => name);
    case 'reason':
      return [...reasonPages.keys()];
    default:
      return [];
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
  return names.filter((name) => namespaceName.test(name));
};

function podsIn(namespace: string | undefined, before: string): Use<readonly string[]> {
  return async (cluster, { signal }) => {
    const scope = { namespaces: namespace ? [namespace] : [], labelSelector: undefined };
    const names: string[] = [];
    for await (const part of cluster.findPods(scope, signal)) {
      const refs = part.kind === 'Page' ? [...part.pods.map(({ ref }) => ref), ...part.atWork] : [];
      const named = refs.filter((ref) => namespaceName.test(ref.namespace) && podName.test(ref.name));
      names.push(...named.map((ref) => (namespace ? before + ref.name : `${ref.namespace}/${ref.name}`)));
    }
    return names;
  };
}

interface Word {
  readonly value: string;
  readonly means?: string;
}

interface Completed {
  readonly words: readonly Word[];
  /** The placeholder of any other value in help, such as `namespace`; empty if only the words fit. */
  readonly placeholder: string;
  /** The text before that value in the same word. */
  readonly before: string;
  /** The flags before it, as they were typed. */
  readonly flags: Readonly<Record<string, string>>;
}

/** Completes the last of these words. */
export function complete(program: Command, typed: readonly string[]): Completed {
  if (typed[0] === 'help' && typed.length > 1) return complete(program, typed.slice(1));
  const flags: Record<string, string> = {};
  let command = program;
  let open: Option | undefined;
  let positional = 0;
  for (const word of typed.slice(0, -1)) {
    if (open) {
      flags[open.attributeName()] = word;
      open = undefined;
    } else if (word.startsWith('-')) {
      const [name = '', ...value] = word.split('=');
      const option = optionNamed(command, name);
      if (option && value.length > 0) flags[option.attributeName()] = value.join('=');
      else if (option?.required) open = option;
    } else {
      const sub = positional === 0 ? subcommands(command).find((each) => each.name() === word) : undefined;
      if (sub) command = sub;
      else positional++;
    }
  }
  const one = (words: readonly Word[]) => ({ words, placeholder: '', before: '', flags });
  const named = (placeholder: string, choices: readonly string[] | undefined, before = '') =>
    choices
      ? one(choices.map((choice) => ({ value: before + choice })))
      : { words: [], placeholder, before, flags };

  const current = typed.at(-1) ?? '';
  const [before = '', name = ''] = (open ? undefined : /^(--[^=]+)=/.exec(current)) ?? [];
  open ??= name === '' ? undefined : optionNamed(command, name);
  // The placeholder of its value: `namespace` of `--namespace <namespace>`.
  if (open) return named(/<([^>]+)>/.exec(open.flags)?.[1] ?? '', open.argChoices, before);
  if (current.startsWith('-')) {
    const options = name === '' ? command.createHelp().visibleOptions(command) : [];
    const spelt = options.flatMap(({ long, short, description }) =>
      [long, short].flatMap((value) => (value ? { value, means: description } : [])),
    );
    return one(spelt);
  }
  const subs = positional === 0 ? subcommands(command) : [];
  if (subs.length > 0) return one(subs.map((each) => ({ value: each.name(), means: each.summary() })));
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[positional] ?? (last?.variadic ? last : undefined);
  return argument ? named(argument.name(), argument.argChoices) : one([]);
}
