// The signal of a loop in the blocks of a message that only the transcript has.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { contextIn, emptyFolder, projectIn, writeIn } from '../../../test/support/bare-project.ts';
import type { Project } from '../../engine/project.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { LOG_FILE } from './files.ts';
import { look, signalGiven } from './look.ts';
import { observe } from './observe.ts';

const COMPLETE = '<loop-done>COMPLETE</loop-done>';

let project: Project;
beforeEach(() => {
  project = projectIn(emptyFolder());
  const stack = [{ mode: 'loop', iter: 1, max: 10 }];
  const body = { schema: 1, run_id: 'r1', updated_at: '2026-01-31T09:29:00Z', stack };
  const lines = [
    { type: 'topic', id: 'T', name: 'loop:current' },
    { type: 'message', id: 'M', topic_id: 'T', body: JSON.stringify(body) },
  ];
  writeIn(project, LOG_FILE, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
});

/** What a stop with a message of these blocks finds, and what a glance said before. */
async function looked(blocks: readonly string[], saved: { seen: string } | undefined = undefined) {
  const lines = [
    { type: 'user', uuid: 'u0', message: { role: 'user', content: 'Go' } },
    ...blocks.map((text, index) => ({
      ...{ type: 'assistant', uuid: `u${index + 1}` },
      message: { id: 'm1', role: 'assistant', content: [{ type: 'text', text }] },
    })),
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const transcriptPath = writeIn(project, 't.jsonl', text);
  const context = contextIn(project, 'r1', {
    stop: { lastMessage: blocks.at(-1) ?? null, transcriptPath },
    saved,
  });
  const { world, facts } = observe(context);
  const { signal, nearMiss, seen } = facts;
  return { glance: { signal, nearMiss, seen }, look: await look(context, world) };
}

describe('a message of several blocks', () => {
  it('gives its signal in an earlier one, with the newest line seen', async () => {
    expect(await looked([COMPLETE, 'That was all.'])).toEqual({
      glance: { signal: 'unread', nearMiss: 'none', seen: null },
      look: { signal: 'COMPLETE', nearMiss: 'none', seen: 'u2' },
    });
  });

  it('gives it in the last one, and the transcript is not read', async () => {
    expect((await looked(['<loop-done>STUCK</loop-done>', COMPLETE])).look).toEqual({
      ...{ signal: 'COMPLETE', nearMiss: 'none', seen: null },
    });
  });

  it('gives none where nothing of it is new', async () => {
    expect((await looked([COMPLETE, 'Working.'], { seen: 'u1' })).look).toEqual({
      ...{ signal: 'none', nearMiss: 'none', seen: 'u2' },
    });
  });

  it.each([
    [[`I say ${COMPLETE} then.`, '<loop-done>complete</loop-done>', 'So.'], 'place', 'none'],
    [['Hm.', '<loop-done>complete</loop-done>', 'So.'], 'spelling', 'spelling'],
    [[`I say ${COMPLETE} then.`, '<loop-done>complete</loop-done>'], 'spelling', 'none'],
    [['Hm.', 'So.'], 'none', 'none'],
  ])('tells what came near: %j', async (blocks, nearMiss, atAGlance) => {
    const { glance, look: found } = await looked(blocks);
    expect(found).toEqual({ signal: 'none', nearMiss, seen: `u${blocks.length}` });
    expect(glance.nearMiss).toBe(atAGlance);
  });

  it('is waited for where the transcript does not have it yet', async () => {
    fs.rmSync(path.join(project.root, 't.jsonl'), { force: true });
    const transcriptPath = path.join(project.root, 't.jsonl');
    const context = contextIn(project, 'r1', { stop: { lastMessage: 'So.', transcriptPath } });
    const { world, facts } = observe(context);
    expect(facts).toMatchObject({ signal: 'unread', seen: null });
    expect(await look(context, world)).toEqual({ signal: 'none', nearMiss: 'none', seen: '' });
  });
});

describe('a signal given while the loop was passed by', () => {
  const given = (lastMessage: string | null) =>
    signalGiven(contextIn(project, 'r1', { stop: { lastMessage } }));

  it('is kept with the state it was given in', async () => {
    const body = JSON.parse(
      fs.readFileSync(path.join(project.root, LOG_FILE), 'utf8').split('\n')[1] ?? '',
    ).body;
    const found = await given(COMPLETE);
    expect(found?.state).toBe(fingerprint(body));
    expect(found?.word).toContain('COMPLETE');
    expect(found?.word).toContain(fingerprint(body));
  });

  it.each(['So.', null, '<loop-done>complete</loop-done>'])('is none in %j', async (message) => {
    expect(await given(message)).toBeNull();
  });

  it('is none, and nothing is looked for, where there is no loop', async () => {
    fs.rmSync(path.join(project.root, LOG_FILE));
    expect(await given(COMPLETE)).toBeNull();
    const context = contextIn(project, 'r1', { stop: { lastMessage: COMPLETE } });
    const { world } = observe(context);
    expect(await look(context, world)).toEqual({ signal: 'none', nearMiss: 'none', seen: null });
  });
});
