// Pages of what is older. What a page shows of each line: test/view/view.test.ts.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import { olderPage } from './older.ts';

const CANCEL = {
  schema: 2,
  time: '2026-11-18T00:00:00.000Z',
  session: null,
  event: 'cancel',
  workflow: 'idle',
};
const event = (run: string, more = {}): string => `${JSON.stringify({ ...CANCEL, run, ...more })}\n`;

function journal(text: string): string {
  const root = emptyFolder();
  fs.mkdirSync(path.join(root, '.holdfast'));
  fs.writeFileSync(path.join(root, '.holdfast/journal.jsonl'), text);
  return root;
}

it('a page ends where enough lines of other runs were read, and the next one goes on from there', async () => {
  const root = journal(event('own') + event('other').repeat(50_001));
  const wanted = { run: 'idle:own', most: 10 };
  const first = await olderPage(root, { ...wanted, before: null });
  expect(first).toEqual({ stops: [], events: [], next: expect.anything() });
  const second = await olderPage(root, { ...wanted, before: first.next });
  expect(second.events.map(({ run }) => run)).toEqual(['idle:own']);
  expect(second.next).toBeNull();
});

it('a page has at most a thousand lines, however many are wanted', async () => {
  const root = journal(event('own').repeat(1001));
  const page = await olderPage(root, { run: null, most: 5000, before: null });
  expect(page.events).toHaveLength(1000);
  expect((await olderPage(root, { run: null, most: 5000, before: page.next })).events).toHaveLength(1);
});

it('a page leaves out what is no line of ours, and one without a time', async () => {
  const root = journal(`torn\n${event('other', { time: 'soon' })}${event('own')}`);
  const page = await olderPage(root, { run: null, most: 10, before: null });
  expect(page.events.map(({ run }) => run)).toEqual(['idle:own']);
});
