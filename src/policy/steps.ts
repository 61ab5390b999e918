import * as z from 'zod';
import { parseDuration } from '../duration.ts';

/** How a step of a profile or a policy is written down. The same words serve the catalogue and every policy file. */

export const duration = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, 'write a duration such as 90s, 5m or 1h30m')
  .transform((text) => parseDuration(text) ?? 0)
  .describe('a duration such as 90s, 5m or 1h30m');

/** Something a pod shows by itself. */
const sign = z
  .union([
    z.strictObject({
      annotation: z.string().describe('an annotation of the pod'),
      value: z.string().optional().describe('its value; any, if left out'),
    }),
    z.strictObject({
      argument: z.string().describe('an argument of the container, as in --quitquitquit'),
      value: z.string().optional(),
    }),
    z.strictObject({
      env: z.string().describe('an environment variable of the container'),
      value: z.string().optional(),
    }),
  ])
  .describe('what the pod shows');

const port = z
  .union([
    z.int().min(1).max(65_535),
    z.strictObject({
      annotation: z.string().optional(),
      argument: z.string().optional(),
      env: z.string().optional(),
      default: z.int().min(1).max(65_535).optional(),
    }),
  ])
  .describe('a number, or where the pod tells it; "0" there means that the endpoint is off');

const http = z
  .strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).default('POST'),
    port,
    path: z.string().startsWith('/'),
    headers: z.record(z.string(), z.string()).optional(),
    statuses: z
      .array(z.int().min(100).max(599))
      .optional()
      .describe('the answers that mean yes; any 2xx, if left out'),
  })
  .describe("a request to a port of the pod's loopback, through port-forward");

const signalName = z.enum(['TERM', 'INT', 'QUIT', 'HUP', 'USR1', 'USR2', 'KILL']);

const common = {
  exitCode: z
    .int()
    .min(0)
    .max(255)
    .optional()
    .describe('with which code the sidecar then ends; left out: not known'),
  grace: duration.optional().describe("how long it may take; the pod's own grace period, if left out"),
  when: z.array(sign).min(1).optional().describe('only if the pod shows one of these'),
  unless: z.array(sign).min(1).optional().describe('not if the pod shows one of these'),
};

const imageSwap = z
  .strictObject({
    image: z.string().min(1).describe('an image whose every program exits 0'),
    commands: z
      .array(z.string())
      .optional()
      .describe('programs that the image has; a container that sets another command is warned of'),
  })
  .describe('the image is replaced by one that does nothing; the kubelet ends the container itself');

const ephemeralContainer = z
  .strictObject({
    image: z.string().min(1),
    command: z.array(z.string().min(1)).min(1).default(['/bin/sh', '-c', 'kill -15 1']),
  })
  .describe("a container of its own in the sidecar's PID namespace");

export const stepSpec = z.union([
  z.strictObject({ http, ...common }),
  z.strictObject({
    command: z
      .array(z.string().min(1))
      .min(1)
      .max(64)
      .describe('run in the container; %d stands for the number of the signal'),
    ...common,
  }),
  z.strictObject({
    signal: z
      .array(signalName)
      .min(1)
      .describe("the first of these that the container's process catches is sent"),
    ...common,
  }),
  z.strictObject({
    tombstone: z
      .strictObject({
        path: z
          .string()
          .regex(/^(?:\/|\$\()/, 'write an absolute path')
          .describe(
            '$(NAME) stands for a variable of the container; one that lists names with commas makes a file for each',
          ),
        content: z.string().default(''),
      })
      .describe('a file that is written in the container'),
    ...common,
  }),
  z.strictObject({ imageSwap, ...common }),
  z.strictObject({ ephemeralContainer, ...common }),
  z.strictObject({ deadline: z.literal(true).describe('activeDeadlineSeconds 1: the pod fails'), ...common }),
  z.strictObject({ evict: z.literal(true).describe('the pod is deleted, if its budget allows'), ...common }),
  z.strictObject({ delete: z.literal(true).describe('the pod is deleted'), ...common }),
]);

/** What an annotation may ask for. */
export const stepList = z.array(stepSpec).min(1).max(16);

export const profile = z.strictObject({
  name: z.string().min(1),
  containers: z
    .array(z.string().min(1).max(256))
    .min(1)
    .describe('names of containers; * stands for anything'),
  images: z
    .array(z.string().min(1).max(256))
    .min(1)
    .describe('repositories, compared from the end of the path: istio/proxyv2 in any registry, with any tag'),
  shows: z.array(sign).min(1).optional().describe('and only if the pod shows one of these'),
  steps: z
    .array(stepSpec)
    .describe('in this order; before them comes a kill command of the pod, after them signals'),
  notes: z.string().optional().describe('what differs between versions'),
  source: z.string().optional().describe('where this is from'),
});

export type StepSpec = z.output<typeof stepSpec>;
export type Sign = z.output<typeof sign>;
export type PortSpec = z.output<typeof port>;
export type Profile = z.output<typeof profile>;
export type ProfileInput = z.input<typeof profile>;
