import type { KubeObject } from '../../world/objects.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../call.ts';
import { matchesLabelSelector } from '../read/selectors.ts';
import { apiVersionOf, isTrue, resources } from '../resources.ts';
import { forbidden, StatusError } from '../status.ts';
import {
  Authorizer,
  celObject,
  celValue,
  compile,
  ExpressionFailed,
  evaluate,
  type Variables,
} from './cel.ts';
import {
  admissionRequest,
  matches,
  type Policy,
  type PolicyBinding,
  type Validation,
  type Write,
  writeOf,
} from './requests.ts';

const codes: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

/** Enforces the stored ValidatingAdmissionPolicies, after validation and before the store. Refuses by throwing. */
export function enforcePolicies(write: Write): void {
  const { call } = write;
  // Policies cannot lock out the administrator who repairs them.
  if (call.resource.group === 'admissionregistration.k8s.io') return;
  const bindings = call.backend.store.list<PolicyBinding>('validatingadmissionpolicybindings');
  for (const binding of bindings) {
    const name = binding.spec.policyName;
    const policy = call.backend.store.get<Policy>('validatingadmissionpolicies', undefined, name);
    if (!policy || !matches(write, policy.spec.matchConstraints)) continue;
    if (!matches(write, binding.spec.matchResources)) continue;
    for (const params of paramsOf(policy, binding, write)) {
      for (const violation of violationsOf(policy, write, params)) act(write, policy, binding, violation);
    }
  }
}

/** Admits an exec or a port-forward as the operation CONNECT, whose object is the options in its query. */
export function admitted(connect: (call: Call) => Answer): (call: Call) => Answer {
  return (call) => {
    const { info, resource, request } = call;
    const { query } = request;
    const kind = resource.subresources.find(({ name }) => name === info.subresource)?.kind ?? '';
    const streams = ['stdin', 'stdout', 'stderr', 'tty'];
    const options = {
      kind,
      apiVersion: 'v1',
      ...Object.fromEntries(streams.map((name) => [name, isTrue(query.get(name))])),
      ...(query.has('container') ? { container: query.get('container') } : {}),
      ...(query.has('command') ? { command: query.getAll('command') } : {}),
      ...(query.has('ports') ? { ports: query.getAll('ports').map(Number) } : {}),
    };
    const object = options as unknown as KubeObject;
    const write = writeOf(call, 'CONNECT', { dryRun: false });
    enforcePolicies({ ...write, kind: { group: '', version: 'v1', kind }, object });
    return connect(call);
  };
}

function act(write: Write, policy: Policy, binding: PolicyBinding, { message, reason }: Violation): void {
  const { validationActions = ['Deny'] } = binding.spec;
  const by = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}'`;
  if (validationActions.includes('Warn')) write.call.warn(`Validation failed for ${by}: ${message}`);
  if (!validationActions.includes('Deny')) return;
  const why = `${by} denied request: ${message}`;
  const { message: text = '', details = {} } = forbidden(write.call.resource, write.name, why).status;
  throw new StatusError(codes[reason] ?? 422, reason, text, {
    details: { ...details, causes: [{ message: why }] },
  });
}

/** The parameters with which the policy is evaluated, one after the other. */
function paramsOf({ spec, metadata }: Policy, binding: PolicyBinding, { call }: Write) {
  const { paramKind } = spec;
  const { paramRef } = binding.spec;
  if (!paramKind || !paramRef) return [null];
  const resource = resources.find(
    (each) => each.kind === paramKind.kind && apiVersionOf(each) === paramKind.apiVersion,
  );
  if (!resource) throw new Error(`the emulator does not serve the paramKind of the policy ${metadata.name}`);
  const namespace = resource.namespaced ? (paramRef.namespace ?? call.info.namespace) : undefined;
  const found = call.backend.store
    .list(resource.resource, namespace)
    .filter(({ metadata: { name, labels = {} } }) =>
      paramRef.name === undefined ? matchesLabelSelector(paramRef.selector, labels) : name === paramRef.name,
    );
  if (found.length > 0 || paramRef.parameterNotFoundAction === 'Allow') return found;
  throw new Error(`the emulator found no params for the policy ${metadata.name}`);
}

type Violation = Readonly<Record<'message' | 'reason', string>>;

function violationsOf(policy: Policy, write: Write, params: KubeObject | null): readonly Violation[] {
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
function compileAll({ spec }: Policy): void {
  const { matchConditions = [], variables = [], validations = [] } = spec;
  const messages = validations.flatMap(({ messageExpression }) => messageExpression ?? []);
  const all = [...matchConditions, ...variables, ...validations].map(({ expression }) => expression);
  for (const expression of [...all, ...messages]) compile(expression);
}

export function variablesOf(
  { spec }: Pick<Policy, 'spec'>,
  write: Write,
  params: KubeObject | null,
): Variables {
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
    const get = () => {
      const evaluation = evaluate(expression, all);
      if (evaluation.kind === 'Error') throw new ExpressionFailed(evaluation.message);
      return evaluation.value;
    };
    Object.defineProperty(composed, name, { enumerable: true, get });
  }
  return all;
}

export function holds(expression: string, variables: Variables): boolean | { readonly error: string } {
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
