import { readRecording } from '../builders/recordings.ts';
import { protobufOf } from '../kit/emulator/index.ts';

const [inJson, inProtobuf] = readRecording('list-protobuf').exchanges ?? [];
const page = Object(inJson?.body);

/** A page as a real API server sent it, in both forms; the list continues after it. */
export const recorded = {
  json: Buffer.from(JSON.stringify(page)),
  protobuf: Buffer.from(inProtobuf?.bodyBase64 ?? '', 'base64'),
};

const { items }: { readonly items: readonly { readonly metadata: { readonly uid: string } }[] } = page;
export const uids = items.map(({ metadata }) => metadata.uid);

/** A list with these items and metadata, and nothing after it. */
export const listOf = (list: readonly unknown[] = items, metadata: object = { resourceVersion: '474' }) => ({
  kind: 'PodList',
  apiVersion: 'v1',
  metadata,
  items: list,
});

/** The recorded pods, as a list that ends with them. */
export const whole = {
  json: Buffer.from(JSON.stringify(listOf())),
  protobuf: Buffer.concat([...protobufOf(listOf())]),
};
