import { filled, list, record, records } from '../json.ts';

/**
 * Whether no container of a pod has ended yet, which is so of most pods of a cluster: none of these can be stuck, and reading no
 * more of them makes a list several times as fast. Whatever is unclear is for the judge, and so is a pod that has not begun: its
 * init containers tell why.
 */
export function isAtWork(item: unknown): boolean {
  const { spec, status } = record(item);
  const names = new Set(records(record(spec)['containers']).map(({ name }) => filled(name)));
  const statuses = records(record(status)['containerStatuses']);
  return (
    record(status)['phase'] !== 'Pending' &&
    names.size > 0 &&
    names.size === list(record(spec)['containers']).length &&
    names.size === statuses.length &&
    statuses.every(
      ({ name, state }) => names.delete(filled(name)) && record(state)['terminated'] === undefined,
    )
  );
}
