import packageJson from '../../../package.json' with { type: 'json' };
import { read } from './project-files.ts';
import { type Call, digest, optionOf } from './stand-ins.ts';
import { steps } from './workflows.ts';

const stages = [...read('Dockerfile').matchAll(/^FROM .* AS (\S+)$/gm)].map(([, name]) => name);
const matrixTarget = `\${{ matrix.target }}`;
const cluster = steps.find(({ uses }) => uses?.startsWith('helm/kind-action@'))?.with?.['cluster_name'];

/** Why a call cannot work, as far as the project's own files tell; undefined when it can. */
export function problemOf({ program, args }: Call): string | undefined {
  const [command = ''] = args;
  switch (program) {
    case 'apt-get':
      return command === 'update' || command === 'install' ? undefined : `apt-get ${command}`;
    case 'npm': {
      const script = command === 'run' ? (args.slice(1).find((arg) => !arg.startsWith('-')) ?? '') : command;
      const isBuiltIn = ['ci', 'pack', 'publish'].includes(command);
      return isBuiltIn || script in packageJson.scripts ? undefined : `no script is named ${script}`;
    }
    case 'docker': {
      if (args[1] === 'imagetools') return undefined;
      const stage = optionOf(args, '--target');
      // GitHub fills in what stands in the matrix.
      return stages.includes(stage) || stage === matrixTarget
        ? undefined
        : `the Dockerfile has no stage ${stage}`;
    }
    case 'kind': {
      const name = optionOf(args, '--name');
      return name === cluster ? undefined : `the cluster is not named ${name}`;
    }
    case 'cosign':
      return args.at(-1)?.endsWith(`@${digest}`) ? undefined : 'what is signed is no digest';
    case 'gh':
      return command === 'release' ? undefined : `gh ${command}`;
    case 'node':
      return undefined;
    default:
      return `nothing here says when ${program} works`;
  }
}
