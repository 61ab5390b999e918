import { expect, it } from 'vitest';
import { protobufOf } from '../../kit/emulator/index.ts';
import { readRecording } from '../../kit/replay/recording.ts';

const [json, protobuf, either, notFound] = readRecording('list-protobuf.json').exchanges ?? [];
const base64Of = (object: unknown) => Buffer.concat([...protobufOf(object as object)]).toString('base64');

it('the recorded list of pods is, byte for byte, the recorded protobuf of the same page', () => {
  expect(base64Of(json?.body)).toBe(protobuf?.bodyBase64);
  expect(either?.bodyBase64).toBe(protobuf?.bodyBase64);
});

it('the status in the recorded JSON is, byte for byte, the recorded protobuf', () => {
  const [refusal] = readRecording('get-pod-not-found.json').exchanges ?? [];
  expect(base64Of(refusal?.body)).toBe(notFound?.bodyBase64);
});

it('a field that the table lacks is an error, at any depth', () => {
  const pod = (spec: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: {}, spec, status: {} });
  expect(() => protobufOf(pod({ nosuch: 1 }))).toThrow('PodSpec has no field nosuch');
  const volumes = [{ name: 'v', configMap: { name: 'c', nosuch: true } }];
  expect(() => protobufOf(pod({ volumes }))).toThrow(
    'PodSpec.volumes: Volume.volumeSource: VolumeSource.configMap: ConfigMapVolumeSource has no field nosuch',
  );
  expect(() => protobufOf(pod({ volumes: [{ name: 'v', nosuch: {} }] }))).toThrow(
    'Volume has no field nosuch',
  );
  expect(() => protobufOf({ ...pod({}), nosuch: {} })).toThrow('Pod has no field nosuch');
});

it('a value of another type is an error', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 1 }] } };
  expect(() => protobufOf(pod)).toThrow('PodSpec.containers: Container.name: 1 is not a string');
});
