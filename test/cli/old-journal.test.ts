// A journal that Holdfast 0.2 wrote: two files, schema 1. Its lines were written by that version's hook, and the
// texts beside them are what its commands said.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fireHook, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

const fixture = path.resolve(import.meta.dirname, '../fixtures/journal-schema-1');
const said = (command: string): string[] =>
  fs
    .readFileSync(path.join(fixture, `${command}.txt`), 'utf8')
    .trimEnd()
    .split('\n');

let project: TempProject;

beforeAll(() => {
  project = tempProject();
  project.write('.jwz/.keep', '');
  for (const name of ['journal.jsonl', 'journal.jsonl.1'])
    project.write(`.holdfast/${name}`, fs.readFileSync(path.join(fixture, name), 'utf8'));
});

afterAll(() => project.remove());

async function holdfast(...words: string[]): Promise<string[]> {
  const ran = await runCli(project.root, words, { env: { HOME: project.home } });
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
  return ran.stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
}

test('is shown by log and why as before, over both files', async () => {
  expect(await holdfast('log')).toEqual(said('log'));
  const inTodaysWords = said('why').map((line) => line.replace('could not be looked after', 'hit an error'));
  expect(await holdfast('why')).toEqual(inTodaysWords);
  const [oldest = ''] = fs.readFileSync(path.join(fixture, 'journal.jsonl.1'), 'utf8').split('\n');
  const { run } = JSON.parse(oldest);
  expect(await holdfast('why', '--run', `idle:${run}`)).toEqual([
    expect.stringMatching(/allowed by idle:\S+\. The agent gave the signal COMPLETE, so the loop is done\.$/),
  ]);
});

test('is replayed as before, stop by stop and as a file', async () => {
  const replayed = said('replay');
  for (const [position, line] of replayed.entries())
    expect(await holdfast('replay', String(position + 1))).toEqual([line]);
  expect((await holdfast('replay', path.join(fixture, 'journal.jsonl'))).at(-1)).toBe(
    '7 stops replayed, 0 different.',
  );
});

test('has the guard’s words of today', async () => {
  const lines = (await holdfast('log', '--json')).map((line) => JSON.parse(line));
  const memories = lines.flatMap(({ guard }) => guard?.memory ?? []);
  expect(memories.length).toBeGreaterThan(3);
  for (const memory of memories) {
    expect(memory).toMatchObject({ noProgress: expect.any(Number), noTools: expect.any(Number) });
    expect(memory).not.toHaveProperty('still');
    expect(memory).not.toHaveProperty('told');
  }
});

test('goes on in today’s form', async () => {
  await fireHook(project.root, { session_id: 's9', cwd: project.root }, { env: { HOME: project.home } });
  await runCli(project.root, ['idle', 'loop', 'x'], {
    env: { HOME: project.home, CLAUDE_CODE_SESSION_ID: 's9' },
  });
  const shown = await holdfast('log');
  expect(shown.slice(0, said('log').length)).toEqual(said('log'));
  expect(shown.at(-1)).toContain('started by session s9');
});
