import { type Command, Option } from 'commander';
import { defaults } from '../../defaults.ts';
import { formatDuration, type Millis } from '../../duration.ts';
import { groups } from '../help.ts';
import { fileName, positiveDuration } from './values.ts';

/** With which credentials to speak to a cluster, and how. */
interface CommonFlags {
  readonly kubeconfig?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly requestTimeout: Millis;
}

/** Which cluster to use. */
export interface ConnectionFlags extends CommonFlags {
  readonly context?: string;
}

/** Which clusters to use. */
export interface ClustersFlags extends CommonFlags {
  readonly context?: readonly string[];
  readonly allContexts?: boolean;
}

export function addConnectionFlags(command: Command): Command {
  return addCommonFlags(
    command
      .optionsGroup(groups.connection)
      .option('--context <context>', 'use this context of the kubeconfig (default: the current one)'),
  );
}

export function addClustersFlags(command: Command): Command {
  return addCommonFlags(
    command
      .optionsGroup(groups.connection)
      .addOption(
        new Option(
          '--context <context>',
          'use this context of the kubeconfig (default: the current one); repeat it for several clusters',
        )
          .argParser(distinct)
          .conflicts('allContexts'),
      )
      .option('--all-contexts', 'use every context of the kubeconfig'),
  );
}

/** Whether the output is a list with an item for each cluster. */
export function areSeveral({ context = [], allContexts = false }: ClustersFlags): boolean {
  return allContexts || context.length > 1;
}

function distinct(name: string, before: readonly string[] = []): readonly string[] {
  return [...new Set([...before, name])];
}

function addCommonFlags(command: Command): Command {
  return command
    .option(
      '--kubeconfig <file>',
      "use this kubeconfig (default: KUBECONFIG, ~/.kube/config, or the pod's account)",
      fileName,
    )
    .option(
      '--insecure-skip-tls-verify',
      'accept any certificate from the server, which may then be an impostor',
    )
    .addOption(
      new Option('--request-timeout <duration>', 'wait no longer than this for one request')
        .argParser(requestTimeout)
        .default(defaults.requestTimeout, formatDuration(defaults.requestTimeout)),
    );
}

/** As in kubectl, a number without a unit is in seconds. */
function requestTimeout(value: string): Millis {
  return positiveDuration(/^\d+$/.test(value) ? `${value}s` : value);
}
