import type { NodeReading } from '../ports.ts';
import { record, records, text } from './json.ts';
import { nodePath } from './paths.ts';
import { readObject } from './read-object.ts';
import type { Transport } from './transport.ts';

/** Reads whether a node is ready. */
export async function readNode(
  transport: Pick<Transport, 'get'>,
  name: string,
  abort: AbortSignal,
): Promise<NodeReading> {
  const reading = await readObject(transport, nodePath(name), abort);
  if (reading.kind === 'Gone') return { kind: 'NotReady', reason: 'NodeGone' };
  if (reading.kind === 'Unreadable') return reading;
  const node = record(reading.body);
  if (node['kind'] !== 'Node') {
    return { kind: 'Unreadable', problem: { kind: 'Malformed', message: 'not a Node' } };
  }
  const ready = records(record(node['status'])['conditions']).find(({ type }) => type === 'Ready');
  if (ready?.['status'] === 'True') {
    const { operatingSystem, architecture } = record(record(node['status'])['nodeInfo']);
    return { kind: 'Ready', platform: `${text(operatingSystem) ?? ''}/${text(architecture) ?? ''}` };
  }
  return { kind: 'NotReady', reason: text(ready?.['reason']) ?? 'NoReadyCondition' };
}
