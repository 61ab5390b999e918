import * as z from 'zod';
import { container, exitCode } from '../fields.ts';
import type { Value } from './value.ts';

export const hang = z
  .discriminatedUnion('kind', [
    z
      .object({
        kind: z.literal('RestartPolicyDropped'),
        container,
        profile: z.string().optional().describe('the profile of the known sidecar'),
        job: z.string().optional().describe('the Job whose template has it as a native sidecar'),
      })
      .describe(
        'a native sidecar lost its restartPolicy: Always on its way into the pod, so the mains wait for it to end',
      ),
    z
      .object({
        kind: z.literal('StartupProbeStopped'),
        container,
        restartCount: z.int().describe('how often it was restarted'),
      })
      .describe('the kubelet no longer runs the startup probe of a native sidecar, so the mains never start'),
    z
      .object({ kind: z.literal('MainNotRestarted'), container, exitCode })
      .describe(
        'a main ended and is due to be restarted, but the kubelet does not restart it, although its node is ready',
      ),
    z
      .object({
        kind: z.literal('ProxyEndedFirst'),
        container,
        main: z.string().describe('the name of the main'),
      })
      .describe('the proxy through which a main connects has ended, but the main is still running'),
    z
      .object({
        kind: z.literal('NativeSidecarRunsOn'),
        container,
        graceMs: z.int().describe('the grace period of the pod, in milliseconds'),
      })
      .describe(
        'all mains have ended, but a native sidecar is still running; the kubelet waits for it until the grace period is over',
      ),
  ])
  .describe(
    'why a pod hangs for a reason that a sweep does not cure; docs/reasons/<kind>.md explains what it means and what to do',
  );
export type Hang = Value<typeof hang>;
