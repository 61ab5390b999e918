/** A column of a table. */
export interface Column {
  readonly title: string;
  /** If there is no room, the column that is worth least gives way first. One without a worth always stays. */
  readonly worth?: number;
  /** Whether its cells are sentences: a column that gives way is left out, but sentences go below their row. */
  readonly isProse?: true;
  /** Whether it is a part of the name of the row, as a namespace and a pod are. */
  readonly isName?: true;
  /** Shown only with -o wide. */
  readonly isWide?: true;
}

/** What the text of a column takes. */
export interface Extent {
  readonly column: Column;
  readonly full: number;
  /** Without what may go below the row; the same as `full` unless it is prose. */
  readonly brief: number;
}

export type Arrangement =
  | {
      readonly kind: 'Rows';
      /** How far the columns are apart. */
      readonly gap: number;
      /** The width of each column; undefined if it has given way. */
      readonly widths: readonly (number | undefined)[];
    }
  /** Not even what always stays has room in one line: a block of lines for each row. */
  | { readonly kind: 'Blocks' };

const wideGap = 3;
const narrowGap = 2;

/** What is shown in which width. With -o wide nothing is left out; without a width everything has room. */
export function arrange(
  extents: readonly Extent[],
  { width, wide }: { readonly width: number | undefined; readonly wide: boolean },
): Arrangement {
  const all = extents.map(({ full }) => full);
  if (width === undefined || total(all, wideGap) <= width) return { kind: 'Rows', gap: wideGap, widths: all };
  for (const gone of givenWay(extents, wide)) {
    const least = extents.map((extent) => (gone.has(extent) ? undefined : extent.brief));
    const spare = width - total(least, narrowGap);
    if (spare >= 0) return { kind: 'Rows', gap: narrowGap, widths: spread(spare, extents, least) };
  }
  return { kind: 'Blocks' };
}

/** The sets of columns that give way, from none to all that may. */
function givenWay(extents: readonly Extent[], wide: boolean): readonly ReadonlySet<Extent>[] {
  const inOrder = extents
    .filter(({ column }) => column.worth !== undefined && (!wide || column.isProse))
    .sort((a, b) => (a.column.worth ?? 0) - (b.column.worth ?? 0));
  return [...inOrder.keys(), inOrder.length].map((count) => new Set(inOrder.slice(0, count)));
}

function total(widths: readonly (number | undefined)[], gap: number): number {
  const shown = widths.filter((width) => width !== undefined);
  return shown.reduce((sum, width) => sum + width + gap, -gap);
}

/** Gives what is left to the sentences, to the first of them first. */
function spread(
  spare: number,
  extents: readonly Extent[],
  least: readonly (number | undefined)[],
): readonly (number | undefined)[] {
  let left = spare;
  return extents.map(({ full }, index) => {
    const width = least[index];
    if (width === undefined) return undefined;
    const more = Math.min(left, full - width);
    left -= more;
    return width + more;
  });
}
