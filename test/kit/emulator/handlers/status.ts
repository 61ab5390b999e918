/** The object that an API server returns with a refusal, and after some deletes. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
}

interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly {
    readonly reason?: string;
    readonly message: string;
    readonly field?: string;
  }[];
  readonly retryAfterSeconds?: number;
}

interface StatusOptions {
  readonly details?: StatusDetails;
  readonly continueToken?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal that a handler throws. It is answered with its code, as JSON or as protobuf. */
export class StatusError extends Error {
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: number, reason: string, message: string, options: StatusOptions = {}) {
    super(message);
    this.headers = options.headers ?? {};
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: options.continueToken === undefined ? {} : { continue: options.continueToken },
      status: 'Failure',
      ...(message === '' ? {} : { message }),
      reason,
      ...(options.details ? { details: options.details } : {}),
      code,
    };
  }
}

/** How Kubernetes names a resource in messages and details: `jobs` of `batch`. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

function qualifiedName({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function detailsOf(resource: GroupResource, name?: string): StatusDetails {
  return {
    ...(name === undefined ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.resource,
  };
}

export function notFound(resource: GroupResource, name: string): StatusError {
  const message = `${qualifiedName(resource)} "${name}" not found`;
  return new StatusError(404, 'NotFound', message, { details: detailsOf(resource, name) });
}

export function alreadyExists(resource: GroupResource, name: string): StatusError {
  const message = `${qualifiedName(resource)} "${name}" already exists`;
  return new StatusError(409, 'AlreadyExists', message, { details: detailsOf(resource, name) });
}

export function conflict(resource: GroupResource, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualifiedName(resource)} "${name}": ${why}`;
  return new StatusError(409, 'Conflict', message, { details: detailsOf(resource, name) });
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

export function methodNotAllowed(): StatusError {
  const message = 'the server does not allow this method on the requested resource';
  return new StatusError(405, 'MethodNotAllowed', message, { details: {} });
}

export function noSuchPath(): StatusError {
  const message = 'the server could not find the requested resource';
  return new StatusError(404, 'NotFound', message, { details: {} });
}

export function forbidden(
  resource: GroupResource,
  name: string | undefined,
  why: string,
  headers: Readonly<Record<string, string>> = {},
): StatusError {
  const subject = name ? `${qualifiedName(resource)} "${name}"` : qualifiedName(resource);
  const details = detailsOf(resource, name || undefined);
  return new StatusError(403, 'Forbidden', `${subject} is forbidden: ${why}`, { details, headers });
}

/** What may be wrong with a field, in the words of the server. */
const fieldErrors = {
  Required: 'Required value',
  Invalid: 'Invalid value',
  Forbidden: 'Forbidden',
  NotFound: 'Not found',
  Duplicate: 'Duplicate value',
  TooLong: 'Too long',
  NotSupported: 'Unsupported value',
};

export interface FieldProblem {
  readonly field: string;
  readonly reason: `FieldValue${keyof typeof fieldErrors}`;
  readonly message: string;
}

export function fieldError(type: keyof typeof fieldErrors, field: string, detail?: string): FieldProblem {
  const words = fieldErrors[type];
  return {
    field,
    reason: `FieldValue${type}`,
    message: detail === undefined ? words : `${words}: ${detail}`,
  };
}

export function invalid(
  kind: string,
  group: string,
  name: string,
  problems: readonly FieldProblem[],
): StatusError {
  const texts = problems.map((problem) => `${problem.field}: ${problem.message}`);
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const subject = group === '' ? kind : `${kind}.${group}`;
  return new StatusError(422, 'Invalid', `${subject} "${name}" is invalid: ${list}`, {
    details: {
      name,
      ...(group === '' ? {} : { group }),
      kind,
      causes: problems.map(({ field, reason, message }) => ({ reason, message, field })),
    },
  });
}
