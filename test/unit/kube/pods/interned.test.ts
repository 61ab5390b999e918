import { expect, it } from 'vitest';
import { internText, internTexts } from '../../../../src/kube/json.ts';

it('what is missing stays missing, and a text stays what it is', () => {
  expect([undefined, '', 'Running'].map((text) => internText(text))).toEqual([undefined, '', 'Running']);
});

it('a list that is equal to one before is that list', () => {
  const mounts = internTexts(['/tmp', '/etc/config']);
  expect(mounts).toEqual(['/tmp', '/etc/config']);
  expect(internTexts(['/tmp', '/etc/config'])).toBe(mounts);
  expect(internTexts(['/tmp'])).toEqual(['/tmp']);
});
