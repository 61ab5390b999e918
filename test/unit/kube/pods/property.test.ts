import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pod } from '../../../../src/kube/pods/message.ts';
import { narrowPod } from '../../../../src/kube/pods/narrow.ts';
import { decode } from '../../../../src/kube/pods/protobuf.ts';
import { apiPod } from '../../../builders/api-pod.ts';
import { arbitraryApiPod } from '../../../builders/arbitrary-api-pod.ts';
import { podsAfter, podsBefore } from '../../../builders/recordings.ts';
import { protobufOf } from '../../../kit/emulator/index.ts';

/** A pod in which any part may be replaced with other JSON. */
const damagedPod: fc.Arbitrary<unknown> = fc
  .record({
    path: fc.constantFrom(
      ['metadata'],
      ['spec'],
      ['status'],
      ['metadata', 'name'],
      ['metadata', 'uid'],
      ['metadata', 'annotations'],
      ['metadata', 'ownerReferences'],
      ['metadata', 'finalizers'],
      ['spec', 'containers'],
      ['spec', 'initContainers'],
      ['spec', 'containers', '0'],
      ['spec', 'containers', '0', 'name'],
      ['spec', 'containers', '0', 'restartPolicyRules'],
      ['spec', 'containers', '1', 'image'],
      ['status', 'phase'],
      ['status', 'containerStatuses'],
      ['status', 'containerStatuses', '0'],
      ['status', 'containerStatuses', '0', 'name'],
      ['status', 'containerStatuses', '0', 'state'],
      ['status', 'containerStatuses', '0', 'lastState'],
      ['status', 'containerStatuses', '1', 'containerID'],
    ),
    value: fc.jsonValue(),
  })
  .map(({ path, value }) => replaceAt(JSON.parse(JSON.stringify(apiPod())), path, value));

function replaceAt(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(target))
    return target.map((item, index) => (index === Number(key) ? replaceAt(item, rest, value) : item));
  const fields: Record<string, unknown> = { ...(target as object) };
  return { ...fields, [key]: replaceAt(fields[key], rest, value) };
}

it('neither arbitrary JSON nor a damaged pod makes the reader throw', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => void narrowPod(value)));
  fc.assert(
    fc.property(damagedPod, (value) => {
      const pod = narrowPod(value);
      if ('problem' in pod) expect(pod.problem).not.toBe('');
      else for (const { name } of pod.containers) expect(name).toMatch(/./);
    }),
    { numRuns: 1_000 },
  );
});

/** The facts about a pod that the emulator encodes. */
function throughProtobuf(apiPod: object): unknown {
  const bytes = Buffer.concat([...protobufOf({ ...apiPod, apiVersion: 'v1', kind: 'Pod' })]);
  // The magic, the type with its tag, and the tag of the pod, whose length comes next.
  const start = 4 + 2 + (bytes[5] ?? 0) + 1;
  return narrowPod(decode(pod, bytes.subarray(start)));
}

describe('a pod in protobuf has the same facts as in JSON', () => {
  it('whatever is in it', () => {
    const property = fc.property(arbitraryApiPod, (apiPod) => {
      expect(throughProtobuf(apiPod)).toEqual(narrowPod(apiPod));
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  it.each([...podsBefore(), ['pods-after', podsAfter()] as const])('in %s', (_recording, recorded) => {
    const pods = [recorded].flat();
    expect(pods.map((each) => throughProtobuf(Object(each)))).toEqual(pods.map(narrowPod));
  });
});
