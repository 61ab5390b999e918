import { inChunks, jsonPieces } from '../../src/report/json.ts';
import { toLines } from '../../src/report/records/line.ts';

/** A document as `-o json` and `--report-file` write it. */
export function asJson(document: object): string {
  return [...inChunks(jsonPieces(document))].join('');
}

/** Records as `-o ndjson` writes them. */
export function asLines(records: Iterable<object>): string {
  return [...inChunks(toLines(records))].join('');
}
