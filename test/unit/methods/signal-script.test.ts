import { testSignalScript } from '../../kit/signal-script.ts';

// In the shells of images: test/tools/shells.test.ts.
testSignalScript(['sh'], { withPerl: false });
