import { bounds } from '../../model/bounds.ts';
import type { Cluster } from '../../model/ports.ts';
import { printable } from '../../util/text.ts';
import { refusal } from '../client/answer.ts';
import type { Over, Reader } from '../client/transport.ts';
import { podPath } from '../objects/objects.ts';

export const readLog: Over<Reader, Cluster['readLog']> = async (transport, ref, container, lines, abort) => {
  const query = { container, tailLines: String(lines), limitBytes: String(lines * bounds.logLine) };
  const answer = await transport.get(podPath(ref, 'log'), query, abort);
  if (answer.kind !== 'Answered' || answer.status !== 200) {
    return { kind: 'Unreadable', problem: refusal(answer) };
  }
  const text = transport
    .redact(answer.body)
    .slice(0, lines * bounds.logLine)
    .replace(/\n$/, '');
  const all = text === '' ? [] : text.split('\n');
  return { kind: 'Read', lines: all.slice(-lines).map((line) => printable(line)) };
};
