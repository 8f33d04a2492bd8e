// Everything that stands in the journals arrives once: written by the real hook, by many projects, while it is followed,
// while segments are closed, and after somebody changed the files.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepJournalWithin } from '../../src/store/journal.ts';
import { noteProject } from '../../src/store/projects.ts';
import { fireHook, runCli } from '../support/hook.ts';
import { end, start, stop } from './lines.ts';
import { type Scene, scene, until } from './scene.ts';

const many = (from: number, count: number): object[] =>
  Array.from({ length: count }, (_, index) => stop(from + index));

/** Each line that can be read, of all files of the journal. */
function linesOf({ root }: Scene): number {
  const folder = path.join(root, '.holdfast/journal');
  const closed = fs.existsSync(folder) ? fs.readdirSync(folder).map((name) => path.join(folder, name)) : [];
  const files = [...closed, path.join(root, '.holdfast/journal.jsonl')].filter((file) => fs.existsSync(file));
  return files.reduce((sum, file) => sum + fs.readFileSync(file, 'utf8').split('\n').length - 1, 0);
}

function expectWhole({ collector }: Scene, lines: number): void {
  expect(collector.logs).toHaveLength(lines);
  expect(collector.distinct.logs).toBe(lines);
}

it('sends what the real hook and the real commands wrote', async () => {
  const made = await scene();
  fs.rmSync(path.join(made.home, '.local/state/holdfast/projects'), { recursive: true });
  const env = { CLAUDE_CODE_SESSION_ID: 's1' };
  expect(await runCli(made.root, ['idle', 'loop', 'Make the tests pass'], { env })).toMatchObject({
    exitCode: 0,
  });
  const fire = (message: string) =>
    fireHook(made.root, { session_id: 's1', cwd: made.root, last_assistant_message: message });
  for (const message of ['not yet', 'nearly', 'Done.\n<loop-done>COMPLETE</loop-done>']) await fire(message);
  expect(await made.export()).toMatchObject({ exitCode: 0, stderr: '' });
  expectWhole(made, linesOf(made));
  expect(made.collector.total('holdfast.holds')).toBe(2);
  expect(made.collector.total('holdfast.stops')).toBe(3);
  expect(made.collector.total('holdfast.runs.ended', { 'holdfast.outcome': 'completed' })).toBe(1);
  const run = made.collector.spans.find(({ name }) => name === 'run idle');
  expect(made.collector.spans.filter(({ parent }) => parent === run?.id)).toHaveLength(3);
  for (const word of ['tests pass', 'nearly', made.root]) expect(made.collector.text).not.toContain(word);
});

it('sends the journals of all projects, and keeps their runs apart', async () => {
  const made = await scene();
  const other = path.join(path.dirname(made.root), 'other');
  fs.mkdirSync(path.join(other, '.holdfast'), { recursive: true });
  noteProject(made.env, other);
  made.journal(start(0), stop(1));
  fs.copyFileSync(
    path.join(made.root, '.holdfast/journal.jsonl'),
    path.join(other, '.holdfast/journal.jsonl'),
  );
  expect(await made.export()).toMatchObject({ exitCode: 0 });
  expect(new Set(made.collector.spans.map(({ trace }) => trace)).size).toBe(2);
  expect(new Set(made.collector.logs.map(({ attributes }) => attributes['holdfast.project'])).size).toBe(2);
  expectWhole(made, 4);
});

