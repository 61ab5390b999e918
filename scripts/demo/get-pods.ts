import { request } from 'node:https';
import { columns } from '../../src/report/columns.ts';
import type { Emulator } from '../../test/kit/emulator/index.ts';

interface TableAnswer {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: PodMetadata }[];
}

interface PodMetadata {
  readonly metadata: { readonly namespace: string };
}

/** The output of `kubectl get pods -A`, from the Table that the server returns. */
export async function getPods(emulator: Emulator): Promise<string> {
  const { columnDefinitions, rows }: TableAnswer = JSON.parse(await fetchTable(emulator));
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

function fetchTable({ url, ca, token }: Emulator): Promise<string> {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/api/v1/pods`,
      { ca, headers: { accept, authorization: `Bearer ${token}` } },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        answer.on('end', () => resolve(body));
        answer.on('error', reject);
      },
    );
    sent.on('error', reject).end();
  });
}
