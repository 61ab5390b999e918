import type { ApiPod } from './api-types.ts';

/** The known main containers of an Argo Workflows pod; undefined for other pods. */
export function naiveArgoMains({ metadata, spec }: ApiPod): readonly string[] | undefined {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller)?.kind;
  const isLabelled = 'workflows.argoproj.io/workflow' in (metadata.labels ?? {});
  if (owner !== 'Workflow' && !(isLabelled && owner !== 'Job')) return undefined;
  const written = spec.containers.flatMap(({ env = [] }) =>
    env.filter(({ name }) => name === 'ARGO_TEMPLATE'),
  )[0];
  const template = written ? (written.value ?? '') : metadata.annotations?.['workflows.argoproj.io/template'];
  if (template === '') return [];
  // A container set with a nameless container is not trusted.
  if (template?.includes('{}]}}')) return [];
  const names = [...(template ?? '').matchAll(/"name":"(\w+)"/g)].map(([, name]) => name ?? '');
  return names.length > 0 ? names : ['main'];
}
