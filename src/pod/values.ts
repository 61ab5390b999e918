import type { ContainerView } from '../vocabulary/container.ts';
import { bounds } from './bounds.ts';

/** The value of an untrusted key; never something inherited from Object.prototype. */
export function own(values: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/** What Go's `strconv.ParseBool` reads as false, by which Kubernetes and most sidecars read flags. */
const falseValues: readonly string[] = ['0', 'f', 'F', 'false', 'False', 'FALSE'];

/** Whether a value switches off what it is the value of. */
export function saysNo(value: string): boolean {
  return falseValues.includes(value.trim());
}

/** The value of `--name=value` or `--name value`; `true` for a flag without one. Only the first arguments are read. */
export function argumentOf(
  { command, args }: Pick<ContainerView, 'command' | 'args'>,
  name: string,
): string | undefined {
  const words = [...(command ?? []).slice(0, bounds.arguments), ...(args ?? []).slice(0, bounds.arguments)];
  for (const [index, word] of words.entries()) {
    if (word.startsWith(`${name}=`)) return word.slice(name.length + 1);
    if (word !== name) continue;
    const next = words[index + 1];
    return next === undefined || next.startsWith('-') ? 'true' : next;
  }
  return undefined;
}
