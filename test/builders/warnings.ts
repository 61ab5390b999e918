import { setImmediate } from 'node:timers/promises';

/** The names of the warnings that Node gives during the work, such as MaxListenersExceededWarning. */
export async function warningsDuring(work: () => Promise<unknown>): Promise<readonly string[]> {
  const names: string[] = [];
  const hear = ({ name }: Error) => names.push(name);
  process.on('warning', hear);
  await work();
  await setImmediate();
  process.off('warning', hear);
  return names;
}
