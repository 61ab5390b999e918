import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'images');
const pictures = readdirSync(folder).filter((name) => name.endsWith('-light.svg'));

it.each(pictures)('%s and its dark version differ in nothing but colours', (light) => {
  const withoutColours = (name: string) =>
    readFileSync(join(folder, name), 'utf8').replace(/#[0-9a-f]{6}/g, '#');
  expect(withoutColours(light)).toBe(withoutColours(light.replace('-light', '-dark')));
});
