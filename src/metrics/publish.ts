import { readFile, stat } from 'node:fs/promises';
import { Gauge, Registry } from 'prom-client';
import { printable } from '../util/text.ts';
import type { Millis } from '../util/time.ts';
import type { Family } from './families.ts';

const pushTimeout: Millis = 5_000;
const job = 'sidecar-sweeper';

/**
 * Pushes to the group of this job (and shard) in a Pushgateway, which keeps metrics that are missing from the
 * push: after a failure, the time of the last success. prom-client's own Pushgateway has no timeout and uses
 * a deprecated API of Node, which prints a warning on stderr. Throws if the push fails.
 */
export async function pushMetrics(
  families: readonly Family[],
  gateway: string,
  groupings: Readonly<Record<string, string>>,
  over: AbortSignal,
): Promise<void> {
  const registry = toRegistry(families);
  const url = new URL(gateway);
  const credentials = Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`);
  const group = Object.entries({ job, ...groupings })
    .flat()
    .map(encodeURIComponent)
    .join('/');
  const response = await fetch(`${url.origin}${url.pathname.replace(/\/$/, '')}/metrics/${group}`, {
    method: 'POST',
    headers: {
      'content-type': registry.contentType,
      ...(url.username !== '' && { authorization: `Basic ${credentials.toString('base64')}` }),
    },
    body: await registry.metrics(),
    signal: AbortSignal.any([over, AbortSignal.timeout(pushTimeout)]),
  });
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${printable(await response.text(), 200)}`);
}

/**
 * What to write to a file for the node exporter's textfile collector. If the families lack the time of the last success, it is kept
 * from what stands in the file.
 */
export async function textfileOf(families: readonly Family[], file: string): Promise<string> {
  const text = await toRegistry(families).metrics();
  return families.some(({ name }) => name === lastSuccess) ? text : text + (await readLastSuccess(file));
}

const lastSuccess = 'sidecar_sweeper_last_success_timestamp_seconds';

async function readLastSuccess(file: string): Promise<string> {
  // A pipe has nothing to keep, and reading it would wait for ever.
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  const before = isFile ? await readFile(file, 'utf8').catch(() => '') : '';
  const lines = before.split('\n').filter((line) => line.includes(lastSuccess));
  return lines.map((line) => `${line}\n`).join('');
}

function toRegistry(families: readonly Family[]): Registry {
  const registry = new Registry();
  for (const { name, help, labels, samples } of families) {
    const gauge = new Gauge({ name, help, labelNames: [...labels], registers: [registry] });
    for (const sample of samples) gauge.set({ ...sample.labels }, sample.value);
  }
  return registry;
}
