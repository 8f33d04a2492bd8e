// What is fetched outside the lock: the pin, the signal in the agent's last message, and that files are looked at.

import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, contextIn, writeIn } from '../../../test/support/bare-project.ts';
import { RUN, runOf } from '../../../test/support/flow-run.ts';
import type { Stop } from '../../clients/stop.ts';
import type { RunContext } from '../../engine/context.ts';
import type { Project } from '../../engine/project.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import type { Json } from '../../store/json.ts';
import { look, signalGiven } from './look.ts';
import { comparePin } from './pin.ts';

const FLOW = `flow: sample
start: work
states:
  work:
    say: Do it
    leave:
      - when: { signal: done }
        to: watch
      - when: { signal: stuck }
        to: finished
  watch:
    say: Go on
    leave:
      - when: { file: { glob: a.txt, is: changed } }
        to: finished
      - when: { file: { glob: b.txt, is: exists } }
        to: finished
      - when: { review: critic }
        to: finished
  finished: { end: completed }
reviews: { critic: { prompt: Look, files: a.txt } }
`;

let project: Project;
beforeEach(() => {
  project = bareProject();
});

const contextOf = (stop: Partial<Stop> = {}, saved?: Json): RunContext =>
  contextIn(project, RUN, { stop, saved });

/** A message of several blocks, as Claude Code writes it: one line for each. */
function transcript(...blocks: readonly string[]): string {
  const prompt = {
    type: 'user',
    uuid: 'u0',
    sessionId: 'session-1',
    message: { role: 'user', content: 'Go' },
  };
  const lines = blocks.map((text, index) => ({
    ...{ type: 'assistant', uuid: `u${index + 1}`, sessionId: 'session-1' },
    message: { id: 'm1', role: 'assistant', content: [{ type: 'text', text }] },
  }));
  const text = [prompt, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
  return writeIn(project, 'transcript.jsonl', text);
}

const DONE = '<flow>done</flow>';

describe('the signal of a stop', () => {
  const signalIn = (stop: Partial<Stop>, saved?: Json) =>
    look('signal', contextOf(stop, saved), runOf(project, FLOW));

  it.each([
    [`Ready.\n\n${DONE}\n`, 'done', 'none'],
    ['<flow>stuck</flow>', 'stuck', 'none'],
    [`<flow>stuck</flow>\n\n${DONE}`, 'stuck', 'none'],
    [`I will say ${DONE} then.`, '', 'place'],
    [`\`\`\`\n${DONE}\n\`\`\``, '', 'code'],
    ['<flow>Done</flow>', '', 'spelling'],
    ['<flow>other</flow>', '', 'none'],
    ['Working.', '', 'none'],
  ])('of the message %j is %j, and near: %s', async (lastMessage, signal, nearMiss) => {
    const seen = signal === '' ? '' : null;
    expect(await signalIn({ lastMessage })).toEqual({ signal, nearMiss, seen });
  });

  it('is none where there is no message at all', async () => {
    expect(await signalIn({})).toEqual({ signal: '', nearMiss: 'none', seen: '' });
  });

  it('may be in an earlier block, which only the transcript has, with the newest line seen', async () => {
    const transcriptPath = transcript(DONE, 'That was all.');
    expect(await signalIn({ lastMessage: 'That was all.', transcriptPath })).toEqual({
      ...{ signal: 'done', nearMiss: 'none', seen: 'u2' },
    });
  });

  it('of the last block counts, and the transcript is not read', async () => {
    const transcriptPath = transcript('<flow>stuck</flow>', DONE);
    expect(await signalIn({ lastMessage: DONE, transcriptPath })).toEqual({
      ...{ signal: 'done', nearMiss: 'none', seen: null },
    });
  });

  it('is not read from what was seen at the last stop', async () => {
    const transcriptPath = transcript(DONE, 'Working.');
    expect(await signalIn({ lastMessage: 'Working.', transcriptPath }, { seen: 'u1', kept: null })).toEqual({
      ...{ signal: '', nearMiss: 'none', seen: 'u2' },
    });
  });

  it.each([
    [[`Say ${DONE} then.`, '<flow>Done</flow>', 'So.'], 'place'],
    [['Hm.', '<flow>Done</flow>', 'So.'], 'spelling'],
    [[`Say ${DONE} then.`, '<flow>DONE</flow>'], 'spelling'],
    [['Hm.', 'So.'], 'none'],
  ])(
    'that comes near is told of the message’s last block, else of the first: %j',
    async (blocks, nearMiss) => {
      const transcriptPath = transcript(...blocks);
      expect(await signalIn({ lastMessage: blocks.at(-1) ?? '', transcriptPath })).toEqual({
        ...{ signal: '', nearMiss, seen: `u${blocks.length}` },
      });
    },
  );

  it('is none where nobody listens, and where the run has ended', async () => {
    const watching = runOf(project, FLOW, { at: 'watch' });
    const nothing = { signal: '', nearMiss: 'none', seen: null };
    expect(await look('signal', contextOf({ lastMessage: DONE }), watching)).toEqual(nothing);
    const ended = runOf(project, FLOW, { ended: 'limit' });
    expect(await look('signal', contextOf({ lastMessage: DONE }), ended)).toEqual({ signal: '' });
  });
});

describe('a signal that is given while the run is passed by', () => {
  it('is kept with the state it was given in', async () => {
    const { stateHash } = runOf(project, FLOW);
    expect(await signalGiven(contextOf({ lastMessage: DONE }))).toEqual({
      ...{ word: `${stateHash} done`, state: stateHash },
    });
    expect(await signalGiven(contextOf({ lastMessage: 'Working.' }))).toBeNull();
  });

  it('is none without a run, and where it has ended', async () => {
    expect(await signalGiven(contextOf({ lastMessage: DONE }))).toBeNull();
    runOf(project, FLOW, { ended: 'completed' });
    expect(await signalGiven(contextOf({ lastMessage: DONE }))).toBeNull();
  });
});

describe('a look', () => {
  it('at the pin makes it', async () => {
    const world = runOf(project, FLOW);
    expect(comparePin(project, RUN, world.text)).toBe('none');
    expect(await look('pin', contextOf(), world)).toEqual({ pinned: 'same' });
    expect(comparePin(project, RUN, world.text)).toBe('same');
    expect(await look('pin', contextOf(), { ...world, text: '{}' })).toEqual({ pinned: 'differs' });
  });

  it('at files says of each condition whether it holds', async () => {
    const world = runOf(project, FLOW, { at: 'watch' });
    expect(await look('files', contextOf(), world)).toEqual({
      files: { 'changed a.txt': false, 'exists b.txt': false },
    });
    writeIn(project, 'b.txt', 'x');
    expect(await look('files', contextOf(), world)).toEqual({
      files: { 'changed a.txt': false, 'exists b.txt': true },
    });
  });

  it('at content is one fingerprint of what the review sees', async () => {
    const world = runOf(project, FLOW, { at: 'watch' });
    const empty = { content: fingerprint('[]') };
    expect(await look('content', contextOf(), world)).toEqual(empty);
    writeIn(project, 'b.txt', 'x');
    expect(await look('content', contextOf(), world)).toEqual(empty);
  });

  it('at the marks of a state is what the files are like that it watches', async () => {
    const world = runOf(project, FLOW);
    expect(await look('marks watch', contextOf(), world)).toEqual({
      marks: { of: 'watch', marks: { 'a.txt': fingerprint('[]') } },
    });
    expect(await look('marks finished', contextOf(), world)).toEqual({
      marks: { of: 'finished', marks: {} },
    });
  });
});
