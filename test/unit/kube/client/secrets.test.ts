import { describe, expect, it } from 'vitest';
import { Secrets } from '../../../../src/kube/auth/credentials.ts';

function secretsOf(...known: readonly string[]): Secrets {
  const secrets = new Secrets();
  for (const secret of known) secrets.learn(secret);
  return secrets;
}

describe('what was sent is taken out of what comes back:', () => {
  it.each([
    ['a token', 's3cr3t-t0ken', 'unknown token s3cr3t-t0ken.', 'unknown token [redacted].'],
    ['a whole header', 's3cr3t-t0ken', 'got "Bearer s3cr3t-t0ken"', 'got "Bearer [redacted]"'],
    ['all of them', 's3cr3t-t0ken', 's3cr3t-t0ken=s3cr3t-t0ken', '[redacted]=[redacted]'],
    ['a password in a URL', 'pass word/', 'http://pass%20word%2F@', 'http://[redacted]@'],
    ['a password in JSON', 'pass"word', '{"a":"pass\\"word"}', '{"a":"[redacted]"}'],
  ])('%s', (_title, secret, text, redacted) => {
    expect(secretsOf(secret).redact(text)).toBe(redacted);
  });

  it('the password of a proxy', () => {
    const secrets = new Secrets();
    secrets.learnUrl(new URL('http://me:pass%20word@proxy:3128'));
    secrets.learnUrl(undefined);
    expect(secrets.redact('407: pass%20word or pass word')).toBe('407: [redacted] or [redacted]');
  });

  it.each([
    ['tokens that were renewed', 'token-200'],
    ['the longer of two tokens, one of which is part of the other', 'token-1'],
  ])('%s', (_title, other) => {
    const secrets = secretsOf(other, 'token-100');
    expect(secrets.redact(`token-100 ${other}`)).toBe('[redacted] [redacted]');
  });
});

it.each(['', 'list'])('%j is so short that texts stay as they are', (secret) => {
  expect(secretsOf(secret).redact('a list of pods')).toBe('a list of pods');
});
