import type { ObjectPage, PageToken } from '../model/observation.ts';
import type { Slots } from '../ports.ts';
import { readByList } from './by-list.ts';

interface Named<R> {
  readonly name: string;
  readonly reading: R;
}

interface Reads<R> {
  readonly list: (token: PageToken, abort: AbortSignal) => Promise<ObjectPage<Named<R>>>;
  readonly read: (name: string, abort: AbortSignal) => Promise<R>;
}

/** Reads objects side by side: many of them by a list, until one has failed, else one by one. */
export type ReadNamed<R> = (
  names: readonly string[],
  slots: Slots,
  abort: AbortSignal,
) => Promise<ReadonlyMap<string, R>>;

export function createNamedReader<R>({ list, read }: Reads<R>): ReadNamed<R> {
  let isListed = true;
  return async (names, slots, abort) => {
    const wanted = new Set(names);
    const readings = new Map<string, R>();
    const readPage = async (token: PageToken) => {
      const page = await slots(() => list(token, abort));
      isListed &&= page.kind === 'Page';
      return page;
    };
    await readByList(isListed ? wanted.size : 0, readPage, ({ name, reading }) => {
      if (!wanted.has(name)) return 'Other';
      readings.set(name, reading);
      return 'Wanted';
    });
    const missing = [...wanted].filter((name) => !readings.has(name));
    await Promise.all(missing.map(async (name) => readings.set(name, await slots(() => read(name, abort)))));
    return readings;
  };
}
