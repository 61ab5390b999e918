import type { KubeObject } from '../../world/objects.ts';
import { admissionRequest, type Write } from './admission.ts';
import {
  Authorizer,
  celObject,
  celValue,
  compile,
  type Evaluation,
  ExpressionFailed,
  evaluate,
  type Variables,
} from './cel.ts';
import type { Policy, Validation } from './policies.ts';

/** A validation that does not hold. */
export interface Violation {
  readonly message: string;
  readonly reason: string;
}

/** What a policy has against a write, with one of its parameters, or none. */
export function violationsOf(policy: Policy, write: Write, params: KubeObject | null): readonly Violation[] {
  const { matchConditions = [], validations = [], failurePolicy = 'Fail' } = policy.spec;
  compileAll(policy);
  const variables = variablesOf(policy, write, params);
  const failure = (message: string) => (failurePolicy === 'Fail' ? [{ message, reason: 'Invalid' }] : []);

  const conditions = matchConditions.map(({ expression }) => holds(expression, variables));
  if (conditions.includes(false)) return [];
  const failed = conditions.find((each) => typeof each === 'object');
  if (failed) return failure(failed.error);
  return validations.flatMap((validation) => {
    const verdict = holds(validation.expression, variables);
    if (typeof verdict === 'object') return failure(verdict.error);
    return verdict ? [] : [violation(validation, variables)];
  });
}

/** Fails before anything is decided if any part of the policy is beyond the emulator. */
function compileAll({ metadata, spec }: Policy): void {
  const { matchConditions = [], variables = [], validations = [], auditAnnotations = [] } = spec;
  if (auditAnnotations.length > 0) {
    throw new Error(`the emulator does not evaluate the auditAnnotations of the policy ${metadata.name}`);
  }
  for (const { expression } of [...matchConditions, ...variables, ...validations]) compile(expression);
  for (const { messageExpression } of validations) if (messageExpression) compile(messageExpression);
}

function variablesOf({ spec }: Policy, write: Write, params: KubeObject | null): Variables {
  const { call, object, oldObject } = write;
  const { namespace } = call.info;
  const namespaceObject =
    namespace === '' ? null : call.backend.store.get('namespaces', undefined, namespace);
  const composed = {};
  const all: Variables = {
    object: celObject(object),
    oldObject: celObject(oldObject),
    request: celValue(admissionRequest(write)),
    params: celObject(params),
    namespaceObject: celObject(namespaceObject ?? null),
    variables: composed,
    authorizer: new Authorizer(call),
  };
  // A variable is evaluated if it is used, and fails where it is used.
  for (const { name, expression } of spec.variables ?? []) {
    Object.defineProperty(composed, name, {
      enumerable: true,
      get: () => used(evaluate(expression, all)),
    });
  }
  return all;
}

function used(evaluation: Evaluation): unknown {
  if (evaluation.kind === 'Value') return evaluation.value;
  throw new ExpressionFailed(evaluation.message);
}

function holds(expression: string, variables: Variables): boolean | { readonly error: string } {
  const evaluation = evaluate(expression, variables);
  if (evaluation.kind === 'Error') return { error: evaluation.message };
  if (typeof evaluation.value === 'boolean') return evaluation.value;
  throw new Error(`the CEL expression ${expression} must be a bool`);
}

function violation(
  { expression, message, messageExpression, reason = 'Invalid' }: Validation,
  variables: Variables,
): Violation {
  const composed = messageExpression ? evaluate(messageExpression, variables) : undefined;
  const text = composed?.kind === 'Value' && typeof composed.value === 'string' ? composed.value.trim() : '';
  // A message that cannot be composed, or that is empty or of several lines, is replaced.
  const usable = text !== '' && !text.includes('\n') ? text : undefined;
  return { message: usable ?? message ?? `failed expression: ${expression}`, reason };
}
