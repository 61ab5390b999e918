import packageJson from '../../../package.json' with { type: 'json' };
import { read } from './project-files.ts';
import { type Call, optionOf } from './stand-ins.ts';
import { steps } from './workflows.ts';

const stages = [...read('Dockerfile').matchAll(/^FROM .* AS (\S+)$/gm)].map(([, name]) => name);
const cluster = steps.find(({ uses }) => uses?.startsWith('helm/kind-action@'))?.with?.['cluster_name'];

/** Why a call cannot work, as far as the project's own files tell; undefined when it can. */
export function problemOf({ program, args }: Call): string | undefined {
  const [command = ''] = args;
  switch (program) {
    case 'apt-get':
      return command === 'update' || command === 'install' ? undefined : `apt-get ${command}`;
    case 'npm': {
      const script = command === 'run' ? (args[1] ?? '') : command;
      return command === 'ci' || script in packageJson.scripts ? undefined : `no script is named ${script}`;
    }
    case 'docker': {
      const stage = optionOf(args, '--target');
      return stages.includes(stage) ? undefined : `the Dockerfile has no stage ${stage}`;
    }
    case 'kind': {
      const name = optionOf(args, '--name');
      return name === cluster ? undefined : `the cluster is not named ${name}`;
    }
    default:
      return `nothing here says when ${program} works`;
  }
}
