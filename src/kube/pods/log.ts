import { bounds } from '../../model/bounds.ts';
import type { Cluster } from '../../model/ports.ts';
import { printable } from '../../util/text.ts';
import { refusal } from '../client/answer.ts';
import type { Over, Reader } from '../client/transport.ts';
import { podPath } from '../objects/objects.ts';

export const readLog: Over<Reader, Cluster['readLog']> = async (transport, ref, container, lines, abort) => {
  const limit = lines * bounds.logLine;
  for (let tail = lines; ; tail = Math.ceil(tail / 2)) {
    const query = { container, tailLines: String(tail), limitBytes: String(limit) };
    const answer = await transport.get(podPath(ref, 'log'), query, abort);
    if (answer.kind !== 'Answered' || answer.status !== 200) {
      return { kind: 'Unreadable', problem: refusal(answer) };
    }
    // limitBytes cuts off the end, which matters most.
    if (tail > 1 && Buffer.byteLength(answer.body) >= limit) continue;
    const text = transport.redact(answer.body).slice(0, limit).replace(/\n$/, '');
    const all = text === '' ? [] : text.split('\n');
    return { kind: 'Read', lines: all.slice(-lines).map((line) => printable(line)) };
  }
};
