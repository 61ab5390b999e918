import { type Command, InvalidArgumentError } from 'commander';
import type { PodName } from '../../vocabulary.ts';
import { addConnectionFlags } from '../flags/connection.ts';
import { addPolicyFlags } from '../flags/policy.ts';
import { addMinAgeFlag } from '../flags/scope.ts';
import { addOutputFlags } from '../output.ts';
import type { ExplainFlags } from '../runs/explain.ts';
import type { Run } from '../surroundings.ts';

/** `sidecar-sweeper explain <namespace>/<pod>`: why a pod is swept or left alone. */
export function defineExplain(program: Command, choose: (run: Run) => void): void {
  const command = program
    .command('explain')
    .description('show why a pod is swept or left alone, and what a sweep would do; changes nothing')
    .argument('<namespace/pod>', 'the pod', podName);
  addOutputFlags(addConnectionFlags(addPolicyFlags(addMinAgeFlag(command)))).action(
    (pod: PodName, flags: ExplainFlags) => {
      choose(async (surroundings) =>
        (await import('../runs/explain.ts')).runExplain(pod, flags, surroundings),
      );
    },
  );
}

/** Reads `<namespace>/<pod>`. Throws InvalidArgumentError. */
function podName(value: string): PodName {
  const [namespace, name, ...more] = value.split('/');
  if (!namespace || !name || more.length > 0) {
    throw new InvalidArgumentError('Use <namespace>/<pod>, such as jobs/report-x2k9p.');
  }
  return { namespace, name };
}
