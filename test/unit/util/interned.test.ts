import { describe, expect, it } from 'vitest';
import { Interned } from '../../../src/util/interned.ts';

describe('equal values have the same memory:', () => {
  it('the first one replaces all that are equal to it', () => {
    const interned = new Interned<readonly string[]>();
    const first = ['/bin/run', '--verbose'];
    expect(interned.of(first)).toBe(first);
    expect(interned.of(['/bin/run', '--verbose'])).toBe(first);
  });

  it('different values stay apart', () => {
    const interned = new Interned<readonly string[]>();
    const all = [['a', 'b'], ['a,b'], ['a'], ['ab'], ['b', 'a'], []];
    expect(all.map((one) => interned.of(one))).toEqual(all);
    expect(new Set(all.map((one) => interned.of([...one]))).size).toBe(all.length);
  });
});

describe('the memory is bounded:', () => {
  it('old values are forgotten among many new ones, and later ones are shared again', () => {
    const interned = new Interned<readonly string[]>();
    const first = interned.of(['first']);
    for (let index = 0; index < 1_000; index++) interned.of([String(index).padEnd(1_000, '.')]);
    const second = interned.of(['first']);
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
    expect(interned.of(['first'])).toBe(second);
  });

  it('a large value is not remembered, and displaces no other', () => {
    const interned = new Interned<readonly string[]>();
    const small = interned.of(['small']);
    const large = ['x'.repeat(1024 * 1024)];
    expect(interned.of(large)).toBe(large);
    expect(interned.of([...large])).not.toBe(large);
    expect(interned.of(['small'])).toBe(small);
  });
});
