import { isDeepStrictEqual } from 'node:util';
import { Environment, EvaluationError, type Optional } from '@marcbachmann/cel-js';
import type { KubeObject } from '../../world/objects.ts';
import { authorize } from '../access.ts';
import type { Call } from '../call.ts';
import { noResource, type ResourceInfo } from '../resources.ts';

/** The CEL variable `authorizer`: https://pkg.go.dev/k8s.io/apiserver/pkg/cel/library#Authz */
export class Authorizer {
  constructor(readonly call: Call) {}
}

class ResourceCheck {
  constructor(
    readonly call: Call,
    readonly info: ResourceInfo,
  ) {}
}

class Decision {
  constructor(readonly isAllowed: boolean) {}
}

/** An object as CEL sees it: whole numbers are int, and what the API's types leave out if empty is absent. */
export function celObject(object: KubeObject | null): unknown {
  if (!object?.metadata) return celValue(object);
  const { labels, annotations, finalizers, ownerReferences, ...metadata } = object.metadata;
  const omittedIfEmpty = { labels, annotations, finalizers, ownerReferences };
  const present = Object.entries(omittedIfEmpty).filter(([, value]) => Object.keys(value ?? {}).length > 0);
  return celValue({ ...object, metadata: { ...metadata, ...Object.fromEntries(present) } });
}

export function celValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celValue);
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== undefined && inner !== null);
  return Object.fromEntries(present.map(([key, inner]) => [key, celValue(inner)]));
}

export interface Variables {
  readonly object: unknown;
  readonly oldObject: unknown;
  readonly request: unknown;
  readonly params: unknown;
  readonly namespaceObject: unknown;
  readonly variables: object;
  readonly authorizer: Authorizer;
}

export type Evaluation =
  | { readonly kind: 'Value'; readonly value: unknown }
  /** An error that a server has, too, such as a missing key: the policy's failurePolicy decides. */
  | { readonly kind: 'Error'; readonly message: string };

/**
 * Evaluates an expression. One that this library of CEL cannot evaluate is an error of the emulator, which
 * no failurePolicy hides: it must not look like a policy that allows or refuses.
 */
export function evaluate(expression: string, variables: Variables): Evaluation {
  const run = compile(expression);
  try {
    return { kind: 'Value', value: run({ ...variables }) };
  } catch (error) {
    const why = ordinary(error);
    if (why === undefined) throw cannot(expression, error);
    return { kind: 'Error', message: `expression '${expression}' resulted in error: ${why}` };
  }
}

/** What a variable of a policy throws where it is used. */
export class ExpressionFailed extends Error {}

/** The message of an error that a server has, too; undefined for any other. */
function ordinary(error: unknown): string | undefined {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof ExpressionFailed) return cause.message;
  return error instanceof EvaluationError && !notHere.test(error.code) ? error.summary : undefined;
}

/** Codes of functions, operators and variables that the library does not have. */
const notHere = /overload|unknown_variable/;

const compiled = new Map<string, ReturnType<Environment['parse']>>();

/** Checks the types of an expression once; throws if it names anything unknown. */
export function compile(expression: string): ReturnType<Environment['parse']> {
  const known = compiled.get(expression);
  if (known) return known;
  const text = withMaps(expression);
  const { valid, error } = environment.check(text);
  if (!valid) throw cannot(expression, error);
  const run = environment.parse(text);
  compiled.set(expression, run);
  return run;
}

/** The library has no messages, so that `JSONPatch{op: "add"}` becomes the map `{"op": "add"}`. */
function withMaps(expression: string): string {
  return expression.replace(
    /JSONPatch\{((?:"[^"]*"|'[^']*'|\{[^{}]*\}|[^{}"'])*)\}/g,
    (_message, fields: string) => {
      const map = fields.replace(
        /("[^"]*"|'[^']*')|(\w+)(?=\s*:)/g,
        (_part, text, field) => text ?? `"${field}"`,
      );
      return `{${map}}`;
    },
  );
}

function cannot(expression: string, error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error);
  return new Error(`the emulator cannot evaluate the CEL expression ${expression}: ${why}`);
}

const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
  // Kubernetes compares optional values by their contents.
  .registerOperator('optional == optional', (one: Optional, other: Optional) =>
    isDeepStrictEqual(one.orValue(null), other.orValue(null)),
  )
  // https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-list-library
  .registerFunction('list.indexOf(dyn): int', (list: readonly unknown[], wanted: unknown) =>
    BigInt(list.findIndex((each) => isDeepStrictEqual(each, wanted))),
  )
  .registerType('Decision', Decision)
  .registerType('ResourceCheck', ResourceCheck)
  .registerType('Authorizer', Authorizer)
  .registerVariable('authorizer', 'Authorizer')
  .registerFunction(
    'Authorizer.group(string): ResourceCheck',
    ({ call }: Authorizer, group: string) => new ResourceCheck(call, { ...noResource, group }),
  )
  .registerFunction(
    'ResourceCheck.check(string): Decision',
    ({ call, info }: ResourceCheck, verb: string) =>
      new Decision(authorize(call.backend.store, call.user, { ...info, verb }).allowed),
  )
  .registerFunction('Decision.allowed(): bool', ({ isAllowed }: Decision) => isAllowed);
for (const part of ['resource', 'subresource', 'namespace', 'name']) {
  environment.registerFunction(
    `ResourceCheck.${part}(string): ResourceCheck`,
    ({ call, info }: ResourceCheck, word: string) => new ResourceCheck(call, { ...info, [part]: word }),
  );
}
for (const name of ['object', 'oldObject', 'request', 'params', 'namespaceObject', 'variables']) {
  environment.registerVariable(name, 'dyn');
}
