// Reads what real clients sent and wrote (test/fixtures/recorded).

import fs from 'node:fs';
import { parseObject } from '../../src/clients/fields.ts';

const folder = new URL('../fixtures/recorded/', import.meta.url);

export function recordedPayload(name: string): Readonly<Record<string, unknown>> {
  const payload = parseObject(read(name));
  if (payload === null) throw new Error(`${name} holds no JSON object`);
  return payload;
}

export function recordedLines(name: string): readonly string[] {
  return read(name).trimEnd().split('\n');
}

function read(name: string): string {
  return fs.readFileSync(new URL(name, folder), 'utf8');
}
