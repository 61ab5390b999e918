import { type Command, InvalidArgumentError, Option } from 'commander';
import { hasReadableLogin, UsageError } from '../../util/usage-error.ts';
import { groups } from '../help.ts';
import { blockedPorts } from './blocked-ports.ts';
import { fileName } from './values.ts';

/** Where to publish a sweep's result, besides stdout. */
export interface PublishFlags {
  readonly pushgatewayUrl?: string;
  readonly metricsFile?: string;
  readonly terminationMessage?: string;
  readonly reportFile?: string;
  readonly clusterName?: string;
}

export function addPublishFlags(command: Command): Command {
  return command
    .optionsGroup(groups.output)
    .option('--report-file <file>', 'write the whole report to a file as well, as JSON', fileName)
    .option(
      '--cluster-name <name>',
      'what reports, records and metrics call the cluster; in a pod, contexts do not tell clusters apart',
      clusterName,
    )
    .addOption(
      new Option('--pushgateway-url <url>', 'push metrics to this Prometheus Pushgateway').argParser(httpUrl),
    )
    .option(
      '--metrics-file <file>',
      "write metrics for the node exporter's textfile collector (*.prom)",
      fileName,
    )
    .option(
      '--termination-message <file>',
      'write a digest of the report to a file; in a pod, use /dev/termination-log',
      fileName,
    );
}

function clusterName(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('Use the name of the cluster.');
  return value;
}

function httpUrl(value: string): string {
  if (!/^https?:\/\/[^/]/.test(value) || !URL.canParse(value)) {
    throw new InvalidArgumentError('Use an http or https URL.');
  }
  const { port } = new URL(value);
  if (blockedPorts.includes(Number(port))) {
    throw new UsageError(`the Pushgateway URL has a port that cannot be used: ${port}`);
  }
  if (!hasReadableLogin(new URL(value))) throw new InvalidArgumentError('Percent-encode its password.');
  return value;
}
