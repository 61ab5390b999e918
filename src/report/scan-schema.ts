import * as z from 'zod';
import { container, image, list, object, type Value } from '../model/schema.ts';
import { evidence, remark } from '../model/verdict.ts';
import { apiVersion, endedMain, found, stuckPod, totals } from './schema.ts';

const sidecar = z.object({ name: container, image, because: evidence });

const candidate = stuckPod
  .extend({
    mains: z.array(endedMain),
    sidecars: list('the sidecars that keep it from ending', sidecar),
    remarks: z.array(remark),
  })
  .describe('a pod that a sweep would act on');

export const scan = object('The pods that are stuck', {
  apiVersion,
  kind: z.literal('Scan'),
  ...found,
  totals,
  candidates: z.array(candidate),
});

export type Scan = Value<typeof scan>;
export type StuckPod = Value<typeof candidate>;
