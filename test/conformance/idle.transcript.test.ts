// Where a signal counts and where it does not: the real hook, with transcripts as Claude Code and Codex write them.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { latest, transcript } from '../fixtures/idle/loops.ts';
import { fireHook, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

const SESSION = 'session-1';
const COMPLETE = '<loop-done>COMPLETE</loop-done>';
let project: TempProject;
let log: ReturnType<typeof transcript>;

beforeEach(async () => {
  project = tempProject();
  log = transcript(project, SESSION);
  await runCli(project.root, ['idle', 'loop', 'Fix the parser'], {
    env: { CLAUDE_CODE_SESSION_ID: SESSION },
  });
});

afterEach(() => project.remove());

const stop = (last_assistant_message: string | undefined, more: object = {}) =>
  fireHook(project.root, {
    session_id: SESSION,
    prompt_id: 'p1',
    transcript_path: log.file,
    last_assistant_message,
    ...more,
  });

async function expectCompleted(fired: ReturnType<typeof stop>): Promise<void> {
  expect((await fired).answer?.decision).toBeUndefined();
  expect(latest(project)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
}

async function expectHeld(fired: ReturnType<typeof stop>): Promise<void> {
  expect((await fired).answer?.decision).toBe('block');
  expect(latest(project).event).toBe('STATE');
}

describe('a signal that comes back as Codex shows it, with its brackets escaped', () => {
  const escaped = (signal: string) => signal.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const codexPayload = { prompt_id: undefined, turn_id: 't1', model: 'gpt', permission_mode: 'default' };

  it.each([
    ['loop', '<loop-done>COMPLETE</loop-done>', 'COMPLETE'],
    ['loop', '<loop-done>MAX_ITERATIONS</loop-done>', 'MAX_ITERATIONS'],
    ['loop', '<loop-done>STUCK</loop-done>', 'STUCK'],
    ['issue', '<issue-complete>DONE</issue-complete>', 'DONE'],
    ['grind', '<grind-done>NO_MORE_ISSUES</grind-done>', 'NO_MORE_ISSUES'],
    ['grind', '<grind-done>MAX_ISSUES</grind-done>', 'MAX_ISSUES'],
  ])('completes the mode %s: %s', { tags: ['I-invariant-4'] }, async (mode, signal, reason) => {
    const env = { CODEX_SESSION_ID: SESSION, CODEX_THREAD_ID: SESSION };
    await runCli(project.root, ['idle', 'cancel'], { env });
    await runCli(project.root, ['idle', mode, '17'], { env });
    const fired = await stop(`Done.\n\n${escaped(signal)}\n`, { ...codexPayload, transcript_path: null });
    expect(fired.answer?.decision).toBeUndefined();
    expect(latest(project)).toMatchObject({ event: 'DONE', reason });
  });

  it('is found in an earlier block too, which only the transcript holds', async () => {
    log.prompt('Go');
    log.said('m1', escaped(COMPLETE));
    log.said('m1', 'That was it.');
    await expectCompleted(stop('That was it.'));
  });

  it.each([
    ['with a full stop behind it', `${escaped(COMPLETE)}.`],
    ['in backticks', `\`${escaped(COMPLETE)}\``],
    ['in a fence', `\`\`\`\n${escaped(COMPLETE)}\n\`\`\``],
    ['four spaces in', `So:\n\n    ${escaped(COMPLETE)}`],
    ['in a comment', `<!--\n${escaped(COMPLETE)}\n-->`],
  ])('does not count %s', { tags: ['I-invariant-4'] }, async (_, text) => {
    await expectHeld(stop(text, { ...codexPayload, transcript_path: null }));
  });
});

describe('a signal that nearly counts', () => {
  const hint = 'A signal was seen in your last message, but';
  const reasonOf = async (fired: ReturnType<typeof stop>) => (await fired).answer?.reason ?? '';

  it.each([
    ['in bold', `**${COMPLETE}**`, 'not on a line of its own'],
    ['in a list', `- ${COMPLETE}`, 'not on a line of its own'],
    ['with a full stop', `${COMPLETE}.`, 'not on a line of its own'],
    ['in inline code', `I write \`${COMPLETE}\`.`, 'not on a line of its own'],
    ['quoted', `> ${COMPLETE}`, 'not on a line of its own'],
    ['in a fence', `\`\`\`\n${COMPLETE}\n\`\`\``, 'as code or in a comment'],
    ['in the wrong case', COMPLETE.toLowerCase(), 'not spelled exactly'],
  ])('is hinted at in the next hold: %s', async (_, text, why) => {
    for (const more of [
      { transcript_path: null },
      { turn_id: 't1', prompt_id: undefined, transcript_path: null },
    ]) {
      const reason = await reasonOf(stop(text, more));
      expect(reason.split('\n')[0]).toMatch(
        /^\[ITERATION \d\/10\] Continue working on the task\. Check your progress and either complete the task or keep iterating\.$/,
      );
      expect(reason).toContain(why);
      expect(reason).toContain('If you meant it, write it alone on a line, outside code.');
    }
    expect(await reasonOf(stop('Working.', { transcript_path: null }))).not.toContain('If you meant it');
  });

  it('is hinted at where only the transcript holds it', async () => {
    log.prompt('Go');
    log.said('m1', `It is **${COMPLETE}**`);
    log.said('m1', 'That was it.');
    expect(await reasonOf(stop('That was it.'))).toContain(`${hint} not on a line of its own`);
    log.said('m2', `${COMPLETE.toLowerCase()}`);
    log.said('m2', 'Now?');
    expect(await reasonOf(stop('Now?'))).toContain('not spelled exactly');
  });

  it('is no longer spoken of where a signal counts, and a frame that carries on hints at nothing', async () => {
    const env = { CLAUDE_CODE_SESSION_ID: SESSION };
    await runCli(project.root, ['idle', 'cancel'], { env });
    await runCli(project.root, ['idle', 'grind'], { env });
    await runCli(project.root, ['idle', 'issue', '17'], { env });
    const text = 'I write `<issue-complete>DONE</issue-complete>`:\n\n<issue-complete>DONE</issue-complete>';
    const reason = await reasonOf(stop(text, { transcript_path: null }));
    expect(reason).toContain('[ITERATION 1/100]');
    expect(reason).not.toContain('If you meant it');
  });

  it('is told by why, and replayed', async () => {
    await stop(`**${COMPLETE}**`, { transcript_path: null });
    const env = { CLAUDE_CODE_SESSION_ID: SESSION };
    expect((await runCli(project.root, ['why'], { env })).stdout).toContain(
      'it was not on a line of its own',
    );
    const replayed = await runCli(project.root, ['replay', '1'], { env });
    expect(replayed).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringMatching(/: same\n$/) });
  });

  it('a journal from before there were such hints is still replayed', async () => {
    await stop('Working.', { transcript_path: null });
    const line = JSON.parse(project.read('.holdfast/journal.jsonl').trimEnd().split('\n').at(-1) ?? '');
    const { nearMiss, ...facts } = line.facts;
    expect(nearMiss).toBe('none');
    const replayed = await runCli(project.root, ['replay', JSON.stringify({ ...line, facts })]);
    expect(replayed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(replayed.stdout).toMatch(/: same\n$/);
  });
});

describe('a signal counts', () => {
  it('in the last message as the client hands it over', async () => {
    await expectCompleted(stop(`Done.\n${COMPLETE}`, { transcript_path: '/nowhere/at/all.jsonl' }));
  });

  it('in an earlier block of the same message, which only the transcript holds', {
    tags: ['I-state-active.a'],
  }, async () => {
    log.prompt('Go');
    log.said('m1', COMPLETE);
    log.said('m1', 'That was it.');
    await expectCompleted(stop('That was it.'));
  });

  it('in the transcript alone, when the last block was thinking', async () => {
    log.prompt('Go');
    log.said('m1', `Done.\n\n${COMPLETE}`);
    await expectCompleted(stop(undefined));
  });

  it('with text on the lines after it', { tags: ['I-edge-3'] }, async () => {
    await expectCompleted(stop(`${COMPLETE}\n\nThe notes are in NOTES.md.`));
  });

  it('after a megabyte of text', { tags: ['I-state-active.a', 'I-edge-3'] }, async () => {
    await expectCompleted(stop(`${'The parser reads on. '.repeat(50_000)}\n\n${COMPLETE}`));
  });

  it('at the end of a transcript of 1 GB', async () => {
    fs.truncateSync(log.file, 1024 ** 3);
    fs.appendFileSync(log.file, '\n');
    log.prompt('Go');
    log.said('m1', COMPLETE);
    log.said('m1', 'Bye.');
    await expectCompleted(stop('Bye.'));
  });

  it('behind a line of 10 MB', async () => {
    log.said('m0', 'x'.repeat(10_000_000));
    log.prompt('Go');
    log.said('m1', COMPLETE);
    log.said('m1', 'Bye.');
    await expectCompleted(stop('Bye.'));
  });

  it('between broken lines', { tags: ['I-note-3.a'] }, async () => {
    log.prompt('Go');
    fs.appendFileSync(log.file, '{"uuid": not json\n');
    log.said('m1', COMPLETE);
    fs.appendFileSync(log.file, '\n\0\0\n');
    log.said('m1', 'Bye.');
    fs.appendFileSync(log.file, '{"uuid":"torn');
    await expectCompleted(stop('Bye.'));
  });

  it("in Codex's rollout file", async () => {
    const file = path.join(path.dirname(project.root), 'rollout.jsonl');
    const item = (role: string, id: string, text: string) =>
      JSON.stringify({
        type: 'response_item',
        payload: { type: 'message', id, role, content: [{ type: 'output_text', text }] },
      });
    fs.writeFileSync(file, `${item('user', 'u1', 'Go')}\n${item('assistant', 'm1', `Done.\n${COMPLETE}`)}\n`);
    const { answer } = await fireHook(project.root, {
      session_id: SESSION,
      turn_id: 't1',
      transcript_path: file,
      last_assistant_message: null,
    });
    expect(answer?.decision).toBeUndefined();
    expect(latest(project)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
  });
});

describe('a signal does not count', () => {
  it('in a code fence', { tags: ['I-edge-1', 'I-note-3.d'] }, async () => {
    await expectHeld(stop(`I will write:\n\n\`\`\`\n${COMPLETE}\n\`\`\``));
  });

  it('in inline code', { tags: ['I-edge-1'] }, async () => {
    await expectHeld(stop(`Here's how to signal completion:\n\`${COMPLETE}\``));
  });

  it('in the middle of a line', { tags: ['I-invariant-4'] }, async () => {
    await expectHeld(stop(`I will write ${COMPLETE} when it is done.`));
  });

  it("in the user's prompt", { tags: ['I-note-3.b'] }, async () => {
    log.prompt(`Write this when done:\n${COMPLETE}`);
    log.said('m1', 'Started.');
    await expectHeld(stop('Started.'));
  });

  it('in the prompt, when the agent said nothing', async () => {
    log.prompt(COMPLETE);
    await expectHeld(stop(undefined));
  });

  it("in Holdfast's own hold text", { tags: ['I-note-3.b'] }, async () => {
    const fired = await stop('Started.');
    expect(fired.answer?.reason).toContain(COMPLETE);
    log.said('m1', 'Started.');
    log.held(fired.answer?.reason ?? '');
    log.said('m2', 'Going on.');
    await expectHeld(stop('Going on.'));
    await expectHeld(stop(undefined));
  });

  it('in an earlier turn', { tags: ['I-state-active.a'] }, async () => {
    log.prompt('Go');
    log.said('m1', COMPLETE);
    log.prompt('And the tests?');
    log.said('m2', 'Not yet.');
    await expectHeld(stop('Not yet.'));
  });

  it('in an earlier message of this turn, before a tool call', async () => {
    log.prompt('Go');
    log.said('m1', COMPLETE);
    log.called('Bash');
    log.said('m2', 'There is more to do.');
    await expectHeld(stop('There is more to do.'));
  });

  it('in an old message while the new one is not yet written', async () => {
    log.prompt('Go');
    log.said('m1', COMPLETE);
    await expectHeld(stop('There is more to do.'));
  });

  it('in lines of another session', async () => {
    const other = transcript(project, 'session-2');
    other.said('m9', COMPLETE);
    log.prompt('Go');
    log.said('m1', 'Still at it.');
    fs.appendFileSync(log.file, fs.readFileSync(other.file));
    await expectHeld(stop('Still at it.'));
    await expectHeld(stop(undefined));
  });

  it("in a subagent's lines", { tags: ['I-note-3.b'] }, async () => {
    log.prompt('Go');
    log.said('m1', 'Still at it.');
    const line = {
      uuid: 'side',
      isSidechain: true,
      type: 'assistant',
      message: { id: 'm2', content: [{ type: 'text', text: COMPLETE }] },
    };
    fs.appendFileSync(log.file, `${JSON.stringify(line)}\n`);
    await expectHeld(stop(undefined));
  });

  it("in a compaction's summary", async () => {
    log.said('m1', 'Still at it.');
    const summary = {
      uuid: 'sum',
      isCompactSummary: true,
      type: 'user',
      message: { content: `Summary: he wrote\n${COMPLETE}` },
    };
    fs.appendFileSync(log.file, `${JSON.stringify(summary)}\n`);
    await expectHeld(stop(undefined));
    log.said('m2', 'Going on.');
    await expectHeld(stop('Going on.'));
  });
});

describe('without a transcript', () => {
  it('the loop goes on, and the last message alone is looked at', async () => {
    await expectHeld(stop('Working.', { transcript_path: null }));
    await expectHeld(stop('Working.', { transcript_path: '/nowhere/at/all.jsonl' }));
    await expectCompleted(stop(COMPLETE, { transcript_path: null }));
  });
});
