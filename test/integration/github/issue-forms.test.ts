import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { read, root } from './project-files.ts';

const folder = '.github/ISSUE_TEMPLATE';
const label = z.string().min(1);
const described = { label, description: z.string().optional(), placeholder: z.string().optional() };
const validations = z.strictObject({ required: z.boolean() }).optional();
const id = z.string().regex(/^[\w-]+$/);

/** What GitHub takes as a form; of one with a mistake it shows nothing. */
const form = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  labels: z.array(z.string()),
  body: z.array(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: z.string() }) }),
      z.strictObject({ type: z.literal('input'), id, attributes: z.strictObject(described), validations }),
      z.strictObject({
        type: z.literal('textarea'),
        id,
        attributes: z.strictObject({ ...described, render: z.string().optional() }),
        validations,
      }),
      z.strictObject({
        type: z.literal('dropdown'),
        id,
        attributes: z.strictObject({ label, multiple: z.boolean(), options: z.array(label).nonempty() }),
        validations,
      }),
    ]),
  ),
});

const files = readdirSync(join(root, folder)).filter((file) => file !== 'config.yml');

it('there is a form for a bug, for an idea and for a sidecar, and no other way to open an issue', () => {
  expect(files).toEqual(['bug.yml', 'feature.yml', 'sidecar.yml']);
  expect(parse(read(`${folder}/config.yml`))).toEqual({ blank_issues_enabled: false });
});

it.each(files)('%s is a form, and no two of its fields have the same name', (file) => {
  const { body } = form.parse(parse(read(`${folder}/${file}`)));
  const fields = body.flatMap((element) => (element.type === 'markdown' ? [] : [element]));
  const ids = fields.map((field) => field.id);
  const labels = fields.map((field) => field.attributes.label);
  expect(ids).not.toEqual([]);
  expect(ids).toEqual([...new Set(ids)]);
  expect(labels).toEqual([...new Set(labels)]);
});
