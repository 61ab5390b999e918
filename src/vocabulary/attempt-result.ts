import * as z from 'zod';
import { message, milliseconds } from '../fields.ts';
import { heldReason } from './held-reason.ts';
import type { Value } from './value.ts';

/** The result of one request. Only a read of the pod shows what became of the container. */
export const attemptResult = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('Accepted'), message: message.optional() })
      .describe('the request succeeded, which does not prove that anything ended'),
    z
      .object({ kind: z.literal('Failed'), message })
      .describe('the command ran and exited with a code other than 0'),
    z
      .object({
        kind: z.literal('Unconfirmed'),
        message,
        unopened: z
          .literal(true)
          .optional()
          .describe('the connection broke before it was opened, so that most likely nothing arrived'),
      })
      .describe('it may or may not have arrived, and may have ended the container; the pod shows which'),
    z
      .object({ kind: z.literal('NotThere'), message })
      .describe("the container was not found running; the pod's status may show this only later"),
    z.object({ kind: z.literal('Refused'), message }).describe('a permission is missing'),
    z
      .object({ kind: z.literal('NoSuchProgram'), program: z.string().describe('the program'), message })
      .describe('the image does not have this program'),
    z
      .object({ kind: z.literal('Unsupported'), message })
      .describe('the sidecar, the node or the API server does not support this'),
    z
      .object({ kind: z.literal('Immune'), message })
      .describe('no signal can affect the process, so none was sent'),
    z.object({ kind: z.literal('Held'), reason: heldReason }).describe('not sent, to protect finished work'),
    z
      .object({
        kind: z.literal('Busy'),
        message,
        retryAfterMs: milliseconds
          .optional()
          .describe('how long it asked to wait, in milliseconds; missing if it did not say'),
      })
      .describe('the API server asked to try again later'),
    z
      .object({
        kind: z.literal('Undelivered'),
        message,
        noUpgrade: z
          .literal(true)
          .optional()
          .describe(
            'every try was answered with a refusal to upgrade the connection; a step that needs no upgrade may follow',
          ),
      })
      .describe('the request did not arrive'),
  ])
  .describe('the result of one request');
export type AttemptResult = Value<typeof attemptResult>;
