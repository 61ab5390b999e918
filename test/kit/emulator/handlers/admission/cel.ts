import { isDeepStrictEqual } from 'node:util';
import { Environment, EvaluationError, type Optional } from '@marcbachmann/cel-js';
import { Authorizer, AuthorizerDecision, PathCheck, ResourceCheck } from './authorizer.ts';

/** The variables of an expression in a policy. */
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
  const { valid, error } = environment.check(expression);
  if (!valid) throw cannot(expression, error);
  const run = environment.parse(expression);
  compiled.set(expression, run);
  return run;
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
  .registerType('Decision', AuthorizerDecision)
  .registerType('PathCheck', PathCheck)
  .registerType('ResourceCheck', ResourceCheck)
  .registerType('Authorizer', { ctor: Authorizer, fields: { requestResource: 'ResourceCheck' } })
  .registerVariable('authorizer', 'Authorizer')
  .registerFunction('Authorizer.group(string): ResourceCheck', (on: Authorizer, group: string) =>
    on.group(group),
  )
  .registerFunction('Authorizer.path(string): PathCheck', (on: Authorizer, path: string) => on.path(path))
  .registerFunction(
    'Authorizer.serviceAccount(string, string): Authorizer',
    (on: Authorizer, namespace: string, name: string) => on.serviceAccount(namespace, name),
  )
  .registerFunction('ResourceCheck.check(string): Decision', (on: ResourceCheck, verb: string) =>
    on.check(verb),
  )
  .registerFunction('PathCheck.check(string): Decision', (on: PathCheck, verb: string) => on.check(verb))
  .registerFunction('Decision.allowed(): bool', (decision: AuthorizerDecision) => decision.allowed())
  .registerFunction('Decision.reason(): string', (decision: AuthorizerDecision) => decision.reason());
for (const part of ['resource', 'subresource', 'namespace', 'name']) {
  environment.registerFunction(
    `ResourceCheck.${part}(string): ResourceCheck`,
    (on: ResourceCheck, word: string) => on.with({ [part]: word }),
  );
}
for (const name of ['object', 'oldObject', 'request', 'params', 'namespaceObject', 'variables']) {
  environment.registerVariable(name, 'dyn');
}
