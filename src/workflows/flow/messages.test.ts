// Every message of a flow, whole, as an agent or a user reads it.

import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, contextIn, writeIn } from '../../../test/support/bare-project.ts';
import { RUN, runOf } from '../../../test/support/flow-run.ts';
import type { Stop } from '../../clients/stop.ts';
import type { Project } from '../../engine/project.ts';
import type { Message } from '../../engine/step.ts';
import { say } from './messages.ts';
import type { World } from './observe.ts';

const FLOW = `flow: sample
holds: 20
start: work
states:
  work:
    say: |
      Do {{task}},
      for the {{visits}}. time.
    leave:
      - { when: { signal: done }, to: finished }
      - { when: { signal: ask }, to: ask }
      - { when: { signal: wait }, to: wait }
      - { when: { signal: stop }, to: gone }
  ask:
    pause: true
    say: "  Is it right?\\n\\n  Say so.  "
    leave: [{ when: { visits: 1 }, to: work }]
  wait:
    pause: true
    leave: [{ when: { visits: 1 }, to: work }]
  gone: { end: let-go, say: It is not. }
  finished: { end: completed }
`;

let project: Project;
let world: World;
beforeEach(() => {
  project = bareProject();
  world = runOf(project, FLOW, { held: 3 });
  writeIn(project, `.holdfast/flow/${RUN}/task.md`, 'the {{say}}\n');
});

const said = (name: string, slots: Message['slots'], stop: Partial<Stop> = {}, in_ = world): string =>
  say({ name, slots }, in_, contextIn(project, RUN, { stop }));

describe('what a flow says to the agent', () => {
  const HOLD = { state: 'work', hold: 4, most: 20, visits: 2 };

  it('is the text of its state, and how often it has held', () => {
    expect(said('say', HOLD)).toBe(
      '[FLOW sample: work, hold 4 of at most 20]\n\nDo the {{say}},\nfor the 2. time.',
    );
  });

  it.each([
    [
      'place',
      'A signal was seen in your last message, but not on a line of its own, so it did not count. If you meant it, write it alone on a line, outside code.',
    ],
    [
      'code',
      'A signal was seen in your last message, but as code or in a comment, so it did not count. If you meant it, write it alone on a line, outside code.',
    ],
    [
      'spelling',
      'Something like a signal was seen in your last message, but not spelled exactly so, and it did not count. If you meant it, write it alone on a line, outside code.',
    ],
  ])('is why a signal did not count: %s', (nearMiss, hint) => {
    expect(said('say', { ...HOLD, nearMiss })).toBe(
      `[FLOW sample: work, hold 4 of at most 20]\n\n${hint}\n\nDo the {{say}},\nfor the 2. time.`,
    );
  });

  it('is a heading alone where the definition does not have the state, or a message has no slots', () => {
    expect(said('say', { ...HOLD, state: 'constructor' })).toBe(
      '[FLOW sample: constructor, hold 4 of at most 20]',
    );
    expect(said('say', {})).toBe('[FLOW sample: , hold 0 of at most 0]');
  });
});

