import * as z from 'zod';
import { key, problem, type Value } from '../model/value.ts';

/** What advice says, as reports write it. */

const node = z.object({
  name: z.string().describe('the name of the node'),
  kubelet: z.string().describe('the version of its kubelet'),
});

export const whyStuck = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('InTemplate') }).describe("its owner's template has it under containers"),
    z
      .object({ kind: z.literal('AlwaysOnRegular') })
      .describe('restartPolicy: Always is set on a regular container, which the kubelet then only restarts'),
    z
      .object({ kind: z.literal('AlreadyNative') })
      .describe("its owner's template now has it as a native sidecar, but the pod is older"),
    z.object({ kind: z.literal('NotInTemplate') }).describe('something injected it as a regular container'),
    z
      .object({ kind: z.literal('TemplateUnknown'), problem })
      .describe('the template that the pod was made from could not be read'),
    z
      .object({ kind: z.literal('SwitchUnset'), key })
      .describe('no annotation of the pod asks the injector for a native sidecar'),
    z
      .object({
        kind: z.literal('SwitchMisspelt'),
        key,
        meant: z.string().describe('the annotation that it reads'),
      })
      .describe('an annotation that this version of the injector does not read, and the one that it reads'),
    z
      .object({ kind: z.literal('SwitchOff'), key, value: z.string().describe('its value') })
      .describe('an annotation of the pod switches it off'),
    z
      .object({ kind: z.literal('SwitchInVain'), key })
      .describe('an annotation of the pod asks for a native sidecar, but the injector ignored it'),
    z
      .object({
        kind: z.literal('OldNodes'),
        kubelet: z.string().describe('the version that all must have'),
        nodes: z.array(node).describe('nodes that have an older one'),
        more: z.int().describe('how many more there are'),
      })
      .describe('the injector makes no native sidecars while one node is older'),
  ])
  .describe('why a sidecar keeps pods from ending although there are native sidecars');
export type WhyStuck = Value<typeof whyStuck>;

export const cureAdvice = z
  .object({
    containers: z.array(z.string()).describe('the sidecars that it is for'),
    does: z.string().describe('what to do'),
    changes: z.string().describe('what that changes'),
    versions: z.string().optional().describe("the sidecar's versions that it is for, if its own is unknown"),
    first: z.array(z.string()).describe('what must be done or checked first'),
    command: z.string().optional().describe('the command that does it, to paste into a shell'),
    patch: z
      .array(
        z.object({
          op: z.enum(['test', 'add', 'move']).describe('the operation'),
          path: z.string().describe('the JSON Pointer that it applies to'),
          from: z.string().optional().describe('for move: the JSON Pointer to move from'),
          value: z.unknown().optional().describe('for test and add: the value'),
        }),
      )
      .optional()
      .describe('the JSON Patch (RFC 6902) in the command'),
    source: z.string().describe('where the facts come from'),
  })
  .describe('how to keep pods from getting stuck again');
export type CureAdvice = Value<typeof cureAdvice>;
export type PatchOperation = NonNullable<CureAdvice['patch']>[number];
