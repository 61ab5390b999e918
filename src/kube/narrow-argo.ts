import type { ArgoView } from '../vocabulary.ts';
import { isRecord, parseJson } from './problem.ts';

type Json = Readonly<Record<string, unknown>>;

/** Where Argo Workflows puts the template that a pod was made from: a variable, up to 3.2 an annotation. */
export const argoTemplate = 'ARGO_TEMPLATE';
const templateKey = 'workflows.argoproj.io/template';
const workflowLabel = 'workflows.argoproj.io/workflow';

/**
 * What Argo Workflows made a pod for. A template has one container, which is called `main` in the pod whatever its
 * name there, or a set of containers that keep their names.
 */
export function narrowArgo(
  owner: Json | undefined,
  labels: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>>,
  specs: readonly Json[],
): ArgoView | undefined {
  const kind = owner?.['kind'];
  // A Job that a workflow creates may carry the label along; its pods are the Job's.
  const isArgo = kind === 'Workflow' || (Object.hasOwn(labels, workflowLabel) && kind !== 'Job');
  if (!isArgo) return undefined;
  const written = specs.flatMap(templateIn)[0] ?? annotations[templateKey];
  if (written === undefined) return { mains: ['main'] };
  const template = parseJson(written);
  // A template that is too long for a variable is kept elsewhere, and this is empty.
  if (!isRecord(template)) return { mains: undefined };
  const { containerSet } = template;
  if (!isRecord(containerSet)) return { mains: ['main'] };
  const containers = Array.isArray(containerSet['containers']) ? containerSet['containers'] : [];
  const names = containers.map((container) => (isRecord(container) ? container['name'] : undefined));
  return { mains: names.every((name) => typeof name === 'string') ? names : undefined };
}

function templateIn({ env }: Json): readonly string[] {
  const variables = Array.isArray(env) ? env.filter(isRecord) : [];
  return variables.flatMap(({ name, value }) =>
    name === argoTemplate ? [typeof value === 'string' ? value : ''] : [],
  );
}
