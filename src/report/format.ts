import type { Resources } from '../model/pod.ts';
import { formatDuration, type Millis } from '../util/time.ts';

// To make one takes longer than to use it a thousand times.
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

/** A number as people read it: 12,345, 1.2, 0.03. */
export function number(value: number): string {
  const size = Math.abs(value);
  return (size >= 100 ? whole : size >= 1 ? tenths : small).format(value);
}

/** `1 pod`, `10,000 pods`, `0.5 cores`. */
export function many(amount: number, noun: string): string {
  const text = number(amount);
  return `${text} ${noun}${text === '1' ? '' : 's'}`;
}

/** A text about so many things, if there are any. */
export function ifAny(amount: number, text: string): readonly string[] {
  return amount > 0 ? [text] : [];
}

/** `2026-11-22 10:49`; reports have all times in UTC. */
export function minuteOf(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

export function iso(time: Millis): string {
  return new Date(time).toISOString();
}

export function isoIfKnown(time: Millis | undefined): string | undefined {
  return time === undefined ? undefined : iso(time);
}

/** How long it was from one time of a report to another, in words; `?` if one is missing. */
export function elapsed(from: string, to: string | undefined): string {
  return to === undefined ? '?' : formatDuration(Date.parse(to) - Date.parse(from));
}

/** Cores as manifests write them: `250m`, `1.5`; empty for none. */
export function formatCpu(cores: number): string {
  if (cores === 0) return '';
  return cores < 1 ? `${Math.max(1, Math.round(cores * 1000))}m` : `${Number(cores.toFixed(2))}`;
}

const units = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'] as const;

/** Bytes as manifests write them: `64Mi`, `1.5Gi`; empty for none. */
export function formatMemory(bytes: number): string {
  if (bytes === 0) return '';
  let amount = bytes;
  let unit = 0;
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024;
    unit++;
  }
  return `${Number(amount.toFixed(1))}${units[unit]}`;
}

/** What is reserved, as people read it: `72.6 cores, 136 GiB`; empty if nothing is. */
export function reserved({ cpu, memory }: Resources): string {
  return [...ifAny(cpu, many(cpu, 'core')), ...ifAny(memory, `${number(memory / 2 ** 30)} GiB`)].join(', ');
}

/** Whether the pod reserves nothing, so that its use of the node is unknown. */
export function hasNone({ cpu, memory }: Resources): boolean {
  return cpu === 0 && memory === 0;
}

const nothing: Resources = { cpu: 0, memory: 0 };

export function requestsOf(pods: readonly { readonly requests: Resources }[]): Resources {
  return sumOf(pods.map(({ requests }) => requests));
}

export function sumOf(all: readonly Resources[]): Resources {
  return all.reduce((sum, one) => ({ cpu: sum.cpu + one.cpu, memory: sum.memory + one.memory }), nothing);
}
