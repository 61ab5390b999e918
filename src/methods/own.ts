import * as z from 'zod';
import type { AttemptResult } from '../model/outcome.ts';
import { printable } from '../printable.ts';
import { defineMethod, type StepCommon, specCommon } from './method.ts';
import type { RbacRule } from './permissions.ts';

/** What a library's user says of a method of their own; the step carries all of it, so that plans stay plain data. */
const ownMethod = z.strictObject({
  name: z.string().min(1).describe('the name under which `ownSenders` has its sender'),
  does: z.string().min(1).describe('the step in words'),
  rbac: z.array(
    z.strictObject({
      apiGroups: z.array(z.string()),
      resources: z.array(z.string()),
      verbs: z.array(z.string()),
    }),
  ),
});

export interface OwnStep extends StepCommon {
  readonly method: 'Own';
  readonly own: z.output<typeof ownMethod>;
}

/** A method that the library's user brings along. It ends one container; policy files cannot ask for it. */
export const own = defineMethod({
  name: 'Own',
  flag: 'own',
  ends: 'Container',
  rbac: [] as readonly RbacRule[],
  price: '',
  written: z
    .strictObject({ own: ownMethod, ...specCommon })
    .transform((spec) => ({ method: 'Own' as const, ...spec })),
  whyUnfit: () => undefined,
  // An annotation is read like a policy file, which cannot ask for it.
  isAdmitted: () => false,
  toSteps: (spec, common): readonly OwnStep[] => [{ ...common, method: 'Own', own: spec.own }],
  describeSpec: (spec) => spec.own.does,
  describe: (step) => step.own.does,
  async send(step, { cluster, pod, containers: [container], ownSenders, abort }): Promise<AttemptResult> {
    const { name } = step.own;
    const sender = Object.hasOwn(ownSenders, name) ? ownSenders[name] : undefined;
    if (!sender) return { kind: 'Unsupported', message: `nothing sends steps of the method ${name}` };
    try {
      return await sender({ cluster, pod, abort }, container);
    } catch (error) {
      // It may have sent something before it threw; the error stays this container's.
      const message = error instanceof Error ? error.message : String(error);
      return { kind: 'Unconfirmed', message: printable(`the method ${name} failed: ${message}`) };
    }
  },
});
