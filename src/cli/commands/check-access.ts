import type { Command } from 'commander';
import { stringify } from 'yaml';
import { methods } from '../../methods/index.ts';
import type { Rule } from '../../methods/method.ts';
import { needs } from '../../methods/needs.ts';
import { accessesOf } from '../../methods/rules.ts';
import { methodOf } from '../../plan/ladder.ts';
import type { Access, Cluster } from '../../ports.ts';
import { columns, paintIf } from '../../report/columns.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { safeJson } from '../../report/json.ts';
import type { Policy } from '../../types.ts';
import { connect } from '../connect.ts';
import {
  addConnectionFlags,
  addOutputFlags,
  addPolicyFlags,
  addScopeFlags,
  type ConnectionFlags,
  type OutputFlags,
  type PolicyFileFlags,
  type ScopeFlags,
} from '../flags.ts';
import { loadPolicy } from '../policy.ts';
import { print, type Run, type Surroundings, usesColour } from '../surroundings.ts';

interface CheckAccessFlags extends ConnectionFlags, ScopeFlags, PolicyFileFlags, OutputFlags {}

/** One verb on one resource in one namespace, and whether it is allowed. */
interface Checked extends Access {
  /** What needs it. */
  readonly for: string;
  readonly allowed: 'Yes' | 'No' | 'Unknown';
}

/** `sidecar-sweeper check-access`: what the account may do, and the rules that would let it do the rest. */
export function defineCheckAccess(program: Command, choose: (run: Run) => void): void {
  const command = program
    .command('check-access')
    .description('ask the API server for every permission that a sweep with these flags needs');
  addOutputFlags(addConnectionFlags(addPolicyFlags(addScopeFlags(command)))).action(
    (flags: CheckAccessFlags) => choose((surroundings) => checkAccess(flags, surroundings)),
  );
}

async function checkAccess(flags: CheckAccessFlags, { env, stdout }: Surroundings): Promise<number> {
  const policy = loadPolicy(flags);
  const cluster = await connect(flags, env);
  const checked = await askAll(policy, cluster);
  await cluster.close();
  const missing = checked.filter(({ allowed }) => allowed === 'No');
  const isTable = (flags.output ?? (stdout.isTTY ? 'table' : 'json')) === 'table';
  const rules = rulesFor(missing);
  await print(
    stdout,
    isTable
      ? renderChecked(checked, rules, usesColour(stdout, env))
      : `${safeJson({ access: checked, rulesToAdd: rules }, 2)}\n`,
  );
  if (checked.every(({ allowed }) => allowed === 'Unknown')) return exitCodes.unread;
  return missing.length > 0 ? exitCodes.unresolved : exitCodes.resolved;
}

/** What a sweep needs whatever the method, then each method that this policy lets it use. */
function needsOf({
  lastResort,
}: Policy): readonly { readonly for: string; readonly rules: readonly Rule[] }[] {
  const used = [
    methods.Command,
    methods.Http,
    methods.Signal,
    methods.Tombstone,
    ...lastResort.map((step) => methods[methodOf(step)]),
  ];
  return [needs.look, needs.jobs, ...used.map(({ flag, rbac }) => ({ for: flag, rules: rbac }))];
}

async function askAll(policy: Policy, cluster: Pick<Cluster, 'mayI'>): Promise<readonly Checked[]> {
  const { namespaces } = policy.scope;
  const scopes = namespaces.length > 0 ? namespaces : [undefined];
  const byAccess = new Map<string, { access: Access; for: string[] }>();
  for (const namespace of scopes) {
    for (const need of needsOf(policy)) {
      for (const access of need.rules.flatMap((rule) => accessesOf(rule, namespace))) {
        const key = JSON.stringify(access);
        const known = byAccess.get(key);
        if (known) known.for.push(need.for);
        else byAccess.set(key, { access, for: [need.for] });
      }
    }
  }
  const { signal } = new AbortController();
  return Promise.all(
    [...byAccess.values()].map(async ({ access, for: names }) => ({
      ...access,
      for: names.join(', '),
      allowed: await cluster.mayI(access, signal),
    })),
  );
}

/** The rules that are missing, as RBAC writes them: one a resource, with all its verbs. */
function rulesFor(missing: readonly Access[]): readonly Rule[] {
  const verbs = new Map<string, { readonly rule: Omit<Rule, 'verbs'>; readonly verbs: Set<string> }>();
  for (const { group, resource, subresource, verb } of missing) {
    const path = subresource === undefined ? resource : `${resource}/${subresource}`;
    const key = `${group} ${path}`;
    const entry = verbs.get(key) ?? { rule: { apiGroups: [group], resources: [path] }, verbs: new Set() };
    entry.verbs.add(verb);
    verbs.set(key, entry);
  }
  return [...verbs.values()].map(({ rule, verbs: wanted }) => ({ ...rule, verbs: [...wanted] }));
}

function renderChecked(checked: readonly Checked[], rules: readonly Rule[], colour: boolean): string {
  const rows = checked.map(({ namespace, verb, group, resource, subresource, allowed, for: needed }) => [
    namespace ?? '(all)',
    verb,
    [group, [resource, subresource].filter(Boolean).join('/')].filter(Boolean).join('/'),
    allowed.toLowerCase(),
    needed,
  ]);
  const table = columns(['NAMESPACE', 'VERB', 'RESOURCE', 'ALLOWED', 'NEEDED FOR'], rows, paintIf(colour));
  if (rules.length === 0) return `${table}\n`;
  return `${table}\n\nAdd to the Role or ClusterRole of this account:\n\n${stringify({ rules })}`;
}
