import { expect, it } from 'vitest';
import { Issuer } from '../../../../src/kube/credentials/issuer.ts';
import { clockOf } from '../../../builders/stepped-clock.ts';
import { steppedClock } from '../../../kit/emulator/index.ts';

const never = new AbortController().signal;

/** An issuer that numbers its tokens, each valid for this long. */
function numbering(validFor?: number) {
  const stepped = steppedClock(Date.parse('2026-11-22T04:00:00Z'));
  const clock = clockOf(stepped);
  let asked = 0;
  const issuer = new Issuer(async () => {
    const expires = validFor === undefined ? undefined : clock.now() + validFor;
    return { token: String(++asked), certificate: undefined, expires };
  }, clock);
  return { stepped, issuer, token: async () => (await issuer.current(never)).token };
}

it('a credential is used until it expires', async () => {
  const { stepped, token } = numbering(60_000);
  expect([await token(), await token()]).toEqual(['1', '1']);
  await stepped.advance(59_999);
  expect(await token()).toBe('1');
  await stepped.advance(1);
  expect(await token()).toBe('2');
});

it('one that is expired when it comes is used once, as in kubectl', async () => {
  const { token } = numbering(-1);
  expect([await token(), await token()]).toEqual(['1', '2']);
});

it('one that was refused is replaced, but a server that refuses every one does not start a plugin each time', async () => {
  const { stepped, issuer, token } = numbering();
  expect(await token()).toBe('1');
  issuer.forget();
  expect(await token()).toBe('2');
  issuer.forget();
  expect(await token()).toBe('2');
  await stepped.advance(30_000);
  issuer.forget();
  expect(await token()).toBe('3');
});
