import * as z from 'zod';
import { key, problem } from '../fields.ts';
import { exclusion } from './exclusion.ts';
import type { Value } from './value.ts';

export const skipReason = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('BadKillCommand'), key, problem })
      .describe('the annotation cannot be read; nothing else is tried'),
    z
      .object({ kind: z.literal('CommandNotAllowed'), key })
      .describe('the annotation asks for something that is not on the allowlist; nothing else is tried'),
    z
      .object({ kind: z.literal('RestartsAlways') })
      .describe('the kubelet restarts it however it ends, and no step that ends the pod is allowed'),
    z
      .object({ kind: z.literal('HostPID') })
      .describe("the pod's own command is not run, because PID 1 is the node's init process"),
    z
      .object({
        kind: z.literal('OverBound'),
        what: z.string().describe('what there is too much of'),
        most: z.int().describe('the most that the sweeper allows'),
      })
      .describe('the pod asks for more than the sweeper does for one pod'),
    z.object({ kind: z.literal('NoWay') }).describe('the pod shows that none of the steps can work'),
    z
      .object({ kind: z.literal('NoLongerCandidate'), because: z.array(exclusion) })
      .describe('the pod changed before anything was sent, and is no longer stuck'),
    z.object({ kind: z.literal('Undecided'), problem }).describe('planning for it failed with an error'),
    z
      .object({ kind: z.literal('NotRunning'), state: z.string().describe('its state, such as Waiting') })
      .describe('the sidecar is waiting to start or to be restarted'),
  ])
  .describe('why nothing was sent');
export type SkipReason = Value<typeof skipReason>;
