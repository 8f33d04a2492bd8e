import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, contextIn, writeIn } from '../../../test/support/bare-project.ts';
import { RUN, runOf } from '../../../test/support/flow-run.ts';
import type { Stop } from '../../clients/stop.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import type { RunContext } from '../../engine/context.ts';
import type { Project } from '../../engine/project.ts';
import { askedOf, observe, standsIn } from './observe.ts';
import { pinFlow } from './pin.ts';

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
      - when: { review: critic }
        to: finished
  finished: { end: completed }
reviews: { critic: { prompt: Look, files: a.txt } }
`;
const DONE = '<flow>done</flow>';

let project: Project;
beforeEach(() => {
  const bare = bareProject();
  // Nobody's reviewer is on it.
  project = { ...bare, env: { ...bare.env, PATH: '/nowhere' } };
});

type Over = Partial<Omit<RunContext, 'stop'>> & { stop?: Partial<Stop> };
const seen = (over: Over = {}) => observe(contextIn(project, RUN, over));

describe('what a stop sees of a flow', () => {
  it('is nothing where there is no such run', () => {
    expect(seen()).toBeNull();
  });

  it('is where the run stands, with all facts that cost nothing', () => {
    const found = runOf(project, FLOW);
    const { world, ...rest } = seen() ?? {};
    expect(world).toEqual(found);
    expect(rest).toEqual({
      state: found.state,
      stateHash: found.stateHash,
      facts: {
        ...{ run: RUN, pinned: 'none', signal: '', nearMiss: 'none', seen: null, files: null, content: null },
        ...{ reviewed: null, reviews: 0, marks: null },
      },
    });
  });

  it('is whether the definition is the pinned one, while the run goes on', () => {
    const { text } = runOf(project, FLOW);
    pinFlow(project, RUN, text);
    expect(seen()?.facts.pinned).toBe('same');
    runOf(project, FLOW.replace('Do it', 'Do that'));
    expect(seen()?.facts.pinned).toBe('differs');
    runOf(project, FLOW.replace('Do it', 'Do that'), { ended: 'limit' });
    expect(seen()?.facts.pinned).toBe('same');
  });

  it('is that nobody can read it', () => {
    const { files } = runOf(project, FLOW);
    expect(seen()).not.toHaveProperty('unreadable');
    fs.writeFileSync(files.state, '{');
    expect(seen()).toMatchObject({
      unreadable: true,
      state: { kind: 'unreadable', what: 'state' },
      facts: { pinned: 'same', signal: '', reviewed: null, reviews: 0 },
    });
    const found = runOf(project, FLOW);
    expect(standsIn({ ...found, state: { kind: 'ended', outcome: 'limit' } })).toBeNull();
    expect(standsIn(found)).toBe(found.state);
  });

  it('is what the awaited review said last, and how many there were', () => {
    const critic = { content: 'c', verdict: 'findings', number: 2 } as const;
    const reviewed = { critic, other: { ...critic, number: 1 } };
    runOf(project, FLOW, { at: 'watch', reviewed, reviews: 3 });
    expect(seen()?.facts).toMatchObject({ reviewed: critic, reviews: 3 });
    runOf(project, FLOW, { at: 'work', reviewed, reviews: 3 });
    expect(seen()?.facts).toMatchObject({ reviewed: null, reviews: 3 });
    runOf(project, FLOW, { at: 'watch', ended: 'limit', reviewed });
    expect(seen()?.facts.reviewed).toBeNull();
  });

  it('is who reviews, only where a review is awaited and the user chose', () => {
    const models = ['a', 'b'] as const;
    const review = { ...DEFAULT_CONFIG.review, models, chosen: true };
    const chosen = { ...project, config: { ...DEFAULT_CONFIG, review } };
    const factsIn = (place: Project) => observe(contextIn(place, RUN))?.facts;
    runOf(project, FLOW, { at: 'watch' });
    expect(factsIn(chosen)?.reviewers).toEqual({ pair: models, standIn: null });
    runOf(project, FLOW);
    expect(factsIn(chosen)).not.toHaveProperty('reviewers');
  });
});

describe('a glance at the message', () => {
  const transcript = (...texts: readonly string[]): string => {
    const prompt = { type: 'user', uuid: 'u0', message: { role: 'user', content: 'Go' } };
    const lines = texts.map((text, index) => ({
      ...{ type: 'assistant', uuid: `u${index + 1}` },
      message: { id: 'm1', role: 'assistant', content: [{ type: 'text', text }] },
    }));
    return writeIn(
      project,
      't.jsonl',
      [prompt, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
  };
  const glance = (stop: Partial<Stop>) => {
    const { signal, nearMiss, seen: line } = seen({ stop })?.facts ?? {};
    return { signal, nearMiss, seen: line };
  };

  it.each([
    ['Working.', '', 'none'],
    [DONE, '?', 'none'],
    [`I will say ${DONE} then.`, '?', 'none'],
    ['<flow>Stuck</flow>', '', 'spelling'],
    ['<flow>other</flow>', '', 'none'],
    [null, '', 'none'],
  ])('%j leaves the signal %j, and near: %s', (lastMessage, signal, nearMiss) => {
    runOf(project, FLOW);
    expect(glance({ lastMessage })).toEqual({ signal, nearMiss, seen: null });
  });

  it.each([
    [['One.', 'Two.'], '', 'none', 'u2'],
    [['One.', '<flow>Done</flow>', 'Two.'], '', 'spelling', 'u3'],
    [[DONE, 'Two.'], '?', 'none', null],
    [['One.', DONE, 'Two.'], '?', 'none', null],
  ])('looks at all blocks where the transcript has them: %j', (blocks, signal, nearMiss, line) => {
    runOf(project, FLOW);
    const transcriptPath = transcript(...blocks);
    expect(glance({ lastMessage: blocks.at(-1) ?? '', transcriptPath })).toEqual({
      ...{ signal, nearMiss, seen: line },
    });
  });

  it('decides nothing where the transcript does not have the message yet', () => {
    runOf(project, FLOW);
    expect(glance({ lastMessage: 'Two.', transcriptPath: transcript('One.') })).toMatchObject({
      signal: '?',
    });
    expect(glance({ lastMessage: 'Two.', transcriptPath: path.join(project.root, 'none') })).toEqual({
      ...{ signal: '?', nearMiss: 'none', seen: null },
    });
  });

  it('is not needed where nobody listens, and the transcript is not read', () => {
    const stop = { lastMessage: 'Two.', transcriptPath: transcript('One.', 'Two.') };
    for (const state of [{ at: 'watch' }, { ended: 'limit' }] as const) {
      runOf(project, FLOW, state);
      for (const each of [{ lastMessage: DONE }, stop])
        expect(glance(each)).toEqual({ signal: '', nearMiss: 'none', seen: null });
    }
  });

  it('is not needed where a signal was kept in this very state, from the notes or from beside them', () => {
    const { stateHash: state } = runOf(project, FLOW);
    const signal = (over: Over): string | undefined =>
      seen({ stop: { lastMessage: 'Working.' }, ...over })?.facts.signal;
    expect(signal({ saved: { seen: null, kept: { name: 'done', state } } })).toBe('done');
    expect(signal({ keptSignals: [`${state} stuck`] })).toBe('stuck');
    expect(signal({ keptSignals: ['old done', `${state} other`, `${state} stuck`] })).toBe('stuck');
    expect(signal({ saved: { seen: null, kept: { name: 'done', state: 'old' } } })).toBe('');
    expect(signal({ saved: { seen: null, kept: { name: 'other', state } } })).toBe('');
    expect(seen({ keptSignals: [`${state} done`], stop: { lastMessage: DONE } })?.facts).toMatchObject({
      ...{ signal: 'done', nearMiss: 'none', seen: null },
    });
  });
});

describe('what is asked of a transcript', () => {
  const asked = (lastMessage: string | null) =>
    askedOf(
      contextIn(project, RUN, { stop: { lastMessage, transcriptPath: '/t' }, saved: { seen: 'line' } }),
    );

  it('is the message after the line seen last, by its last block where there is one', () => {
    const rest = { file: '/t', session: 'session-1', since: 'line' };
    expect(asked('Done.')).toEqual({ ...rest, lastBlock: 'Done.' });
    expect(asked(' \n')).toEqual({ ...rest, lastBlock: null });
    expect(asked(null)).toEqual({ ...rest, lastBlock: null });
  });
});
