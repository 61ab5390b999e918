import type { Origins, TemplateReading } from '../model/ports.ts';
import type { Transport } from './http/transport.ts';
import { integer, isRecord, type Json, record, records, text } from './json.ts';
import { cronJobPath, jobPath } from './paths.ts';
import { controllerIn, narrowOwner } from './pods/narrow.ts';
import { readNamed } from './read-object.ts';

/** Reads the pod template of a Job or CronJob. */
export async function readTemplate(
  transport: Pick<Transport, 'get'>,
  namespace: string,
  { kind, name, uid }: Parameters<Origins['readTemplate']>[1],
  abort: AbortSignal,
): Promise<TemplateReading> {
  const path = kind === 'CronJob' ? cronJobPath(namespace, name) : jobPath(namespace, name);
  const reading = await readNamed(transport, { path, kind, name }, abort);
  if (reading.kind !== 'Present') return reading;
  const object = reading.body;
  const metadata = record(object['metadata']);
  if (metadata['uid'] !== uid) return { kind: 'Gone' };
  const controller = controllerIn(metadata);
  const spec = record(object['spec']);
  const job = kind === 'CronJob' ? record(record(spec['jobTemplate'])['spec']) : spec;
  const template = record(job['template']);
  const pod = record(template['spec']);
  const initContainers = records(pod['initContainers']);
  return {
    kind: 'Present',
    template: {
      uid: text(metadata['uid']) ?? '',
      owner: controller && narrowOwner(controller),
      generation: integer(metadata['generation']),
      containers: records(pod['containers']).map(nameOf),
      nativeSidecars: initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always').map(nameOf),
      initContainers: initContainers.length,
      hasMetadata: isRecord(template['metadata']),
      annotations: annotationsOf(record(template['metadata'])['annotations']),
    },
  };
}

function nameOf({ name }: Json): string {
  return text(name) ?? '';
}

function annotationsOf(written: unknown): Readonly<Record<string, string>> | undefined {
  if (!isRecord(written)) return undefined;
  return Object.fromEntries(
    Object.entries(written).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