describe('while it follows', () => {
  it('segments are closed under it, and every line arrives once', async () => {
    const made = await scene();
    made.journal(start(0));
    const { child, ended } = made.begin(['--follow']);
    await until(() => made.collector.logs.length === 1);
    for (let round = 0; round < 4; round++) {
      made.journal(...many(1 + round * 30, 30));
      keepJournalWithin(made.root, { bytes: 64 * 1024 * 1024, segmentBytes: 1000 });
      if (round === 1) await until(() => made.collector.logs.length >= 61);
    }
    made.journal(end(200, 'completed'));
    await until(() => made.collector.distinct.logs === 122);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expectWhole(made, 122);
    expect(made.collector.total('holdfast.stops')).toBe(120);
    // The next one goes on from there.
    expect(await made.export()).toMatchObject({ exitCode: 0 });
    expectWhole(made, 122);
  });

  it('a second one for the same collector is refused', async () => {
    const made = await scene();
    made.journal(start(0));
    const { child, ended } = made.begin(['--follow']);
    await until(() => made.collector.logs.length === 1);
    expect(await made.export()).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('another `holdfast export`'),
    });
    child.kill('SIGKILL');
    await ended;
    expect(await made.export()).toMatchObject({ exitCode: 0 });
    expectWhole(made, 1);
  });

  it('the collector is away for a time, and has everything afterwards', async () => {
    const made = await scene(() => ({ status: 503 }));
    made.journal(start(0), ...many(1, 5));
    const { child, ended } = made.begin(['--follow']);
    await until(() => made.collector.asked.length >= 2);
    made.collector.behaves = () => ({ status: 200 });
    await until(() => made.collector.logs.length === 6);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expectWhole(made, 6);
  });
});

describe('between two exports', () => {
  it('a torn line is passed over, and one that is not ended yet waits for its end', async () => {
    const made = await scene();
    const whole = JSON.stringify(stop(2));
    made.journal(start(0), '{"schema":2,"time":"2026-\n', whole.slice(0, 50));
    expect(await made.export()).toMatchObject({ exitCode: 0 });
    expectWhole(made, 1);
    expect(made.collector.total('holdfast.journal.unreadable')).toBe(1);
    made.journal(`${whole.slice(50)}\n`, stop(3));
    expect(await made.export()).toMatchObject({ exitCode: 0 });
    expectWhole(made, 3);
    expect(made.collector.total('holdfast.journal.unreadable')).toBe(1);
  });

  it('segments that were not sent yet go, and what is kept is sent', async () => {
    const made = await scene();
    made.journal(start(0), ...many(1, 50));
    expect(await made.export()).toMatchObject({ exitCode: 0 });
    for (let round = 1; round <= 5; round++) {
      made.journal(...many(round * 100, 50));
      keepJournalWithin(made.root, { bytes: 40_000, segmentBytes: 1000 });
    }
    made.journal(...many(1000, 2));
    const kept = linesOf(made);
    expect(kept).toBeLessThan(200);
    expect(await made.export()).toMatchObject({ exitCode: 0 });
    expectWhole(made, 51 + kept);
  });

  it('closed segments were removed by hand: what is left is not sent once more', async () => {
    const made = await scene();
    made.journal(start(0), ...many(1, 20));
    keepJournalWithin(made.root, { bytes: 64 * 1024 * 1024, segmentBytes: 1000 });
    made.journal(...many(100, 5));
    expect(await made.export()).toMatchObject({ exitCode: 0 });
    fs.rmSync(path.join(made.root, '.holdfast/journal'), { recursive: true });
    made.journal(stop(200));
    expect(await made.export()).toMatchObject({ exitCode: 0 });
    expectWhole(made, 27);
    expect(made.collector.total('holdfast.stops')).toBe(26);
  });

  it('the journal was removed and begun again, longer than before: all of it is new', async () => {
    const made = await scene();
    made.journal(start(0), stop(1));
    expect(await made.export()).toMatchObject({ exitCode: 0 });
    fs.rmSync(path.join(made.root, '.holdfast/journal.jsonl'));
    made.journal(start(500), ...many(501, 10));
    expect(await made.export()).toMatchObject({ exitCode: 0 });
    expectWhole(made, 13);
  });

  it('the record of where it left off cannot be read: it says so, and does not begin again by itself', async () => {
    const made = await scene();
    made.journal(start(0), stop(1));
    expect(await made.export()).toMatchObject({ exitCode: 0 });
    const file = made.state()?.file ?? '';
    fs.writeFileSync(file, '{"schema":1');
    const { exitCode, stderr } = await made.export();
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(`rm ${file}`) });
    expectWhole(made, 2);
  });
});

it('without any project there is nothing to send, and that is no error', async () => {
  const made = await scene();
  fs.rmSync(path.join(made.home, '.local/state/holdfast/projects'), { recursive: true });
  expect(await made.export()).toMatchObject({ exitCode: 0, stderr: '' });
  expect(made.collector.asked).toEqual([]);
});
