import { printable } from '../printable.ts';
import { apiVersion } from './api-version.ts';
import { paragraph, type Style } from './columns.ts';
import { escaped } from './markdown.ts';
import type { SweepReport } from './schema.ts';

type OfCluster = Pick<SweepReport, 'cluster'>;

/** A document for several clusters, each with its own part, as Kubernetes does with objects of one kind. */
export function listOf<K extends string, T extends OfCluster>(kind: K, items: readonly T[]) {
  return { apiVersion, kind, items };
}

/** The same for people, each part under the name of its cluster. */
export function renderEach<T extends OfCluster>(
  items: readonly T[],
  render: (item: T, style: Style) => string,
  style: Style,
): string {
  return items.map((item) => `${headOf(item, style)}\n${render(item, style)}`).join('\n');
}

/** The same for a page. */
export function markdownOfEach<T extends OfCluster>(
  items: readonly T[],
  render: (item: T) => string,
): string {
  return items.map((item) => `# ${escaped(item.cluster.context)}\n\n${render(item)}`).join('\n');
}

function headOf({ cluster: { context, server } }: OfCluster, style: Style): string {
  return paragraph(printable(`== ${context}${server && ` (${server})`}`), style);
}
