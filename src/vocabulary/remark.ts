import * as z from 'zod';
import { container, key, problem } from '../fields.ts';
import type { Value } from './value.ts';

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
