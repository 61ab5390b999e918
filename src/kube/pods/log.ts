import { bounds } from '../../model/bounds.ts';
import type { PodName } from '../../model/pod.ts';
import type { LogReading } from '../../model/ports.ts';
import { printable } from '../../util/text.ts';
import { refusal } from '../client/answer.ts';
import type { Reader } from '../client/transport.ts';
import { podPath } from '../objects/objects.ts';

export async function readLog(
  transport: Reader,
  ref: PodName,
  container: string,
  lines: number,
  abort: AbortSignal,
): Promise<LogReading> {
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
}
