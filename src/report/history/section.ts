import type { Column } from '../arrange.ts';

/** A table of a history, for a terminal as well as for a page. */
export interface Section {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** How many more rows there are. */
  readonly more: number;
  /** What else there is to say about it. */
  readonly notes: readonly string[];
}

/** A section before it is cut to what one looks at. */
export interface Table extends Pick<Section, 'title' | 'columns' | 'rows'> {
  readonly notes?: readonly string[];
  /** How many entries the history itself leaves out. */
  readonly leftOut?: number | undefined;
  /** Whether it makes no sense in part. */
  readonly isWhole?: true;
}
