import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { bundle } from '../kit/cli.ts';
import { itUnless, missingPrograms } from '../kit/needs.ts';
import { tally } from './tally.ts';

/** Sends SIGTERM to the process as soon as it listens, long before it has read its command line. */
const early = `
  const { on } = process;
  process.on = function (event, listener) {
    on.call(this, event, listener);
    if (event === 'SIGINT') process.kill(process.pid, 'SIGTERM');
    return this;
  };
`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(early)}`;

itUnless(
  missingPrograms('unshare'),
  'C7: SIGTERM before there is anything to stop ends PID 1 of a container as well',
  () => {
    const { PATH = '' } = process.env;
    const inContainer = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child', process.execPath];
    const argv = [bundle, 'sweep', '--yes', '--kubeconfig', '/nonexistent'];
    const env = { PATH, NODE_OPTIONS };
    for (const ended of [
      spawnSync(process.execPath, argv, { env }),
      spawnSync('unshare', [...inContainer, ...argv], { env }),
    ]) {
      expect({ status: ended.status, stderr: String(ended.stderr) }).toEqual({ status: 143, stderr: '' });
      tally('faults', 'C7', 1);
    }
  },
);
