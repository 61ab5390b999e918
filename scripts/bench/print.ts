import type { Part } from './part.ts';
import { mebibytes, seconds } from './tables.ts';

/** A part for people: every way, and how it compares with the sweeper. */
export function printPart(name: string, { rows, ratios, spread, leftOut, facts }: Part): void {
  console.log(`\n${name}`);
  for (const row of rows) {
    const cost = [seconds(row.wallMs), `${seconds(row.cpuMs)} CPU`, mebibytes(row)]
      .filter(Boolean)
      .join(', ');
    console.log(`  ${row.name.padEnd(40)} ${cost}`);
  }
  for (const [ratio, value] of Object.entries(ratios)) {
    console.log(`  ${ratio}: ${value} (${spread[ratio]?.join(' to ')})`);
  }
  for (const [fact, value] of Object.entries(facts)) console.log(`  ${fact}: ${value}`);
  for (const [ratio, why] of Object.entries(leftOut)) console.log(`  ${ratio} was left out: ${why}`);
}
