import { StatusError } from './status.ts';

/** The form in which a client wants objects. */
export type Form = 'Object' | 'Table' | 'PartialObjectMetadata';

/** Reads `Accept`: the first supported form, in the client's order. */
export function readForm(accept: string | undefined): Form {
  if (accept === undefined || accept === '') return 'Object';
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (!['application/json', 'application/*', '*/*'].includes(type)) continue;
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
    'only the following media types are accepted: application/json',
  );
}
