import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { jsonSchemas } from '../../../src/report/json-schema.ts';
import { breaksOf } from '../../contract/breaks.ts';
import { contractFolder } from '../../contract/documents.ts';
import type { Schema } from '../../contract/fields.ts';

it.each(Object.entries(jsonSchemas()))(
  '%s keeps what its apiVersion promises: whoever breaks it needs a new one',
  (name, schema) => {
    const promised: Schema = JSON.parse(readFileSync(new URL(`${name}.schema.json`, contractFolder), 'utf8'));
    // A policy is read by the program, and everything else is written by it.
    const side = name === 'sweep-policy' ? 'Writers' : 'Readers';
    expect(breaksOf(promised, JSON.parse(JSON.stringify(schema)), side)).toEqual([]);
  },
);
