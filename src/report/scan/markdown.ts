import { markdownList, markdownParts, markdownRows } from '../markdown.ts';
import type { Scan } from './schema.ts';
import { scanHead, scanNotes, scanRows, scanSum } from './table.ts';

/** The scan for a page or an issue. */
export function scanMarkdown(scan: Scan): string {
  const rows = scanRows(scan);
  const table = rows.length > 0 ? markdownRows(scanHead, rows) : '';
  return markdownParts(table, markdownList(scanNotes(scan)), scanSum(scan));
}
