import * as z from 'zod';
import { many } from '../amounts.ts';

/** Reports of one file that cannot be read, all for the same reason. */
export const unreadableReports = z
  .object({
    file: z.string().describe('the name of the file, or stdin'),
    apiVersion: z
      .string()
      .optional()
      .describe(
        'their apiVersion, which this version cannot read; missing if they are damaged or were written by a later version',
      ),
    reports: z.int().describe('how many there are'),
  })
  .describe('reports of one file that cannot be read');
export type UnreadableReports = z.infer<typeof unreadableReports>;

const mostNames = 3;

/** Which files have reports that cannot be read: a clause for each reason. */
export function describeUnreadable(all: readonly UnreadableReports[]): readonly string[] {
  const versions = [...new Set(all.map(({ apiVersion }) => apiVersion))];
  return versions.map((version) => {
    const same = all.filter(({ apiVersion }) => apiVersion === version);
    const reports = same.reduce((sum, one) => sum + one.reports, 0);
    const has = `${listNames(same.map(({ file }) => file))} ${same.length === 1 ? 'has' : 'have'}`;
    const some = reports === 1 ? 'a report' : many(reports, 'report');
    if (version !== undefined)
      return `${has} ${some} of apiVersion ${version}, which this version cannot read`;
    // What a later version adds to the same apiVersion cannot be told from damage.
    const are = reports === 1 ? 'is damaged or was' : 'are damaged or were';
    return `${has} ${some} that ${are} written by a later version`;
  });
}

export function describeTruncated({ truncated }: { readonly truncated: number }): string {
  return `${many(truncated, 'line')} ${truncated === 1 ? 'was' : 'were'} cut off`;
}

function listNames(names: readonly string[]): string {
  const shown = names.length > mostNames + 1 ? names.slice(0, mostNames) : names;
  const more = names.length - shown.length;
  const all = more > 0 ? [...shown, many(more, 'other file')] : shown;
  return all.length === 1 ? all.join() : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}
