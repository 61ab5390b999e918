import { podListBytes } from '../builders/api-pod.ts';
import { readRecording } from '../builders/recordings.ts';

const [inJson, inProtobuf] = readRecording('list-protobuf').exchanges ?? [];
const page = Object(inJson?.body);

export const recorded = Buffer.from(inProtobuf?.bodyBase64 ?? '', 'base64');

export const { items }: { readonly items: readonly { readonly metadata: { readonly uid: string } }[] } = page;
export const uids = items.map(({ metadata }) => metadata.uid);

export const listOf = (list: readonly unknown[] = items, metadata: object = { resourceVersion: '474' }) =>
  podListBytes(list, metadata);

export const whole = listOf();
