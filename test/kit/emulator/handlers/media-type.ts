import type { Encoding } from './answer.ts';
import { StatusError } from './status.ts';

/** The form in which a client wants objects. */
export type Form = 'Object' | 'Table' | 'PartialObjectMetadata';

interface Serves {
  readonly protobuf: boolean;
}

const protobuf = 'application/vnd.kubernetes.protobuf';
const json: readonly string[] = ['application/json', 'application/*', '*/*'];

/**
 * Reads `Accept`: the first supported form, in the client's order.
 * @param serves Whether there is a protobuf form. The real server has it of everything, the emulator of pods.
 */
export function readForm(accept: string | undefined): Form;
export function readForm(accept: string | undefined, serves: Serves): Form | 'Protobuf';
export function readForm(accept: string | undefined, serves?: Serves): Form | 'Protobuf' {
  if (accept === undefined || accept === '') return 'Object';
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (type === protobuf && parameters.length === 0 && serves?.protobuf) return 'Protobuf';
    if (!json.includes(type)) continue;
    const given = Object.fromEntries(parameters.map((parameter) => parameter.split('=')));
    const as = given['as'];
    if (as === undefined) return 'Object';
    if (given['g'] !== 'meta.k8s.io' || given['v'] !== 'v1') continue;
    if (as === 'Table') return 'Table';
    if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return 'PartialObjectMetadata';
  }
  throw new StatusError(
    406,
    'NotAcceptable',
    '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
    { details: {} },
  );
}

/** The encoding of a refusal: JSON if the client accepts nothing that is served. */
export function readEncoding(accept = ''): Encoding {
  const wanted = accept.split(',').map((range) => range.trim());
  const first = wanted.find((type) => type === protobuf || json.includes(type.split(';')[0] ?? ''));
  return first === protobuf ? 'Protobuf' : 'Json';
}
