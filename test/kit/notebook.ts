import type { Notebook } from '../../src/model/ports.ts';

interface Page {
  text: string | undefined;
  version: number;
  writes: number;
}

/** Keeps the notes of one installation from sweep to sweep; as often as told, another writer is faster. */
export function notebook(conflicts = 0): Notebook & { readonly page: Page } {
  const page: Page = { text: undefined, version: 0, writes: 0 };
  return {
    page,
    read: async () =>
      page.text === undefined ? undefined : { text: page.text, version: String(page.version) },
    async write(text, version) {
      page.writes++;
      if (page.writes <= conflicts) page.version++;
      const isKnown = version === (page.text === undefined ? undefined : String(page.version));
      if (page.writes <= conflicts || !isKnown) return 'Conflict';
      page.text = text;
      page.version++;
      return 'Written';
    },
  };
}
