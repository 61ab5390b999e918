import * as z from 'zod';
import { container, key, problem, type Value } from './value.ts';

export const evidence = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('Annotation'), key }).describe('an annotation of the pod names it'),
    z
      .object({ kind: z.literal('NotListedAsMain'), key })
      .describe('an annotation of the pod lists its main containers, but not this one'),
    z
      .object({ kind: z.literal('Variable'), name: z.string().describe('the name of the variable') })
      .describe('an environment variable of the container shows it'),
    z
      .object({ kind: z.literal('InjectionStatus'), key })
      .describe('the injector recorded in this annotation that it added the container'),
    z
      .object({ kind: z.literal('ArgoWorkflow') })
      .describe(
        "in a pod of Argo Workflows, the template's containers and `wait` are mains and all others are sidecars",
      ),
    z
      .object({
        kind: z.literal('Platform'),
        platform: z.enum(['Airflow', 'Flyte', 'Spark']).describe('the platform'),
      })
      .describe('the platform that created the pod waits for this container'),
    z
      .object({ kind: z.literal('KillCommand'), key })
      .describe('an annotation of the pod holds a kill command or steps for this container'),
    z
      .object({ kind: z.literal('NotInJobTemplate'), job: z.string().describe('the name of the Job') })
      .describe("the owning Job's template does not contain it, so an admission webhook added it"),
    z
      .object({ kind: z.literal('DefaultContainer') })
      .describe('the annotation kubectl.kubernetes.io/default-container names it'),
    z
      .object({ kind: z.literal('Rule'), rule: z.string().describe('the name of the rule') })
      .describe('a rule of the policy matches it'),
    z
      .object({ kind: z.literal('Catalogue'), profile: z.string().describe('the name of its profile') })
      .describe('its name and image match a known sidecar'),
    z
      .object({ kind: z.literal('SwappedImage') })
      .describe(
        "it ran before, and cannot start with the policy's own no-op image: a sweep swapped its image",
      ),
    z
      .object({ kind: z.literal('NoEvidence') })
      .describe('nothing marks it as a sidecar, so it counts as a main'),
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
    z
      .object({ kind: z.literal('UnknownContainer'), key, container })
      .describe('an annotation names a container that the pod does not have'),
    z
      .object({ kind: z.literal('NamedAsBoth'), container })
      .describe('one annotation calls it a main, another a sidecar'),
    z
      .object({ kind: z.literal('Unreadable'), key, problem })
      .describe('an annotation or variable cannot be read and was ignored'),
    z
      .object({ kind: z.literal('LeftOut'), remarks: z.int().describe('how many') })
      .describe('how many more remarks there are about the pod'),
  ])
  .describe("something odd about the pod's own annotations");
export type Remark = Value<typeof remark>;
