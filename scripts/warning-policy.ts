import { stringify } from 'yaml';
import { catalogue } from '../src/policy/catalogue.ts';

const apiVersion = 'admissionregistration.k8s.io/v1';
const name = 'sidecar-sweeper-regular-sidecars';

/** Sidecars that a template may have: one that is known only by a variable may be anything. */
const known = catalogue.filter(({ shows }) => shows === undefined);

/** CEL for whether the container `c` has the name and the image of a profile. */
function isProfile({ containers, images }: (typeof known)[number]): string {
  return `c.name.matches('^(${containers.map(pattern).join('|')})$') && c.image.matches('(^|/)(${images.map(pattern).join('|')})([:@]|$)')`;
}

/** RE2 for a name in which `*` stands for any characters. */
function pattern(glob: string): string {
  return glob.replace(/[.+]/g, '[$&]').replaceAll('*', '[^/:@]*');
}

/** The ValidatingAdmissionPolicy that warns of known sidecars among the regular containers of Jobs and CronJobs, with its binding. */
export function warningPolicy(): string {
  const policy = {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      failurePolicy: 'Ignore',
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['batch'],
            apiVersions: ['v1'],
            resources: ['jobs', 'cronjobs'],
            operations: ['CREATE', 'UPDATE'],
          },
        ],
      },
      variables: [
        {
          name: 'containers',
          expression:
            'has(object.spec.jobTemplate) ? object.spec.jobTemplate.spec.template.spec.containers : object.spec.template.spec.containers',
        },
        {
          name: 'sidecars',
          expression: `variables.containers.filter(c,\n${known.map(isProfile).join(' ||\n')})`,
        },
      ],
      validations: [
        {
          expression:
            'variables.sidecars.size() == 0 || variables.containers.size() == variables.sidecars.size()',
          messageExpression:
            "'these containers keep the pods from ending; move them to initContainers, with restartPolicy: Always: ' + variables.sidecars.map(c, c.name).join(', ')",
        },
      ],
    },
  };
  const binding = {
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Warn'] },
  };
  return `# Warns the author of a Job or a CronJob with a known sidecar as a regular container; refuses nothing. Generated from the catalogue
# by \`npm run schema\`.
${stringify(policy, { lineWidth: 0 })}---
${stringify(binding)}`;
}
