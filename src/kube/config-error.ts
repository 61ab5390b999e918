/** The configuration cannot be used; the message says what to do about it, in one line. */
export class ConfigError extends Error {}
