import type { Answer } from '../handlers/answer.ts';
import { failure } from '../handlers/api.ts';
import { jsonOf } from './json.ts';
import type { Pieces } from './pieces.ts';
import { protobufOf } from './protobuf/encode.ts';

/** An answer whose object has become bytes. */
export type EncodedAnswer = Exclude<Answer, { kind: 'Object' }> | EncodedObject;

interface EncodedObject {
  readonly kind: 'Body';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Pieces;
}

export function encode(answer: Extract<Answer, { kind: 'Object' }>): EncodedAnswer {
  const { status, headers, encoding, object } = answer;
  try {
    switch (encoding) {
      case 'Json':
        return { kind: 'Body', status, headers, body: jsonOf(object) };
      case 'Protobuf':
        return { kind: 'Body', status, headers, body: protobufOf(object) };
    }
  } catch (error) {
    return failure(error);
  }
}
