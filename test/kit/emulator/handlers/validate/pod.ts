import type { Container, KubeObject, Pod } from '../../world/objects.ts';
import { type FieldProblem, invalid } from '../status.ts';

/** Validates a new pod, limited to mistakes that manifests of tests and users contain. */
export function validatePod(object: KubeObject): void {
  const problems = podSpecProblems(object['spec'], 'spec');
  if (problems.length > 0) throw invalid('Pod', '', object.metadata.name, problems);
}

export function validateJob(object: KubeObject): void {
  const spec = object['spec'] as { template?: { spec?: Partial<Pod['spec']> } } | undefined;
  const template = spec?.template?.spec;
  const problems = podSpecProblems(template, 'spec.template.spec');
  if (template && template.restartPolicy !== 'Never' && template.restartPolicy !== 'OnFailure') {
    problems.push({
      field: 'spec.template.spec.restartPolicy',
      reason: template.restartPolicy ? 'FieldValueNotSupported' : 'FieldValueRequired',
      message: template.restartPolicy
        ? `Unsupported value: "${template.restartPolicy}": supported values: "OnFailure", "Never"`
        : 'Required value: valid values: "OnFailure", "Never"',
    });
  }
  if (problems.length > 0) throw invalid('Job', 'batch', object.metadata.name, problems);
}

function podSpecProblems(spec: unknown, path: string): FieldProblem[] {
  const { containers, initContainers, restartPolicy, activeDeadlineSeconds } = (spec ?? {}) as Partial<
    Pod['spec']
  >;
  const problems: FieldProblem[] = [];
  if (!Array.isArray(containers) || containers.length === 0) {
    problems.push({
      field: `${path}.containers`,
      reason: 'FieldValueRequired',
      message: 'Required value',
    });
  } else problems.push(...containerProblems(containers, `${path}.containers`));
  problems.push(...containerProblems(initContainers ?? [], `${path}.initContainers`));
  if (restartPolicy !== undefined && !['Always', 'OnFailure', 'Never'].includes(restartPolicy)) {
    problems.push({
      field: `${path}.restartPolicy`,
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: "${restartPolicy}": supported values: "Always", "OnFailure", "Never"`,
    });
  }
  problems.push(...deadlineProblems(activeDeadlineSeconds, path));
  return problems;
}

const maxInt32 = 2_147_483_647;

/** A deadline must be a positive number of seconds. */
export function deadlineProblems(seconds: number | null | undefined, path: string): FieldProblem[] {
  if (seconds === undefined || seconds === null || (seconds >= 1 && seconds <= maxInt32)) return [];
  return [
    {
      field: `${path}.activeDeadlineSeconds`,
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${seconds}: must be between 1 and ${maxInt32}, inclusive`,
    },
  ];
}

function containerProblems(containers: readonly Container[], path: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const seen = new Set<string>();
  for (const [index, { name, image }] of containers.entries()) {
    const at = `${path}[${index}]`;
    if (!name) {
      problems.push({ field: `${at}.name`, reason: 'FieldValueRequired', message: 'Required value' });
    } else if (seen.has(name)) {
      const message = `Duplicate value: "${name}"`;
      problems.push({ field: `${at}.name`, reason: 'FieldValueDuplicate', message });
    }
    seen.add(name);
    if (!image) {
      problems.push({ field: `${at}.image`, reason: 'FieldValueRequired', message: 'Required value' });
    }
  }
  return problems;
}
