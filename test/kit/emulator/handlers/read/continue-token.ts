import { goJson } from '../go-json.ts';
import { badRequest, StatusError } from '../status.ts';

/** Where a list continues: its resourceVersion and the first key of the next page. */
export interface Continue {
  /** -1 means the current state, which is inconsistent with the earlier pages. */
  readonly resourceVersion: number;
  readonly start: string;
}

/** The token as in Kubernetes 1.36: JSON in unpadded base64. The key is the last one returned plus NUL. */
export function writeContinueToken({ resourceVersion, start }: Continue): string {
  const token = goJson({ v: 'meta.k8s.io/v1', rv: resourceVersion, start });
  return Buffer.from(token).toString('base64url');
}

/** Reads a token. An invalid one is a 400 with the message of Go's JSON decoder. */
export function readContinueToken(token: string): Continue {
  const illegal = /[^A-Za-z0-9_-]/.exec(token);
  if (illegal) {
    throw unreadable(`illegal base64 data at input byte ${illegal.index}`);
  }
  const bytes = Buffer.from(token, 'base64url');
  const parsed = parseToken(bytes);
  if (parsed.v !== 'meta.k8s.io/v1') {
    throw badRequest(
      `invalid continue token: continue key is not valid: server does not recognize this encoded version "${parsed.v}"`,
    );
  }
  if (typeof parsed.start !== 'string' || typeof parsed.rv !== 'number' || parsed.rv === 0) {
    throw unreadable('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  }
  return { resourceVersion: parsed.rv, start: parsed.start };
}

function parseToken(bytes: Buffer): { v?: unknown; rv?: unknown; start?: unknown } {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    const first = bytes[0];
    if (first === undefined) throw unreadable('unexpected end of JSON input');
    throw unreadable(`invalid character ${quoteByte(first)} looking for beginning of value`);
  }
}

/** A byte as Go quotes it: as it is if printable, otherwise like \u0081. */
function quoteByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[ -~¡-ÿ]/.test(character) ? `'${character}'` : `'\\u${byte.toString(16).padStart(4, '0')}'`;
}

function unreadable(why: string): StatusError {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}

/** 410: the history of the first page is compacted. Its token continues with an inconsistent list. */
export function expiredContinue({ start }: Pick<Continue, 'start'>): StatusError {
  return new StatusError(
    410,
    'Expired',
    'The provided continue parameter is too old to display a consistent list result. You can start a new list ' +
      'without the continue parameter, or use the continue token in this response to retrieve the remainder of ' +
      'the results. Continuing with the provided token results in an inconsistent list - objects that were ' +
      'created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    { continueToken: writeContinueToken({ resourceVersion: -1, start: start.replace(/^\//, '') }) },
  );
}
