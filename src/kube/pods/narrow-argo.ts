import type { ArgoView } from '../../model/pod.ts';
import { isRecord, type Json, list, parseJson, record, records, text } from '../json.ts';

/** Where Argo Workflows puts the template of a pod: in a variable, or up to 3.2 in an annotation. */
export const argoTemplate = 'ARGO_TEMPLATE';
const templateKey = 'workflows.argoproj.io/template';
const workflowLabel = 'workflows.argoproj.io/workflow';

/**
 * What Argo Workflows made a pod for. A template has one container, which the pod calls `main` whatever its
 * name in the template, or a set of containers that keep their names.
 */
export function narrowArgo(
  owner: Json | undefined,
  labels: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>>,
  specs: readonly Json[],
): ArgoView | undefined {
  const kind = owner?.['kind'];
  // A Job that a workflow creates may pass the label on, but its pods are the Job's.
  const isArgo = kind === 'Workflow' || (Object.hasOwn(labels, workflowLabel) && kind !== 'Job');
  if (!isArgo) return undefined;
  const written = specs.flatMap(templateIn)[0] ?? annotations[templateKey];
  if (written === undefined) return { mains: ['main'] };
  const template = parseJson(written);
  // A template that is too long for a variable is kept elsewhere, and the variable is empty.
  if (!isRecord(template)) return { mains: undefined };
  const { containerSet } = template;
  if (!isRecord(containerSet)) return { mains: ['main'] };
  const names = list(containerSet['containers']).map((container) => record(container)['name']);
  return { mains: names.every((name) => typeof name === 'string') ? names : undefined };
}

function templateIn({ env }: Json): readonly string[] {
  return records(env).flatMap(({ name, value }) => (name === argoTemplate ? [text(value) ?? ''] : []));
}
