import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Environment, type Optional } from '@marcbachmann/cel-js';
import { parseAllDocuments } from 'yaml';
import { folder } from './render.ts';

/** A write to a pod, as an admission policy sees it. */
export interface PodWrite {
  readonly operation: 'CREATE' | 'UPDATE';
  readonly object: object;
  /** Null on creation. */
  readonly oldObject: object | null;
  readonly username: string;
  readonly mayExec: boolean;
}

interface Rule {
  readonly expression: string;
  readonly message: string;
}

interface PolicySpec {
  readonly matchConstraints: {
    readonly resourceRules: readonly { readonly operations: readonly string[] }[];
  };
  readonly matchConditions: readonly Rule[];
  readonly validations: readonly Rule[];
}

/** The message of the first validation that refuses the write; undefined if the policy allows it. */
export function refusalOf(policy: string, { operation, object, oldObject, username, mayExec }: PodWrite) {
  const { matchConstraints, matchConditions, validations } = specOf(policy);
  if (!matchConstraints.resourceRules.some(({ operations }) => operations.includes(operation)))
    return undefined;
  const request = { namespace: 'demo', userInfo: { username } };
  const authorizer = new Authorizer(mayExec);
  const holds = ({ expression }: Rule) =>
    environment.evaluate(expression, { object, oldObject, request, authorizer }) === true;
  if (!matchConditions.every(holds)) return undefined;
  return validations.find((validation) => !holds(validation))?.message;
}

function specOf(policy: string): PolicySpec {
  const file = readFileSync(`${folder('policies')}/${policy}.yaml`, 'utf8');
  const documents = parseAllDocuments(file).map((document) => document.toJS());
  return documents.find(({ kind }) => kind === 'ValidatingAdmissionPolicy').spec;
}

/** The CEL variable `authorizer`, limited to one check: may the user exec into pods of the namespace? */
class Authorizer {
  constructor(
    private readonly mayExec: boolean,
    private readonly asked: readonly string[] = [],
  ) {}

  with(word: string): Authorizer {
    return new Authorizer(this.mayExec, [...this.asked, word]);
  }

  allowed(): boolean {
    return this.mayExec && isDeepStrictEqual(this.asked, ['', 'pods', 'exec', 'demo', 'create']);
  }
}

const environment = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true })
  // Kubernetes compares optional values by their contents.
  .registerOperator('optional == optional', (one: Optional, other: Optional) =>
    isDeepStrictEqual(one.orValue(null), other.orValue(null)),
  )
  .registerType('Authorizer', Authorizer)
  .registerVariable('authorizer', 'Authorizer')
  .registerFunction('Authorizer.allowed(): bool', (authorizer: Authorizer) => authorizer.allowed());
for (const method of ['group', 'resource', 'subresource', 'namespace', 'check']) {
  environment.registerFunction(
    `Authorizer.${method}(string): Authorizer`,
    (authorizer: Authorizer, word: string) => authorizer.with(word),
  );
}
