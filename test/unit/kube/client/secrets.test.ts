import { describe, expect, it } from 'vitest';
import { Secrets } from '../../../../src/kube/auth/credentials.ts';

function secretsOf(...authorizations: readonly string[]): Secrets {
  const secrets = new Secrets();
  for (const authorization of authorizations) secrets.learnHeaders({ authorization });
  return secrets;
}

describe('what was sent is taken out of what comes back:', () => {
  it.each([
    ['a token', 'Bearer s3cr3t-t0ken', 'unknown token s3cr3t-t0ken.', 'unknown token [redacted].'],
    ['a whole header', 'Bearer s3cr3t-t0ken', 'got "Bearer s3cr3t-t0ken"', 'got "Bearer [redacted]"'],
    ['all of them', 'Bearer s3cr3t-t0ken', 's3cr3t-t0ken=s3cr3t-t0ken', '[redacted]=[redacted]'],
    ['a password', `Basic ${btoa('me:pass:word')}`, 'me may not use pass:word', 'me may not use [redacted]'],
    ['a password in base64', `Basic ${btoa('me:pass:word')}`, btoa('me:pass:word'), '[redacted]'],
    ['a password in a URL', `Basic ${btoa('me:pass word/')}`, 'http://pass%20word%2F@', 'http://[redacted]@'],
    ['a password in JSON', `Basic ${btoa('me:pass"word')}`, '{"a":"pass\\"word"}', '{"a":"[redacted]"}'],
  ])('%s', (_title, authorization, text, redacted) => {
    expect(secretsOf(authorization).redact(text)).toBe(redacted);
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
    const secrets = secretsOf(`Bearer ${other}`, 'Bearer token-100');
    expect(secrets.redact(`token-100 ${other}`)).toBe('[redacted] [redacted]');
  });
});

it.each([
  ['no credentials', ''],
  ['a scheme alone', 'Bearer'],
  ['a password so short that messages would suffer', `Basic ${btoa('me:a')}`],
])('%s: texts stay as they are', (_title, authorization) => {
  expect(secretsOf(authorization).redact('a list of pods')).toBe('a list of pods');
});
