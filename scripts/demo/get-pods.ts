import { columns } from '../../src/report/columns.ts';
import type { Emulator } from '../../test/kit/emulator/index.ts';
import { exchange } from '../../test/kit/replay/client.ts';

interface TableAnswer {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: PodMetadata }[];
}

interface PodMetadata {
  readonly metadata: { readonly namespace: string };
}

/** The output of `kubectl get pods -A`, from the Table that the server returns. */
export async function getPods(emulator: Emulator): Promise<string> {
  const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  const { body } = await exchange(emulator, { method: 'GET', path: '/api/v1/pods' }, { headers });
  const { columnDefinitions, rows } = body as TableAnswer;
  const shown = columnDefinitions.flatMap(({ priority }, index) => (priority === 0 ? [index] : []));
  const titles = ['NAMESPACE', ...shown.map((index) => columnDefinitions[index]?.name.toUpperCase() ?? '')];
  return columns(
    titles.map((title) => ({ title })),
    rows.map(({ cells, object }) => [
      object.metadata.namespace,
      ...shown.map((index) => String(cells[index])),
    ]),
    { colour: false, width: undefined, wide: false },
  );
}
