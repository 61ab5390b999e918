import type { Call } from '../call.ts';
import { invalid } from '../status.ts';

const options: Readonly<Record<string, string>> = {
  create: 'CreateOptions',
  update: 'UpdateOptions',
  patch: 'PatchOptions',
  delete: 'DeleteOptions',
  deletecollection: 'DeleteOptions',
};

/**
 * True if the request shall be admitted, validated and answered as if stored, but not stored. A deletion may
 * also say so in its body. `All` is the only stage that there is; anything else is refused.
 */
export function isDryRun({ request, info }: Call, inBody: readonly string[] = []): boolean {
  const stages = [...request.query.getAll('dryRun'), ...inBody];
  const unknown = stages.filter((stage) => stage !== 'All');
  if (unknown.length > 0) {
    const message = `Unsupported value: ${JSON.stringify(unknown[0])}: supported values: "All"`;
    throw invalid(options[info.verb] ?? '', 'meta.k8s.io', '', [
      { field: 'dryRun', reason: 'FieldValueNotSupported', message },
    ]);
  }
  return stages.length > 0;
}
