import { expect, it } from 'vitest';
import { stepSpec } from '../../../src/methods/index.ts';
import { noopImages } from '../../../src/policy/policy.ts';

const spec = (image: string) => stepSpec.parse({ imageSwap: { image } });

it('the no-op images of a policy are those of its swap and of its last resort', () => {
  expect(noopImages({ swap: undefined, lastResort: [] })).toEqual([]);
  const lastResort = [stepSpec.parse({ delete: true }), spec('late:1')];
  expect(noopImages({ swap: spec('early:1'), lastResort })).toEqual(['early:1', 'late:1']);
});
