import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { OpenCluster } from '../kube/cluster.ts';
import type { Scope, Shard } from '../model/scope.ts';
import { type Policy, resolvePolicy } from '../policy/policy.ts';
import { type PolicyFile, readPolicy } from '../policy/policy-file.ts';
import { exitCodes } from '../report/exit-code.ts';
import { printable } from '../util/text.ts';
import { UsageError, unreadable } from '../util/usage-error.ts';
import { withNamespaces } from './arguments.ts';
import type { GivenFlags } from './flags.ts';
import { type Io, print, write } from './io.ts';

export function loadPolicy(flags: GivenFlags & Pick<Scope, 'pods'>, env: Io['env']): Policy {
  const { policy: file } = flags;
  const shard = chooseShard(flags, env);
  return resolvePolicy({ ...flags, shard }, file === undefined ? undefined : loadPolicyFile(file));
}

/** Without any namespaces, a policy applies to the namespace of the context, as in kubectl. */
export function inContext(
  policy: Policy,
  { allNamespaces = false }: Pick<GivenFlags, 'allNamespaces'>,
  cluster: Pick<OpenCluster, 'namespace'>,
): Policy {
  const { scope } = policy;
  const { pods, namespaces, namespaceSelector } = scope;
  if (pods) return { ...policy, scope: { ...scope, pods: withNamespaces(pods, cluster) } };
  const saysWhere = allNamespaces || namespaces.length > 0 || namespaceSelector !== undefined;
  return saysWhere ? policy : { ...policy, scope: { ...scope, namespaces: [cluster.namespace] } };
}

export function chooseShard(
  { shard, shards }: Pick<GivenFlags, 'shard' | 'shards'>,
  env: Io['env'],
): Shard | undefined {
  if (shards === undefined) return shard;
  const index = env['JOB_COMPLETION_INDEX'];
  if (index === undefined) {
    throw new UsageError(
      `--shards ${shards} needs JOB_COMPLETION_INDEX, which is set only in the pods of an Indexed Job; elsewhere, use --shard i/${shards}`,
    );
  }
  if (!/^\d+$/.test(index) || Number(index) >= shards) {
    throw new UsageError(
      `JOB_COMPLETION_INDEX is "${index}", but the shards are 0 to ${shards - 1}: set --shards to the Job's completions`,
    );
  }
  return { index: Number(index), of: shards };
}

export function loadPolicyFile(file: string): PolicyFile {
  if (file === '-') throw new UsageError('--policy needs a file; only validate reads a policy from stdin');
  const read = readPolicy(readText(file));
  if (read.kind === 'Policy') return read.policy;
  const [first, ...others] = read.problems;
  const more = others.length > 0 ? ` (and ${others.length} more; validate lists them)` : '';
  throw new UsageError(`${file}:${first?.line}: ${first?.message}${more}`);
}

export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}

export async function runValidate(
  file: string,
  { stdin, stdout, stderr }: Pick<Io, 'stdin' | 'stdout' | 'stderr'>,
): Promise<number> {
  const isStdin = file === '-';
  if (isStdin && stdin.isTTY) throw new UsageError('name a policy file, or pipe one in');
  const read = readPolicy(isStdin ? await text(stdin) : readText(file));
  const name = isStdin ? 'stdin' : printable(file);
  if (read.kind === 'Policy') {
    await write(stdout, `${name} is a valid SweepPolicy\n`);
    return exitCodes.resolved;
  }
  // Problems quote names and values of the file.
  const lines = read.problems.map(({ line, message }) => `${printable(`${name}:${line}: ${message}`)}\n`);
  await print(stderr, lines.join(''));
  return exitCodes.usage;
}
