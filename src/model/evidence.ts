import * as z from 'zod';
import { container, key, kind, problem, type Value } from './schema.ts';

export const evidence = z
  .discriminatedUnion('kind', [
    kind('Annotation', 'an annotation of the pod names it', { key }),
    kind('NotListedAsMain', 'an annotation of the pod lists its main containers, but not this one', { key }),
    kind('Variable', 'an environment variable of the container shows it', {
      name: z.string().describe('the name of the variable'),
    }),
    kind('InjectionStatus', 'the injector recorded in this annotation that it added the container', { key }),
    kind(
      'ArgoWorkflow',
      "in a pod of Argo Workflows, the template's containers and `wait` are mains and all others are sidecars",
    ),
    kind('Platform', 'the platform that created the pod waits for this container', {
      platform: z.enum(['Airflow', 'Flyte', 'Spark']).describe('the platform'),
    }),
    kind('KillCommand', 'an annotation of the pod holds a kill command or steps for this container', { key }),
    kind(
      'NotInJobTemplate',
      "the owning Job's template does not contain it, so an admission webhook added it",
      {
        job: z.string().describe('the name of the Job'),
      },
    ),
    kind('DefaultContainer', 'the annotation kubectl.kubernetes.io/default-container names it'),
    kind('Rule', 'a rule of the policy matches it', { rule: z.string().describe('the name of the rule') }),
    kind('Catalogue', 'its name and image match a known sidecar', {
      profile: z.string().describe('the name of its profile'),
    }),
    kind(
      'SwappedImage',
      "it ran before, and cannot start with the policy's own no-op image: a sweep swapped its image",
    ),
    kind('NoEvidence', 'nothing marks it as a sidecar, so it counts as a main'),
  ])
  .describe('why a container counts as a main or a sidecar');
export type Evidence = Value<typeof evidence>;

export type Role = 'Main' | 'Sidecar';

/** What one source of evidence says about a container. */
export interface Statement {
  readonly role: Role;
  readonly because: Evidence;
}

export const remark = z
  .discriminatedUnion('kind', [
    kind('UnknownContainer', 'an annotation names a container that the pod does not have', {
      key,
      container,
    }),
    kind('NamedAsBoth', 'one annotation calls it a main, another a sidecar', { container }),
    kind('Unreadable', 'an annotation or variable cannot be read and was ignored', { key, problem }),
    kind('LeftOut', 'how many more remarks there are about the pod', {
      remarks: z.int().describe('how many'),
    }),
  ])
  .describe("something odd about the pod's own annotations");
export type Remark = Value<typeof remark>;
