import { type Command, Option } from 'commander';
import { defaults } from '../../defaults.ts';
import { formatDuration, type Millis } from '../../duration.ts';
import { positiveDuration } from './values.ts';

/** Which cluster to use, and with which credentials. */
export interface ConnectionFlags {
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly requestTimeout: Millis;
}

export function addConnectionFlags(command: Command): Command {
  return command
    .option('--context <name>', 'the kubeconfig context to use')
    .option('--kubeconfig <file>', 'the kubeconfig to use (default: KUBECONFIG, ~/.kube/config, or the pod)')
    .option('--insecure-skip-tls-verify', 'accept any certificate of the server; it may be an impostor')
    .addOption(
      new Option('--request-timeout <duration>', 'how long one request may take')
        .argParser(requestTimeout)
        .default(defaults.requestTimeout, formatDuration(defaults.requestTimeout)),
    );
}

/** As in kubectl, a number without a unit is in seconds. */
function requestTimeout(value: string): Millis {
  return positiveDuration(/^\d+$/.test(value) ? `${value}s` : value);
}
