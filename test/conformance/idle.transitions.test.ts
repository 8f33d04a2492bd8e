// Every transition of the reference's table through the real hook, in both places a state can be in. Fired by hand
// and in the sessions of both clients: there the loop is one that the session started with `idle loop` and whose
// state then came to be as the test wants it, or a file of the user's own that the session adopted.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  bodies,
  FILE,
  type Frame,
  LOG,
  latest,
  postBody,
  postState,
  putAway,
  RUN,
  stores,
} from '../fixtures/idle/loops.ts';
import { type RunOptions, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { type Talk, talkIn, type Way, ways } from '../support/ways.ts';

let project: TempProject;
let talk: Talk;
/** The run whose state the tests write. */
let run: string;
/** How many messages the topic had before the test. */
let posted: number;

async function begin(way: Way, started: boolean): Promise<void> {
  project = tempProject();
  talk = talkIn(way, project);
  run = RUN;
  posted = 0;
  if (talk.session === null || !started) return;
  await holdfast('idle', 'loop', 'Fix the parser.');
  run = latest(project).run_id ?? '';
  posted = bodies(project).length;
}

afterEach(() => project.remove());

async function holdfast(...args: string[]): Promise<void> {
  const { exitCode, stderr } = await runCli(project.root, args, { env: { ...talk.env } });
  if (exitCode !== 0) throw new Error(`holdfast ${args.join(' ')}: ${stderr}`);
}

/** A file that somebody else wrote is not the session's until it adopts it. */
async function stop(said?: string, options: RunOptions = {}) {
  if (talk.session !== null && run === RUN && project.exists(FILE)) {
    await holdfast('adopt', 'idle:local-file');
    run = 'local-file';
  }
  return talk.stop(said, {}, options);
}

const post = (stack: readonly object[], more: object = {}): void =>
  postState(project, stack, { run_id: run, ...more });
const firstLine = (reason: string | undefined): string | undefined => reason?.split('\n')[0];
const COMPLETE = 'All done.\n\n<loop-done>COMPLETE</loop-done>';
const line = (n: number, max: number): string =>
  `[ITERATION ${n}/${max}] Continue working on the task. Check your progress and either complete the task or keep iterating.`;

const placed = ways.flatMap(([where, way]) =>
  stores.map((store) => ({ name: `${store.name}${where}`, way, store })),
);

describe.each(placed)('with the loop in the $name', ({ way, store }) => {
  const isTopic = store === stores[0];
  const put = (frame: Frame, ageMinutes?: number): void => store.put(project, frame, ageMinutes, run);

  // Which signal ends which mode does not depend on both the place and the client: one of each mode will do there.
  const enough = (cases: readonly [string, string][]): readonly [string, string][] =>
    isTopic || way === 'by hand'
      ? cases
      : cases.filter(([mode], index) => cases.findLastIndex(([other]) => other === mode) === index);

  beforeEach(() => begin(way, isTopic));

  it('IDLE: without a state nothing is done', { tags: ['I-state-idle', 'I-state-idle.b'] }, async () => {
    const none = tempProject();
    const fired = await talkIn(way, none).stop();
    none.remove();
    expect(fired).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('IDLE to ACTIVE: a loop that was started holds', {
    tags: ['I-source-2', 'I-state-active'],
  }, async () => {
    put({});
    const fired = await stop('Working.');
    expect(fired.exitCode).toBe(0);
    expect(fired.answer?.decision).toBe('block');
    expect(firstLine(fired.answer?.reason)).toBe(line(1, 10));
    expect(store.iteration(project)).toBe(1);
  });

  it('ACTIVE to ACTIVE: without a signal the iteration goes up by one at each stop', {
    tags: ['I-state-active.e', 'I-transition-2'],
  }, async () => {
    put({ iter: 3 });
    for (const n of [4, 5, 6]) {
      expect(firstLine((await stop('Working.')).answer?.reason)).toBe(line(n, 10));
      expect(store.iteration(project)).toBe(n);
    }
    expect(store.ended(project)).toBeNull();
  });

  it('ACTIVE to COMPLETING to IDLE: a signal ends the loop', {
    tags: [
      'I-state-completing',
      'I-state-completing.a',
      'I-state-completing.c',
      'I-transition-3',
      'I-transition-7',
    ],
  }, async () => {
    put({ iter: 3 });
    expect((await stop(COMPLETE)).answer?.decision).toBeUndefined();
    expect(store.ended(project)).toMatch(/^(DONE COMPLETE|removed)$/);
    expect(await stop('And now?')).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it.each(
    enough([
      ['loop', '<loop-done>COMPLETE</loop-done>'],
      ['loop', '<loop-done>MAX_ITERATIONS</loop-done>'],
      ['loop', '<loop-done>STUCK</loop-done>'],
      ['issue', '<loop-done>COMPLETE</loop-done>'],
      ['issue', '<loop-done>MAX_ITERATIONS</loop-done>'],
      ['issue', '<loop-done>STUCK</loop-done>'],
      ['issue', '<issue-complete>DONE</issue-complete>'],
      ['grind', '<grind-done>NO_MORE_ISSUES</grind-done>'],
      ['grind', '<grind-done>MAX_ISSUES</grind-done>'],
    ]),
  )(
    'mode %s is completed by %s',
    { tags: ['I-state-active.b', 'I-state-active.c', 'I-state-active.d'] },
    async (mode, signal) => {
      put({ mode, iter: 1 });
      expect((await stop(`So.\n${signal}\nBye.`)).answer?.decision).toBeUndefined();
      expect(store.ended(project)).not.toBeNull();
    },
  );

  it.each(
    enough([
      ['loop', '<issue-complete>DONE</issue-complete>'],
      ['loop', '<grind-done>NO_MORE_ISSUES</grind-done>'],
      ['grind', '<loop-done>COMPLETE</loop-done>'],
      ['issue', '<grind-done>MAX_ISSUES</grind-done>'],
    ]),
  )(
    'mode %s is not completed by %s',
    { tags: ['I-state-active.b', 'I-state-active.c', 'I-state-active.d'] },
    async (mode, signal) => {
      put({ mode, iter: 1 });
      expect((await stop(signal)).answer?.decision).toBe('block');
      expect(store.ended(project)).toBeNull();
    },
  );

  it('ACTIVE to STUCK: at its maximum the loop ends with a notice', {
    tags: ['I-state-stuck', 'I-state-stuck.b', 'I-state-stuck.d', 'I-transition-4'],
  }, async () => {
    put({ iter: 10, max: 10 });
    const fired = await stop('Working.');
    expect(fired.exitCode).toBe(0);
    expect(fired.answer?.decision).toBeUndefined();
    expect(fired.answer?.systemMessage).toContain('all its 10 iterations');
    expect(store.ended(project)).toMatch(/^(DONE MAX_ITERATIONS|removed)$/);
  });

  it('ACTIVE to STUCK: past its maximum the loop ends too', { tags: ['I-transition-4'] }, async () => {
    put({ iter: 99, max: 10 });
    expect((await stop('Working.')).answer?.decision).toBeUndefined();
    expect(store.ended(project)).not.toBeNull();
  });

  it('a signal in the iteration that reached the maximum is a completion', {
    tags: ['I-state-stuck'],
  }, async () => {
    put({ iter: 10, max: 10 });
    expect((await stop(COMPLETE)).answer?.decision).toBeUndefined();
    expect(store.ended(project)).toMatch(/^(DONE COMPLETE|removed)$/);
  });

  it('ACTIVE to STUCK: older than two hours it warns, lets go and leaves the state', {
    tags: [
      'I-state-stuck.a',
      'I-state-stuck.c',
      'I-state-stuck.d',
      'I-transition-5',
      'I-invariant-1',
      'I-edge-5',
    ],
  }, async () => {
    put({ iter: 3 }, 121);
    const fired = await stop('Working.');
    expect(fired.exitCode).toBe(0);
    expect(fired.answer?.decision).toBeUndefined();
    expect(fired.answer?.systemMessage).toContain('more than two hours old');
    expect(fired.answer?.systemMessage).toContain('idle resume');
    expect(store.iteration(project)).toBe(3);
    expect(store.ended(project)).toBeNull();
  });

  it('stale and signal at once: the state stays', { tags: ['I-invariant-1'] }, async () => {
    put({ iter: 3 }, 121);
    expect((await stop(COMPLETE)).answer?.systemMessage).toContain('more than two hours old');
    expect(store.ended(project)).toBeNull();
  });

  it('a state younger than two hours goes on', { tags: ['I-state-active'] }, async () => {
    put({ iter: 3 }, 119);
    expect((await stop('Working.')).answer?.decision).toBe('block');
  });

  it.each(['abc', '-1', '1.5', '$(touch pwned)', -1, 1.5, 1e21])(
    'ACTIVE to ABORTED: the iteration %s ends the loop',
    {
      tags: [
        'I-state-aborted.a',
        'I-state-aborted.b',
        'I-state-aborted.c',
        'I-transition-6',
        'I-invariant-2',
      ],
    },
    async (iter) => {
      put({ iter });
      const fired = await stop('Working.');
      expect(fired.exitCode).toBe(0);
      expect(fired.answer?.decision).toBeUndefined();
      expect(fired.answer?.systemMessage).toContain('not a whole number');
      expect(store.ended(project)).toMatch(/^(ABORT CORRUPTED|removed)$/);
      expect(project.exists('pwned')).toBe(false);
    },
  );

  it('ACTIVE to ABORTED: a corrupt maximum ends the loop, signal or not', {
    tags: ['I-state-aborted.a'],
  }, async () => {
    put({ max: 'many' });
    expect((await stop(COMPLETE)).answer?.decision).toBeUndefined();
    expect(store.ended(project)).toMatch(/^(ABORT CORRUPTED|removed)$/);
  });

  it('an unknown mode is let go with a notice and left as it is', async () => {
    put({ mode: 'marathon', iter: 2 });
    const fired = await stop(COMPLETE);
    expect(fired.answer?.decision).toBeUndefined();
    expect(fired.answer?.systemMessage).toContain('"marathon"');
    expect(store.iteration(project)).toBe(2);
  });

  it('IDLE_LOOP_DISABLE=1 leaves everything alone', { tags: ['I-note-6'] }, async () => {
    put({ iter: 3 });
    const fired = await stop(COMPLETE, { env: { IDLE_LOOP_DISABLE: '1' } });
    expect(fired).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(store.iteration(project)).toBe(3);
  });
});

describe.each(ways)('the topic store%s', (_where, way) => {
  beforeEach(() => begin(way, true));

  it('IDLE: an empty stack is let go and nothing is posted', {
    tags: ['I-state-idle.a', 'I-state-idle.b'],
  }, async () => {
    post([]);
    const before = project.read(LOG);
    expect(await stop('Working.')).toMatchObject({ exitCode: 0, stdout: '' });
    expect(project.read(LOG)).toBe(before);
  });

  it('ABORTED: an ABORT is let go and nothing more is posted', { tags: ['I-state-aborted'] }, async () => {
    post([{ mode: 'loop', iter: 1, max: 5 }], { event: 'ABORT', reason: 'USER_CANCELLED' });
    const before = project.read(LOG);
    expect(await stop('Working.')).toMatchObject({ exitCode: 0, stdout: '' });
    expect(project.read(LOG)).toBe(before);
  });

  it('COMPLETING to ACTIVE: the stop is let go, and the outer loop goes on at the next', {
    tags: ['I-state-completing', 'I-state-completing.b', 'I-transition-8'],
  }, async () => {
    post([
      { mode: 'loop', iter: 4, max: 10 },
      { mode: 'loop', iter: 2, max: 5 },
    ]);
    expect(await stop(COMPLETE)).toMatchObject({ exitCode: 0, stdout: '' });
    expect(latest(project)).toMatchObject({ event: 'STATE', stack: [{ iter: 4 }] });
    expect(firstLine((await stop('Working.')).answer?.reason)).toBe(line(5, 10));
  });

  it('COMPLETING: an uncovered frame that carries on holds at once', {
    tags: ['I-state-completing.b'],
  }, async () => {
    post([
      { mode: 'grind', iter: 4, max: 100, carry_on: true },
      { mode: 'issue', iter: 2, max: 10 },
    ]);
    const fired = await stop('<issue-complete>DONE</issue-complete>');
    expect(firstLine(fired.answer?.reason)).toBe(line(5, 100));
    expect(latest(project).stack).toEqual([{ mode: 'grind', iter: 5, max: 100, carry_on: true }]);
    expect(bodies(project)).toHaveLength(posted + 2);
  });

  it('an inner maximum keeps the frames below it', async () => {
    post([
      { mode: 'loop', iter: 4, max: 10, id: 'outer' },
      { mode: 'loop', iter: 5, max: 5 },
    ]);
    expect((await stop('Working.')).answer?.systemMessage).toContain('idle resume');
    expect(latest(project)).toMatchObject({
      event: 'DONE',
      reason: 'MAX_ITERATIONS',
      stack: [{ id: 'outer', iter: 4 }],
    });
    expect(await stop('Working.')).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it('is read though its JSON was written over several lines', { tags: ['I-note-1'] }, async () => {
    const stack = [
      { mode: 'loop', iter: 4, max: 10 },
      { mode: 'loop', iter: 2, max: 5 },
    ];
    const state = { schema: 1, event: 'STATE', run_id: run, updated_at: new Date().toISOString(), stack };
    postBody(project, JSON.stringify(state, null, 2));
    expect(await stop(COMPLETE)).toMatchObject({ exitCode: 0, stdout: '' });
    expect(firstLine((await stop('Working.')).answer?.reason)).toBe(line(5, 10));
  });

  it('comes before the fallback file', { tags: ['I-source-1'] }, async () => {
    stores[1].put(project, { iter: 1 });
    post([{ mode: 'loop', iter: 4, max: 10 }]);
    expect(firstLine((await stop('Working.')).answer?.reason)).toBe(line(5, 10));
    expect(stores[1].iteration(project)).toBe(1);
    post([], { event: 'DONE' });
    expect(await stop('Working.')).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(stores[1].iteration(project)).toBe(1);
  });

  it('counts with its latest message, whatever other topics say after it', {
    tags: ['I-source-1'],
  }, async () => {
    post([{ mode: 'loop', iter: 2, max: 10 }]);
    post([{ mode: 'loop', iter: 6, max: 10 }]);
    const elsewhere = {
      schema: 1,
      event: 'DONE',
      run_id: run,
      updated_at: new Date().toISOString(),
      stack: [],
    };
    postBody(project, JSON.stringify(elsewhere), 'loop:other');
    expect(firstLine((await stop('Working.')).answer?.reason)).toBe(line(7, 10));
    expect(latest(project)).toMatchObject({ event: 'STATE', stack: [{ iter: 7 }] });
  });

  it.each(['{"schema":1,"stack":[', 'not json at all', '{"schema":1,"event":"STATE","stack":"none"}'])(
    'state that cannot be parsed is let go and nothing is posted: %s',
    { tags: ['I-edge-4', 'I-note-1.c'] },
    async (body) => {
      postBody(project, body);
      const before = project.read(LOG);
      const fired = await stop(COMPLETE);
      expect(fired.exitCode).toBe(0);
      expect(fired.answer?.decision).toBeUndefined();
      expect(fired.answer?.systemMessage).toContain('cannot be read');
      expect(project.read(LOG)).toBe(before);
    },
  );

  it('a message without a schema is no state', { tags: ['I-note-1.d'] }, async () => {
    const { schema: _, ...rest } = {
      schema: 1,
      event: 'STATE',
      stack: [{ mode: 'loop' }],
      updated_at: '2999-01-01T00:00:00Z',
    };
    postBody(project, JSON.stringify(rest));
    expect(await stop('Working.')).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it.each([
    ['missing', {}],
    ['null', { iter: null, max: null }],
  ])(
    'iteration and maximum have defaults where they are %s',
    { tags: ['I-note-1.a', 'I-note-1.b'] },
    async (_, counts) => {
      post([{ mode: 'grind', ...counts }]);
      expect(firstLine((await stop('Working.')).answer?.reason)).toBe(line(1, 100));
    },
  );

  it.each([
    ['Z', (time: string) => time],
    ['+00:00', (time: string) => time.replace('Z', '+00:00')],
  ])('a time that ends in %s is understood', { tags: ['I-note-2', 'I-note-2.a'] }, async (_, write) => {
    const at = (minutes: number) => write(new Date(Date.now() - minutes * 60_000).toISOString());
    post([{ mode: 'loop' }], { updated_at: at(119) });
    expect((await stop('Working.')).answer?.decision).toBe('block');
    post([{ mode: 'loop' }], { updated_at: at(121) });
    expect((await stop('Working.')).answer?.decision).toBeUndefined();
  });

  it.each([undefined, null, 'yesterday', 1_794_000_000])(
    'the time %j counts as stale',
    { tags: ['I-invariant-1', 'I-note-1.a'] },
    async (updated_at) => {
      post([{ mode: 'loop' }], { updated_at });
      expect((await stop('Working.')).answer?.systemMessage).toContain('has no timestamp');
    },
  );

  it('a time in the future counts as fresh', async () => {
    post([{ mode: 'loop' }], { updated_at: '2999-01-01T00:00:00Z' });
    expect((await stop('Working.')).answer?.decision).toBe('block');
  });
});

describe.each(ways)('the fallback file%s', (_where, way) => {
  beforeEach(() => begin(way, false));

  it('keeps a copy when the loop ends', async () => {
    stores[1].put(project, { iter: 3 });
    await stop(COMPLETE);
    expect(project.exists(FILE)).toBe(false);
    const [copy] = putAway(project);
    expect(project.read(`.holdfast/idle/${copy}`)).toContain('iteration: 3');
  });

  it('is not a loop when it is not active', async () => {
    stores[1].put(project, {});
    expect((await stop('Working.')).answer?.decision).toBe('block');
    project.write(FILE, '---\nactive: false\nmode: loop\niteration: 1\nmax_iterations: 5\n---\nTask\n');
    expect(await stop('Working.')).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it('is let go with a notice when it cannot be read', { tags: ['I-edge-4'] }, async () => {
    stores[1].put(project, {});
    expect((await stop('Working.')).answer?.decision).toBe('block');
    project.write(FILE, 'mode: loop\n');
    const fired = await stop('Working.');
    expect(fired.answer?.decision).toBeUndefined();
    expect(fired.answer?.systemMessage).toContain(FILE);
    expect(project.read(FILE)).toBe('mode: loop\n');
  });

  it('is read where the log has topics and messages, but no state of a loop', {
    tags: ['I-source-2'],
  }, async () => {
    postBody(project, '{"event":"STATE","stack":[{"mode":"loop"}]}');
    postBody(project, '{"schema":1,"event":"STATE","stack":[{"mode":"grind","iter":50}]}', 'loop:other');
    stores[1].put(project, { iter: 2 });
    expect(firstLine((await stop('Working.')).answer?.reason)).toBe(line(3, 10));
    expect(stores[1].iteration(project)).toBe(3);
  });

  it('gives its text as the task', { tags: ['I-source-2'] }, async () => {
    stores[1].put(project, {});
    expect((await stop('Working.')).answer?.reason).toContain('Fix the parser.');
  });
});
