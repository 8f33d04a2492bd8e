// A host of idle's reference protocol passes on little more than where its transcript is, so the signal is read there,
// in whichever known format its lines are.

import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { latest, postState } from '../fixtures/idle/loops.ts';
import { type Fired, fireHook, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { recordedLines } from '../support/recorded.ts';

const COMPLETE = '<loop-done>COMPLETE</loop-done>';
const generic = { args: ['stop', '--client', 'generic'] };

let project: TempProject;
beforeEach(() => {
  project = tempProject();
});
afterEach(() => project.remove());

/** Each recording up to its last answer, with other words in its place; none of its lines knows our session. */
const formats: readonly [string, string, string][] = [
  ['Claude Code', 'claude-code/transcript-hold.jsonl', 'Now it is really done.'],
  ['Codex', 'codex/transcript-hold.jsonl', 'Now it is really done.'],
  ['Copilot', 'copilot/transcript-hold.jsonl', 'Third answer.'],
  ['Qwen', 'qwen/transcript-hold.jsonl', 'Third answer.'],
  ['Droid', 'droid/transcript-hold.jsonl', 'Third answer.'],
  ['Gemini', 'gemini/transcript-hold.jsonl', 'Third answer.'],
];

function transcript(recording: string, said: string, words: string): string {
  const lines = recordedLines(recording);
  const at = lines.findLastIndex((line) => line.includes(JSON.stringify(said)));
  const text = lines.slice(0, at + 1).join('\n');
  return `${text.replaceAll(JSON.stringify(said), JSON.stringify(words))}\n`;
}

const stop = (transcript_path: string, more: object = {}): Promise<Fired> =>
  fireHook(project.root, JSON.stringify({ transcript_path, ...more }), generic);

describe.each(formats)('a transcript as %s writes it', (_, recording, said) => {
  it('ends the loop by the signal in its last message', async () => {
    postState(project, [{ mode: 'loop', iter: 3, max: 10 }]);
    const file = project.write('log.jsonl', transcript(recording, said, `Done.\n\n${COMPLETE}`));
    expect(await stop(file)).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(latest(project)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
  });

  it('holds without one, and with one in a fence', async () => {
    postState(project, [{ mode: 'loop', iter: 3, max: 10 }]);
    const file = project.write('log.jsonl', transcript(recording, said, 'Not yet.'));
    expect((await stop(file)).exitCode).toBe(2);
    fs.writeFileSync(file, transcript(recording, said, `\`\`\`\n${COMPLETE}\n\`\`\``));
    expect((await stop(file)).exitCode).toBe(2);
    expect(latest(project).stack[0]?.iter).toBe(5);
  });

  it('ends the loop of a host that names its sessions', async () => {
    await runCli(project.root, ['idle', 'loop', 'Fix the parser']);
    const file = project.write('log.jsonl', transcript(recording, said, 'Not yet.'));
    // The recordings have one session each, and all call it the first.
    const session_id = '00000000-0000-4000-8000-000000000001';
    expect((await stop(file, { session_id })).exitCode).toBe(2);
    const added = transcript(recording, said, COMPLETE)
      .split('\n')
      .filter((line) => line.includes(COMPLETE));
    const renamed = added.map((line) => line.replace(/"(uuid|id)":"[^"]+"/g, '"$1":"another"'));
    fs.appendFileSync(file, `${renamed.join('\n')}\n`);
    expect((await stop(file, { session_id })).answer?.decision).toBeUndefined();
    expect(latest(project).event).toBe('DONE');
  });
});

describe('a transcript with no more than idle’s document asks of it', () => {
  const line = (type: string, content: unknown) => `${JSON.stringify({ type, message: { content } })}\n`;

  test.each<[string, unknown]>([
    ['blocks', [{ type: 'text', text: `Done.\n${COMPLETE}` }]],
    ['one text', `Done.\n${COMPLETE}`],
  ])('ends the loop by the signal: %s', async (_, content) => {
    postState(project, [{ mode: 'loop', iter: 3, max: 10 }]);
    const file = project.write('log.jsonl', line('user', 'Go') + line('assistant', content));
    expect(await stop(file)).toMatchObject({ exitCode: 0, stdout: '' });
    expect(latest(project)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
  });

  it('holds when the signal was said before a later prompt', async () => {
    postState(project, [{ mode: 'loop', iter: 3, max: 10 }]);
    const file = project.write('log.jsonl', line('assistant', COMPLETE) + line('user', 'Go on'));
    expect((await stop(file)).exitCode).toBe(2);
  });

  it('holds where it cannot be read at all, as this host is chosen by name', async () => {
    postState(project, [{ mode: 'loop', iter: 3, max: 10 }]);
    expect((await stop('/nowhere/at/all.jsonl')).exitCode).toBe(2);
    expect((await stop(project.write('log.jsonl', 'not JSON\n'))).exitCode).toBe(2);
  });
});
