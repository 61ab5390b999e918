import { describe } from 'vitest';
import { missingPrograms } from '../kit/needs.ts';
import { testSignalScript } from '../kit/signal-script.ts';

// Those of Debian and busybox, and bash as it is when it is called sh.
describe.each([[['dash']], [['bash', '--posix']], [['busybox', 'sh']]] as const)('in %s', (argv) => {
  testSignalScript(argv, { withPerl: missingPrograms('perl') === undefined });
});
