import type { Kubelet, KubeletsReading } from '../model/ports.ts';
import { everyPage } from './every-page.ts';
import type { Transport } from './http/transport.ts';
import { filled, record, text } from './json.ts';
import { type Listed, listObjects } from './list-objects.ts';
import { nodesPath } from './paths.ts';
import { readObject } from './read-object.ts';

/** Reads the version of the API server. */
export async function readVersion(
  transport: Pick<Transport, 'get'>,
  abort: AbortSignal,
): Promise<string | undefined> {
  const reading = await readObject(transport, '/version', abort);
  return reading.kind === 'Present' ? filled(record(reading.body)['gitVersion']) : undefined;
}

const nodes: Listed<Kubelet> = {
  path: nodesPath,
  kind: 'NodeList',
  pageSize: 50,
  narrow: ({ metadata, status }) => ({
    node: text(record(metadata)['name']) ?? '',
    version: text(record(record(status)['nodeInfo'])['kubeletVersion']) ?? '',
  }),
};

/** Lists the versions of all kubelets, page by page. */
export async function listKubelets(
  transport: Pick<Transport, 'get' | 'redact'>,
  abort: AbortSignal,
): Promise<KubeletsReading> {
  const kubelets = await everyPage((token) => listObjects(transport, nodes, token, abort));
  return kubelets.kind === 'Unreadable' ? kubelets : { kind: 'Read', kubelets: kubelets.items };
}
