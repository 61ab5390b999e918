declare const __VERSION__: string;

/** The package's version, put in by the build. */
export const version = typeof __VERSION__ === 'undefined' ? 'dev' : __VERSION__;