describe('what a flow says to the user', () => {
  it.each<[string, Message['slots'], string]>([
    [
      'paused',
      { state: 'ask', visits: 1 },
      `Holdfast: the flow sample is paused in "ask", it is your turn. Is it right? Say so. It goes on with your next prompt; \`holdfast cancel flow:${RUN}\` ends it.`,
    ],
    [
      'paused',
      { state: 'wait', visits: 1 },
      `Holdfast: the flow sample is paused in "wait", it is your turn. It goes on with your next prompt; \`holdfast cancel flow:${RUN}\` ends it.`,
    ],
    ['completed', { state: 'finished' }, 'Holdfast: the flow sample is complete, after 3 holds.'],
    [
      'let-go',
      { state: 'gone' },
      'Holdfast: the flow sample ended in "gone" without coming to its goal, after 3 holds. It is not.',
    ],
    [
      'limit',
      { state: 'work', most: 20 },
      'Holdfast: the flow sample has used up its 20 holds in "work" and has ended. Look at what is there before you start it again with `holdfast flow start sample`.',
    ],
    [
      'differs',
      {},
      `Holdfast: the definition of flow:${RUN} is not what it was at its first stop, so the flow no longer holds the agent and has ended. Somebody changed .holdfast/flow/${RUN}/definition.json. To begin again: \`holdfast flow start sample\`.`,
    ],
    [
      'check-lost',
      { check: 'test', end: 'untrusted' },
      'Holdfast: the flow sample has ended in "work", since nobody can tell any more how it goes on: the check test is not trusted. `holdfast check test` shows why; then start again with `holdfast flow start sample`.',
    ],
    [
      'check-lost',
      { check: 'test', end: 'cannot-run' },
      'Holdfast: the flow sample has ended in "work", since nobody can tell any more how it goes on: the check test cannot run. `holdfast check test` shows why; then start again with `holdfast flow start sample`.',
    ],
    [
      'review-failed',
      { review: 'critic', failures: 2, cause: 'exit-code', code: 7, reviewer: 'codex' },
      `Holdfast: the review critic of flow:${RUN} ended without a verdict (try 2 of 3), so the agent may stop; the next stop tries again. Why: it ended with exit code 7.`,
    ],
    [
      'review-given-up',
      { review: 'critic', failures: 3, cause: 'timed-out' },
      `Holdfast: the review critic of flow:${RUN} ended without a verdict 3 times in a row, so the flow has ended. Why, the last time: it was ended at our deadline (review.timeout in holdfast.config.json). Once that is fixed: \`holdfast flow start sample\`.`,
    ],
    [
      'unreadable',
      { what: 'state' },
      `Holdfast: .holdfast/flow/${RUN}/state.json cannot be read as the state of a flow, so the agent may stop. \`holdfast cancel flow:${RUN}\` puts an end to the run.`,
    ],
    [
      'released',
      { state: 'work', holds: '6 holds in a row' },
      `Holdfast: the flow sample stands in "work": no progress in 6 holds in a row, so the agent may stop. It is not over: \`holdfast adopt flow:${RUN}\` goes on with it, \`holdfast cancel flow:${RUN}\` ends it.`,
    ],
  ])('when it is %s, with %j', (name, slots, text) => {
    expect(said(name, slots)).toBe(text);
  });

  const NO_TIME = `Holdfast: there was no time at this stop for the check test of flow:${RUN} to end, so the agent may stop; the flow stays in "work", and the next stop tries again.`;

  it.each([
    [undefined, ''],
    [
      0,
      ` How long the client lets this hook run is not known; to go on in one that says it: holdfast adopt flow:${RUN}`,
    ],
    [
      300,
      " The client ends this hook after 300 s, of which 60 are kept back: where the check needs longer, raise the hook's timeout, and the `--limit` in its command.",
    ],
  ])('when a check has no time in a hook of %s s', (limitS, how) => {
    expect(said('no-time', { check: 'test' }, limitS === undefined ? {} : { limitS })).toBe(
      `${NO_TIME}${how}`,
    );
  });

  it('counts one hold as one, and none as none', () => {
    const once = runOf(project, FLOW, { held: 1 });
    expect(said('completed', {}, {}, once)).toBe('Holdfast: the flow sample is complete, after 1 hold.');
    expect(said('completed', {}, {}, { ...world, run: null })).toBe(
      'Holdfast: the flow sample is complete, after 0 holds.',
    );
  });

  it('calls a flow by its definition, else by its run, else by nothing', () => {
    const without = { ...world, definition: null };
    expect(said('completed', { state: 'gone' }, {}, without)).toBe(
      'Holdfast: the flow sample is complete, after 3 holds.',
    );
    expect(said('completed', {}, {}, { ...without, run: null })).toBe(
      'Holdfast: the flow unknown is complete, after 0 holds.',
    );
    const renamed = world.run === null ? null : { ...world.run, flow: 'other' };
    expect(said('completed', {}, {}, { ...without, run: renamed })).toBe(
      'Holdfast: the flow other is complete, after 3 holds.',
    );
    expect(said('completed', {}, {}, { ...world, run: renamed })).toBe(
      'Holdfast: the flow sample is complete, after 3 holds.',
    );
  });

  it.each([
    ['paused', ' is paused in "", it is your turn. It goes'],
    ['let-go', 'ended in "" without'],
    ['check-lost', 'has ended in "", since nobody can tell any more how it goes on: the check  cannot run.'],
    ['no-time', `for the check  of flow:${RUN} to end, so the agent may stop; the flow stays in "", and`],
    ['review-failed', `the review  of flow:${RUN} ended without a verdict (try 0 of 3)`],
    ['review-given-up', `the review  of flow:${RUN} ended without a verdict 0 times`],
    ['unreadable', `.holdfast/flow/${RUN}/.json cannot be read as the  of a flow`],
    ['released', 'stands in "": no progress in , so'],
  ])('leaves empty what a step does not say: %s', (name, part) => {
    expect(said(name, {}, {}, { ...world, run: null })).toContain(part);
  });

  it('is nothing where there is no such message', () => {
    expect(() => said('other', {})).toThrow('flow has no message other');
    expect(() => said('constructor', {})).toThrow('flow has no message constructor');
  });
});
