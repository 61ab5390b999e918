import type { Style } from '../../src/report/columns.ts';

/** What a table is written with where no terminal says otherwise. */
export const plain: Style = { colour: false, width: undefined, wide: false };
