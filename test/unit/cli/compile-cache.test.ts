import { expect, it } from 'vitest';
import { keepCompiledCode } from '../../../src/cli/compile-cache.ts';

function directoriesFor(env: Readonly<Record<string, string>>): readonly string[] {
  const directories: string[] = [];
  keepCompiledCode(env, { enableCompileCache: (directory) => directories.push(directory) });
  return directories;
}

it.each([
  ['the cache of the user', { HOME: '/home/ann' }, ['/home/ann/.cache/sidecar-sweeper']],
  [
    'where the user wants it',
    { HOME: '/home/ann', XDG_CACHE_HOME: '/var/ann' },
    ['/var/ann/sidecar-sweeper'],
  ],
  [
    'the cache, if no other is named',
    { HOME: '/root', XDG_CACHE_HOME: '' },
    ['/root/.cache/sidecar-sweeper'],
  ],
  ['nowhere without a home', {}, []],
  ['nowhere if the home is empty', { HOME: '' }, []],
])('compiled code is kept in %s', (_title, env, directories) => {
  expect(directoriesFor(env)).toEqual(directories);
});

it('a Node without a compile cache does without', () => {
  expect(() => keepCompiledCode({ HOME: '/home/ann' }, {})).not.toThrow();
});
