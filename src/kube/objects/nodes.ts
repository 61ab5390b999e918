import type { Cluster, Origins } from '../../model/ports.ts';
import type { NodeReading } from '../../model/reading.ts';
import { filled, type Json, parseJson, record, records, text } from '../../util/json.ts';
import type { Over, Reader } from '../client/transport.ts';
import { everyPage, listObjects, nodePath, nodesPath, readNamed } from './objects.ts';

export const readNode: Over<Reader, Cluster['readNode']> = async (transport, name, abort) => {
  const reading = await readNamed(transport, { path: nodePath(name), kind: 'Node', name }, abort);
  if (reading.kind === 'Gone') return { kind: 'NotReady', reason: 'NodeGone' };
  return reading.kind === 'Unreadable' ? reading : readinessOf(reading.body);
};

/** Each node lists up to 50 of its images, which takes some 20 KB. */
const ofNodes = { path: nodesPath, kind: 'NodeList', pageSize: 50 };

export const listNodes: Over<Reader, Cluster['listNodes']> = (transport, token, abort) => {
  const narrow = (node: Json) => ({ name: nameOf(node), reading: readinessOf(node) });
  return listObjects(transport, { ...ofNodes, narrow }, token, abort);
};

function nameOf({ metadata }: Json): string {
  return text(record(metadata)['name']) ?? '';
}

function readinessOf(node: Json): NodeReading {
  const ready = records(record(node['status'])['conditions']).find(({ type }) => type === 'Ready');
  if (ready?.['status'] === 'True') {
    const { operatingSystem, architecture } = record(record(node['status'])['nodeInfo']);
    const platform = `${text(operatingSystem) ?? ''}/${text(architecture) ?? ''}`;
    return { kind: 'Ready', platform: isVirtual(node) ? `${platform} on a virtual kubelet` : platform };
  }
  return { kind: 'NotReady', reason: text(ready?.['reason']) ?? 'NoReadyCondition' };
}

/** A virtual kubelet may not replace a container whose image changes (https://virtual-kubelet.io/docs/usage/). */
function isVirtual({ metadata, spec }: Json): boolean {
  return (
    record(record(metadata)['labels'])['type'] === 'virtual-kubelet' ||
    records(record(spec)['taints']).some(({ key }) => key === 'virtual-kubelet.io/provider')
  );
}

export const readVersion: Over<Reader, Origins['readVersion']> = async (transport, abort) => {
  const answer = await transport.get('/version', {}, abort);
  if (answer.kind === 'Unanswered' || answer.status !== 200) return undefined;
  return filled(record(parseJson(answer.body))['gitVersion']);
};

export const listKubelets: Over<Reader, Origins['listKubelets']> = (transport, abort) => {
  const narrow = (node: Json) => ({
    node: nameOf(node),
    version: text(record(record(node['status'])['nodeInfo'])['kubeletVersion']) ?? '',
  });
  return everyPage((token) => listObjects(transport, { ...ofNodes, narrow }, token, abort));
};
