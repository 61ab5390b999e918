import * as z from 'zod';
import type { Value } from './value.ts';

export const heldReason = z
  .enum([
    'KnownUnclean',
    'AlreadyUnclean',
    'CanaryEndedUnclean',
    'CanaryNotEnded',
    'EarlierUnclean',
    'PromiseBroken',
    'Forbidden',
    'NobodyGoesFirst',
    'ManyEndedUnclean',
    'NoRoomInJob',
    'NoopDoesNotStart',
  ])
  .describe('why a step was held: it could make finished work run again or harm its pod');
export type HeldReason = Value<typeof heldReason>;
