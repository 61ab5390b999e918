import { type Command, Option } from 'commander';
import { defaults } from '../../policy/defaults.ts';
import { formatDuration, type Millis } from '../../util/time.ts';
import { groups } from '../help.ts';
import { fileName, positiveDuration } from './values.ts';

/** Which cluster to use, with which credentials, and how. */
export interface ConnectionFlags {
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly requestTimeout: Millis;
}

export function addConnectionFlags(command: Command): Command {
  return command
    .optionsGroup(groups.connection)
    .option('--context <context>', 'use this context of the kubeconfig (default: the current one)')
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
