import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { emptyFolder } from '../../../test/support/bare-project.ts';
import { subagentRollouts } from './subagents.ts';

const SESSION = '01a1e725-8735-78b3-835c-82f323a64e17';
let sessions: string;
let own: string;
beforeEach(() => {
  sessions = path.join(emptyFolder(), 'sessions');
  own = rollout('2026/11/17', '01-35-58', SESSION);
});

/** As Codex 0.166.0 begins a rollout. `parent`: it is a subagent's. */
function rollout(day: string, time: string, id: string, { session = id, parent = '' } = {}): string {
  const file = path.join(sessions, day, `rollout-${day.replaceAll('/', '-')}T${time}-${id}.jsonl`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const of = parent === '' ? {} : { forked_from_id: parent, parent_thread_id: parent };
  const payload = { session_id: session, id, ...of, base_instructions: { text: 'x'.repeat(20_000) } };
  fs.writeFileSync(
    file,
    `${JSON.stringify({ timestamp: '…', ordinal: 0, type: 'session_meta', payload })}\n`,
  );
  return file;
}
const of = { session: SESSION, parent: SESSION };

it('finds those of the session, on its day and later ones, and looks for none of an odd session or place', () => {
  const first = rollout('2026/11/17', '01-35-59', 'sub-1', of);
  const nested = rollout('2026/11/17', '01-36-10', 'sub-2', { session: SESSION, parent: 'sub-1' });
  const later = rollout('2027/01/02', '00-00-01', 'sub-3', of);
  expect(subagentRollouts(own, SESSION)).toEqual([first, nested, later]);
  expect([null, '../x'].map((session) => subagentRollouts(own, session))).toEqual([[], []]);
  expect(subagentRollouts('/elsewhere/rollout.jsonl', SESSION)).toEqual([]);
});

it('leaves out other sessions, their subagents, forks, and what is older', () => {
  rollout('2026/11/17', '01-36-00', 'another');
  rollout('2026/11/17', '01-36-01', 'its-sub', { session: 'another', parent: 'another' });
  for (const day of ['2026/11/16', '2025/12/24']) rollout(day, '23-00-00', 'older', of);
  rollout('2026/11/17', '00-00-00', 'older', of);
  rollout('2026/11/17', '01-36-02', 'resumed', { session: SESSION });
  fs.writeFileSync(path.join(path.dirname(own), 'rollout-2026-11-17T09-00-00-broken.jsonl'), '{');
  fs.mkdirSync(path.join(path.dirname(own), 'rollout-2026-11-17T09-00-01-folder.jsonl'));
  expect(subagentRollouts(own, SESSION)).toEqual([]);
});

it('takes the newest of very many', () => {
  for (let count = 0; count < 510; count++)
    rollout('2026/11/17', `02-00-${String(count).padStart(3, '0')}`, `sub-${count}`, of);
  const found = subagentRollouts(own, SESSION);
  expect([found.length, path.basename(found.at(-1) ?? '')]).toEqual([
    500,
    expect.stringContaining('sub-509'),
  ]);
});
