import type { Notebook } from '../../src/model/ports.ts';

/** Keeps the notes of one installation from sweep to sweep. */
export function notebook(): Notebook {
  let page: { readonly text: string; readonly version: string } | undefined;
  return {
    read: async () => page,
    async write(text) {
      page = { text, version: String(Number(page?.version ?? 0) + 1) };
      return 'Written';
    },
  };
}
