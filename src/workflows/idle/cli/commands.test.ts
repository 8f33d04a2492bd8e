// The commands of a loop, as their source has them: what each prints, refuses and writes.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder, NOW, projectIn } from '../../../../test/support/bare-project.ts';
import { called, type Given } from '../../../../test/support/call.ts';
import { DEFAULT_CONFIG } from '../../../config/config.ts';
import type { Project } from '../../../engine/project.ts';
import { NO_GUARD_MEMORY, NO_WAITS } from '../../../store/records.ts';
import { bind, readSidecar, writeSidecar } from '../../../store/sidecars.ts';
import { FALLBACK_FILE, LOG_FILE, TOPIC } from '../files.ts';
import { nextBody } from '../state-format.ts';
import { HOOK_REACH, latestOf, post } from '../topic-log.ts';
import { cancel } from './cancel.ts';
import { grind } from './grind.ts';
import { cli } from './index.ts';
import { issue } from './issue.ts';
import { loop } from './loop.ts';
import { resume } from './resume.ts';
import { report, status } from './status.ts';
import { loopOf } from './which-loop.ts';

const RUN = 'loop-1-1';

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root, { env: { CLAUDE_CODE_SESSION_ID: 'session-1' } });
});

const write = (file: string, text: string): void => {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  fs.writeFileSync(path.join(root, file), text);
};

type State = { event?: 'STATE' | 'DONE' | 'ABORT'; reason?: string; at?: number; run?: string };

/** Posts a state as a loop's latest; `session-1`'s unless it is said whose it is. */
function put(
  stack: readonly object[],
  { event = 'STATE', reason, at = NOW, run = RUN }: State = {},
  sessions = ['session-1'],
): void {
  const { log } = latestOf(TOPIC, root, null, HOOK_REACH);
  const body = nextBody(
    { schema: 1, run_id: run },
    { event, reason: reason ?? null, stack: stack.map((frame) => ({ ...frame })), now: at },
  );
  const made = post(root, TOPIC, log, body, at);
  write(
    LOG_FILE,
    `${fs.existsSync(path.join(root, LOG_FILE)) ? fs.readFileSync(path.join(root, LOG_FILE), 'utf8') : ''}${made.kind === 'append' ? made.line : ''}\n`,
  );
  if (sessions.length > 0) bind(root, `idle:${run}`, sessions);
}

function putFile(at = NOW): void {
  write(
    FALLBACK_FILE,
    '---\nactive: true\nmode: loop\niteration: 3\nmax_iterations: 9\n---\nFix the parser.\n',
  );
  fs.utimesSync(path.join(root, FALLBACK_FILE), at / 1000, at / 1000);
}

const now = () => {
  const latest = latestOf(TOPIC, root, null, HOOK_REACH);
  return latest.kind === 'message' ? JSON.parse(latest.body) : latest.kind;
};
const refused = (words: string) => ['NotNow', words];
const frame = { id: 'f', mode: 'loop', iter: 2, max: 10 };

describe('a loop that is started', () => {
  it('is nested on top of this session’s own, and says on which', async () => {
    put([frame]);
    writeSidecar(root, {
      ...readSidecar(root, `idle:${RUN}`),
      waits: { ...NO_WAITS, waited: 1000, questions: 2 },
    });
    const [code, said] = await called(loop, project, { words: ['Inner.'], flags: { max: '3' } });
    expect(readSidecar(root, `idle:${RUN}`).waits).toEqual({ ...NO_WAITS, questions: 2 });
    expect(code).toBe('0');
    expect(said).toContain(
      `The loop idle:${RUN} holds this session for up to 3 iterations. It is nested on top of idle:${RUN} (loop, iteration 2/10), which goes on when this one ends. To stop it: \`holdfast idle cancel\`.`,
    );
    expect(now()).toMatchObject({ run_id: RUN, stack: [frame, { mode: 'loop', iter: 0, max: 3 }] });
  });

  it.each([
    [['session-2'], "another session's"],
    [[], "nobody's"],
  ])('is refused where the loop that goes on is of %j', async (sessions, whose) => {
    put([frame], {}, sessions);
    expect(await called(loop, project, { words: ['x'] })).toEqual(
      refused(
        `idle:${RUN} (loop, iteration 2/10) goes on here and is ${whose}. \`holdfast adopt idle:${RUN}\` makes it this session's, \`holdfast idle cancel\` ends it.`,
      ),
    );
    expect(now().stack).toEqual([frame]);
  });

  it.each([[{ at: NOW - 7_200_001 }], [{ event: 'DONE' as const }], [{ event: 'ABORT' as const }]])(
    'is a run of its own beside one that is over: %j',
    async (state) => {
      put([frame], state);
      const [code, said] = await called(loop, project, { words: ['x'] });
      expect([code, said]).toEqual(['0', expect.not.stringContaining('nested')]);
      expect(now().run_id).not.toBe(RUN);
      expect(now().stack).toHaveLength(1);
    },
  );

  it('takes the loop of the fallback file over into the topic, with its task', async () => {
    putFile();
    bind(root, 'idle:local-file', ['session-1']);
    const [code, said] = await called(loop, project, { words: ['Inner.'] });
    expect(code).toBe('0');
    expect(said).toContain(
      'It is nested on top of idle:local-file (loop, iteration 3/9), which goes on when',
    );
    const { run_id, stack } = now();
    expect(run_id).toBe(`loop-${NOW / 1000}-${process.pid}`);
    expect(stack).toEqual([
      { id: expect.any(String), mode: 'loop', iter: 3, max: 9, prompt_file: expect.any(String) },
      { id: expect.any(String), mode: 'loop', iter: 0, max: 10, prompt_file: expect.any(String) },
    ]);
    expect(fs.readFileSync(path.join(root, stack[0].prompt_file), 'utf8')).toBe('Fix the parser.\n');
    expect(fs.existsSync(path.join(root, FALLBACK_FILE))).toBe(false);
    expect(fs.readFileSync(path.join(root, `.holdfast/idle/idle-loop.${NOW}.md`), 'utf8')).toContain(
      'iteration: 3',
    );
  });

  it.each<[string, Given, string]>([
    [
      'no task',
      {},
      'idle loop: the task is missing. Usage: holdfast idle loop [--max N] <task>, or the task on standard input.',
    ],
    [
      'a blank one',
      { words: [' '], stdin: 'not read' },
      'idle loop: the task is missing. Usage: holdfast idle loop [--max N] <task>, or the task on standard input.',
    ],
    [
      'no iterations',
      { words: ['x'], flags: { max: '0' } },
      'idle loop: --max is a whole number from 1 to 999999, not "0".',
    ],
    [
      'a million of them',
      { words: ['x'], flags: { max: '1000000' } },
      'idle loop: --max is a whole number from 1 to 999999, not "1000000".',
    ],
    [
      'more than a number',
      { words: ['x'], flags: { max: ' 3' } },
      'idle loop: --max is a whole number from 1 to 999999, not " 3".',
    ],
    [
      'a number and more',
      { words: ['x'], flags: { max: '3x' } },
      'idle loop: --max is a whole number from 1 to 999999, not "3x".',
    ],
    [
      'a flag without a value',
      { words: ['x'], flags: { max: true } },
      'idle loop: --max is a whole number from 1 to 999999, not "true".',
    ],
  ])('is refused with %s', async (_, given, words) => {
    expect(await called(loop, project, given)).toEqual(['WrongUsage', words]);
    expect(fs.readdirSync(root)).toEqual(['.git']);
  });

  it('takes as many iterations as six digits can say', async () => {
    expect(await called(loop, project, { words: ['x'], flags: { max: '999999' } })).toMatchObject([
      '0',
      expect.stringContaining('up to 999999 iterations'),
    ]);
  });
});

describe('an issue', () => {
  it('has a task of its own, and what the config says of reading it', async () => {
    const config = { ...DEFAULT_CONFIG, issues: { list: null, show: ' gh issue\r\nview\n' } };
    await called(issue, { ...project, config }, { words: ['#42'] });
    const [top] = now().stack;
    expect(top).toMatchObject({ mode: 'issue', iter: 0, max: 10, issue_id: '#42' });
    expect(fs.readFileSync(path.join(root, top.prompt_file), 'utf8')).toBe(
      'Resolve the issue #42, and this one alone.\n\nHow an issue is read in this project:\n\n    gh issue\n    view\n\nCheck what you changed: run the tests, see the behaviour.\n',
    );
  });

  it('is read with the project’s own tracker where the config is silent', async () => {
    await called(issue, project, { stdin: 'A-1\n' });
    expect(fs.readFileSync(path.join(root, now().stack[0].prompt_file), 'utf8')).toBe(
      "Resolve the issue A-1, and this one alone.\n\nRead it with the project's own issue tracker first.\n\nCheck what you changed: run the tests, see the behaviour.\n",
    );
  });

  const usage =
    'idle issue: the id of one issue is missing: a line of at most 200 characters. Usage: holdfast idle issue [--max N] <id>';
  it.each(['', 'x'.repeat(201), 'a\nb', 'a\rb'])('is refused with the id %j', async (id) => {
    expect(await called(issue, project, { words: [id] })).toEqual(['WrongUsage', usage]);
  });

  it('may have an id of 200 characters', async () => {
    expect((await called(issue, project, { words: ['x'.repeat(200)] }))[0]).toBe('0');
  });

  it('is refused with a maximum that is none, in its own name', async () => {
    expect(await called(issue, project, { words: ['1'], flags: { max: 'x' } })).toEqual([
      'WrongUsage',
      'idle issue: --max is a whole number from 1 to 999999, not "x".',
    ]);
  });
});

describe('a grind', () => {
  const taskOf = () => fs.readFileSync(path.join(root, now().stack[0].prompt_file), 'utf8');

  it('goes on at once after each issue, a hundred times, with a filter where one is given', async () => {
    await called(grind, project, { words: ['label', 'bug'] });
    expect(now().stack).toEqual([
      {
        id: expect.any(String),
        mode: 'grind',
        iter: 0,
        max: 100,
        carry_on: true,
        filter: 'label bug',
        prompt_file: expect.any(String),
      },
    ]);
    const file = path.join(root, '.holdfast/issue.txt');
    expect(taskOf()).toBe(
      `Work through the open issues that match "label bug".\n\nList them with the project's own issue tracker.\n\nTake the one that matters most. Write its id, and nothing else, to ${file} with your file-writing tool (an id never goes into a shell line), start a loop for it with \`holdfast idle issue < ${file}\`, remove the file, and resolve the issue there; when that loop ends, this one goes on at once and you take the next.\n`,
    );
  });

  it('is of all issues without one, listed as the config says', async () => {
    const config = { ...DEFAULT_CONFIG, issues: { list: 'gh issue list', show: null } };
    await called(grind, { ...project, config });
    expect(now().stack[0]).not.toHaveProperty('filter');
    expect(taskOf()).toContain(
      'Work through the open issues.\n\nHow issues are listed in this project:\n\n    gh issue list\n\nTake',
    );
  });

  it.each(['x'.repeat(501), 'a\nb', 'a\rb'])('is refused with the filter %j', async (filter) => {
    expect(await called(grind, project, { words: [filter] })).toEqual([
      'WrongUsage',
      'idle grind: a filter is one line of at most 500 characters.',
    ]);
  });

  it('may have a filter of 500 characters', async () => {
    expect((await called(grind, project, { words: ['x'.repeat(500)] }))[0]).toBe('0');
  });
});

describe('status', () => {
  const none = ['0', 'No loop here. `holdfast idle loop <task>` starts one.'];

  it('says that there is no loop, as data too', async () => {
    expect(await called(status, null)).toEqual(none);
    expect(await called(status, project)).toEqual(none);
    expect(await called(status, null, { flags: { json: true } })).toEqual([
      '0',
      JSON.stringify({ run: null, live: false, frames: [] }, null, 2),
    ]);
    expect(await called(status, project, { flags: { json: true } })).toEqual([
      '0',
      JSON.stringify({ run: null, live: false, frames: [], stage: 'no loop' }, null, 2),
    ]);
  });

  it('shows the loop frame by frame with the first line of each task', async () => {
    put([
      { mode: 'grind', iter: 3, max: 100, filter: 'label bug' },
      { mode: 'issue', iter: 1, max: 10, issue_id: 'y'.repeat(81) },
      { mode: 'loop', iter: 0, max: 5, issue_id: 'z'.repeat(80) },
      { mode: 'loop', iter: 0, max: 5 },
    ]);
    expect(await called(status, project)).toEqual([
      '0',
      `idle:${RUN}  loop, iteration 0/5, 4 deep`,
      '  1. grind 3/100  label bug',
      `  2. issue 1/10  ${'y'.repeat(79)}…`,
      `  3. loop 0/5  ${'z'.repeat(80)}`,
      '  4. loop 0/5  ',
    ]);
  });

  it('shows of a task of many lines the first', async () => {
    putFile();
    write(FALLBACK_FILE, '---\nactive: true\n---\nFix the parser.\nAll of it.\n');
    fs.utimesSync(path.join(root, FALLBACK_FILE), NOW / 1000, NOW / 1000);
    bind(root, 'idle:local-file', ['session-1']);
    expect(await called(status, project)).toEqual([
      '0',
      'idle:local-file  loop, iteration 0/10',
      '  1. loop 0/10  Fix the parser.',
    ]);
  });

  it.each([
    [['session-2'], ", another session's"],
    [[], ", nobody's"],
  ])('says of a loop of %j how to make it this session’s', async (sessions, whose) => {
    put([frame], {}, sessions);
    expect((await called(status, project))[1]).toBe(
      `idle:${RUN}  loop, iteration 2/10${whose}: \`holdfast adopt idle:${RUN}\` makes it this session's`,
    );
  });

  it('says of a loop that was let go how to go on', async () => {
    put([frame]);
    const sidecar = readSidecar(root, `idle:${RUN}`);
    writeSidecar(root, { ...sidecar, guard: { 'session-1': { ...NO_GUARD_MEMORY, released: true } } });
    expect((await called(status, project))[1]).toBe(
      `idle:${RUN}  loop, iteration 2/10, let go, no progress: \`holdfast idle resume\` goes on with it`,
    );
  });

  it('says nothing of whose it is once it is over', async () => {
    put([frame], { event: 'DONE', reason: 'MAX_ITERATIONS' }, ['session-2']);
    expect((await called(status, project))[1]).toBe(`idle:${RUN}  ended, 1 kept for resume`);
  });

  it('says of a state that cannot be read that it cannot', async () => {
    put([frame]);
    write(
      LOG_FILE,
      fs
        .readFileSync(path.join(root, LOG_FILE), 'utf8')
        .replace(String.raw`\"event\":\"STATE\"`, String.raw`\"event\":\"NEW\"`),
    );
    expect(await called(status, project)).toEqual(['0', 'The loop: its state cannot be read.']);
    expect(JSON.parse((await called(status, project, { flags: { json: true } }))[1] ?? '')).toEqual({
      run: null,
      live: false,
      frames: [],
      stage: 'its state cannot be read',
    });
  });

  it('is the whole loop as data', async () => {
    put([{ ...frame, carry_on: true, issue_id: 'A-1' }], { event: 'DONE', reason: 'MAX_ITERATIONS' });
    expect(JSON.parse((await called(status, project, { flags: { json: true } }))[1] ?? '')).toEqual({
      run: `idle:${RUN}`,
      source: 'topic',
      event: 'DONE',
      reason: 'MAX_ITERATIONS',
      updated_at: '2026-01-31T09:30:00.000Z',
      live: false,
      stale: false,
      released: false,
      mine: true,
      frames: [{ mode: 'loop', iteration: 2, max: 10, carry_on: true, task: 'A-1' }],
    });
  });

  it('has as data null for what is not known', () => {
    put([frame], {}, ['session-2']);
    write(
      LOG_FILE,
      fs.readFileSync(path.join(root, LOG_FILE), 'utf8').replace('2026-01-31T09:30:00Z', 'today'),
    );
    expect(report(project, loopOf(project))).toMatchObject({
      reason: null,
      updated_at: null,
      live: false,
      stale: true,
      mine: false,
      frames: [{ task: null }],
    });
  });
});

describe('cancel', () => {
  const nothing = refused('no loop goes on here, so there is nothing to cancel.');

  it.each<[string, () => void]>([
    ['no loop', () => {}],
    ['a loop that is done', () => put([frame], { event: 'DONE' })],
    ['a loop that was aborted', () => put([], { event: 'ABORT' })],
    ['a loop without frames', () => put([])],
  ])('is refused where there is %s', async (_, arrange) => {
    arrange();
    expect(await called(cancel, project)).toEqual(nothing);
    expect(await called(cancel, project, { flags: { top: true } })).toEqual(nothing);
  });

  it('is refused where there is no project', async () => {
    expect(await called(cancel, null)).toEqual(nothing);
  });

  it('ends the loop with all that is around it', async () => {
    put([frame, frame]);
    expect(await called(cancel, project)).toEqual([
      '0',
      `idle:${RUN} is cancelled; the agent is let go at its next stop.`,
    ]);
    expect(now()).toEqual({
      schema: 1,
      run_id: RUN,
      event: 'ABORT',
      reason: 'USER_CANCELLED',
      updated_at: '2026-01-31T09:30:00Z',
      stack: [],
    });
    expect(fs.readFileSync(path.join(root, '.holdfast/journal.jsonl'), 'utf8')).toContain('"cancel"');
  });

  it('ends a stale one too', async () => {
    put([frame], { at: NOW - 8_000_000 });
    expect((await called(cancel, project))[0]).toBe('0');
    expect(now().event).toBe('ABORT');
  });

  it('with --top ends the innermost alone', async () => {
    put([frame, { ...frame, iter: 7 }], { at: NOW - 60_000 });
    expect(await called(cancel, project, { flags: { top: true } })).toEqual([
      '0',
      `The innermost loop of idle:${RUN} is cancelled. What is left: loop, iteration 2/10.`,
    ]);
    expect(now()).toEqual({
      schema: 1,
      run_id: RUN,
      event: 'STATE',
      updated_at: '2026-01-31T09:30:00Z',
      stack: [frame],
    });
    expect(fs.existsSync(path.join(root, '.holdfast/journal.jsonl'))).toBe(false);
  });

  it('with --top ends the only one there is', async () => {
    put([frame]);
    expect(await called(cancel, project, { flags: { top: true } })).toEqual([
      '0',
      `idle:${RUN} is cancelled; the agent is let go at its next stop.`,
    ]);
    expect(now()).toMatchObject({ event: 'ABORT', stack: [] });
  });

  it('puts the fallback file away', async () => {
    putFile();
    expect(await called(cancel, project)).toEqual([
      '0',
      'idle:local-file is cancelled; the agent is let go at its next stop.',
    ]);
    expect(fs.existsSync(path.join(root, FALLBACK_FILE))).toBe(false);
    expect(fs.existsSync(path.join(root, `.holdfast/idle/idle-loop.${NOW}.md`))).toBe(true);
    expect(fs.existsSync(path.join(root, LOG_FILE))).toBe(false);
  });

  it('gets rid of a state that nobody can read', async () => {
    put([frame]);
    write(
      LOG_FILE,
      fs
        .readFileSync(path.join(root, LOG_FILE), 'utf8')
        .replace(String.raw`\"event\":\"STATE\"`, String.raw`\"event\":\"NEW\"`),
    );
    expect(await called(cancel, project)).toEqual([
      '0',
      'The loop is cancelled; the agent is let go at its next stop.',
    ]);
    expect(now()).toEqual({
      schema: 1,
      run_id: 'unreadable',
      event: 'ABORT',
      reason: 'USER_CANCELLED',
      updated_at: '2026-01-31T09:30:00Z',
      stack: [],
    });
  });

  it('says which file is in the way where one cannot be read', async () => {
    fs.mkdirSync(path.join(root, FALLBACK_FILE), { recursive: true });
    const [kind, words] = await called(cancel, project);
    expect([kind, words]).toEqual([
      expect.any(String),
      expect.stringContaining(path.join(root, FALLBACK_FILE)),
    ]);
  });
});

describe('resume', () => {
  it('is refused without a project', async () => {
    expect(await called(resume, null)).toEqual(refused('there is no loop here, so nothing to resume.'));
  });

  it.each<[string, () => void, string]>([
    ['no loop', () => {}, 'no loop'],
    ['a loop that is over', () => put([], { event: 'DONE' }), 'ended'],
    ['a loop that was aborted', () => put([frame], { event: 'ABORT' }), 'ended'],
    ['a loop without frames', () => put([]), 'ended'],
  ])('is refused where there is %s', async (_, arrange, stage) => {
    arrange();
    expect(await called(resume, project)).toEqual(refused(`nothing to resume here: ${stage}.`));
  });

  it('is refused where the loop goes on in this session', async () => {
    put([frame]);
    expect(await called(resume, project)).toEqual(
      refused(`idle:${RUN} goes on already: loop, iteration 2/10.`),
    );
  });

  it('is refused where the loop goes on in another', async () => {
    put([frame], {}, ['session-2']);
    expect(await called(resume, project)).toEqual(
      refused(
        `idle:${RUN} goes on in another session. \`holdfast adopt idle:${RUN}\` makes it this session's.`,
      ),
    );
  });

  it.each([
    ['is stale', { at: NOW - 7_200_001 }, ['session-2']],
    ['was left under an inner one', { event: 'DONE' as const, reason: 'MAX_ITERATIONS' }, ['session-2']],
  ])('posts the state again of a loop that %s', async (_, state, sessions) => {
    put([frame], state, sessions);
    expect(await called(resume, project)).toEqual([
      '0',
      `idle:${RUN} goes on: loop, iteration 2/10. It holds this session again.`,
    ]);
    expect(now()).toEqual({
      schema: 1,
      run_id: RUN,
      event: 'STATE',
      updated_at: '2026-01-31T09:30:00Z',
      stack: [frame],
    });
    expect(readSidecar(root, `idle:${RUN}`).sessions).toContain('session-1');
  });

  it.each<[string, () => void]>([
    ['is nobody’s', () => put([frame], { at: NOW - 60_000 }, [])],
    [
      'was let go',
      () => {
        put([frame], { at: NOW - 60_000 });
        writeSidecar(root, {
          ...readSidecar(root, `idle:${RUN}`),
          guard: { 'session-1': { ...NO_GUARD_MEMORY, released: true } },
        });
      },
    ],
  ])('only binds a loop that %s', async (_, arrange) => {
    arrange();
    expect(await called(resume, project)).toEqual([
      '0',
      `idle:${RUN} goes on: loop, iteration 2/10. It holds this session again.`,
    ]);
    expect(now().updated_at).toBe('2026-01-31T09:29:00Z');
    expect(readSidecar(root, `idle:${RUN}`).sessions).toContain('session-1');
  });

  it('gives the fallback file a new time and leaves its text', async () => {
    putFile(NOW - 8_000_000);
    const text = fs.readFileSync(path.join(root, FALLBACK_FILE), 'utf8');
    expect(await called(resume, project)).toEqual([
      '0',
      'idle:local-file goes on: loop, iteration 3/9. It holds this session again.',
    ]);
    expect(fs.readFileSync(path.join(root, FALLBACK_FILE), 'utf8')).toBe(text);
    expect(fs.statSync(path.join(root, FALLBACK_FILE)).mtimeMs).toBeGreaterThan(NOW);
    expect(fs.existsSync(path.join(root, LOG_FILE))).toBe(false);
  });

  it('lets what it waited for take nothing off its age', async () => {
    put([frame], { at: NOW - 9_000_000 });
    writeSidecar(root, {
      ...readSidecar(root, `idle:${RUN}`),
      waits: { ...NO_WAITS, waited: 1000, questions: 2 },
    });
    expect((await called(resume, project))[0]).toBe('0');
    expect(readSidecar(root, `idle:${RUN}`).waits).toEqual({ ...NO_WAITS, waited: 0, questions: 2 });
  });
});

describe('the runs of a project', () => {
  it('are none without a loop, and without a log', () => {
    expect(cli.runs(project)).toEqual([]);
    write(LOG_FILE, '');
    expect(cli.runs(project)).toEqual([]);
    write(LOG_FILE, '{"type":"topic","id":"T","name":"chat"}\n');
    expect(cli.runs(project)).toEqual([]);
  });

  it('are one that cannot be read where no line of the log is one of the store', () => {
    write(LOG_FILE, 'nonsense\n[1]\n');
    expect(cli.runs(project)).toEqual([
      {
        run: 'current',
        file: path.join(root, LOG_FILE),
        live: false,
        stage: 'its state cannot be read',
        detail: { unreadable: 'it holds no line of a topic store' },
      },
    ]);
  });

  it('are one that cannot be read where the log is no file', () => {
    fs.mkdirSync(path.join(root, LOG_FILE), { recursive: true });
    expect(cli.runs(project)).toEqual([
      {
        run: 'current',
        live: false,
        stage: 'its state cannot be read',
        detail: { unreadable: expect.stringContaining(LOG_FILE) },
      },
    ]);
  });

  it('are the loop, with where it stands', () => {
    put([frame]);
    const [run, ...more] = cli.runs(project);
    expect(more).toEqual([]);
    expect(run).toMatchObject({
      run: RUN,
      file: path.join(root, LOG_FILE),
      live: true,
      stage: 'loop, iteration 2/10',
      detail: { run: `idle:${RUN}`, live: true },
    });
    expect(run?.detail).not.toHaveProperty('unreadable');
    expect(run?.shown?.()).toEqual({
      state: 'active',
      progress: { unit: 'iteration', at: 2, of: 10 },
      asked: null,
      startedAt: null,
      files: [path.join(root, LOG_FILE)],
    });
  });

  it('name the fallback file where the loop is read from there', () => {
    putFile();
    expect(cli.runs(project)).toMatchObject([
      { run: 'local-file', file: path.join(root, FALLBACK_FILE), live: true, stage: 'loop, iteration 3/9' },
    ]);
  });

  it.each([
    [
      'the fallback file',
      () => write(FALLBACK_FILE, 'no lines of a state\n'),
      FALLBACK_FILE,
      'it does not begin with the lines between `---` that tell the state',
    ],
    [
      'the topic',
      () => {
        put([frame]);
        write(
          LOG_FILE,
          fs
            .readFileSync(path.join(root, LOG_FILE), 'utf8')
            .replace(String.raw`\"event\":\"STATE\"`, String.raw`\"event\":\"NEW\"`),
        );
      },
      LOG_FILE,
      'the last message of the topic loop:current is no state of a loop',
    ],
  ])('say what is wrong with a state of %s', (_, arrange, file, unreadable) => {
    arrange();
    const [run] = cli.runs(project);
    expect(run).toMatchObject({
      run: 'current',
      file: path.join(root, file),
      live: false,
      stage: 'its state cannot be read',
      detail: { unreadable },
    });
    expect(run?.shown?.()).toEqual({
      state: null,
      progress: null,
      asked: null,
      startedAt: null,
      files: [path.join(root, file)],
    });
  });

  it('are shown where they stand although the notes on them cannot be read', () => {
    put([frame]);
    const notes = path.join(root, '.holdfast/runs');
    for (const name of fs.readdirSync(notes)) fs.writeFileSync(path.join(notes, name), '{"schema":99}');
    expect(cli.runs(project)).toMatchObject([
      { run: RUN, live: true, stage: 'loop, iteration 2/10', detail: {} },
    ]);
  });

  it('stand in two files', () => {
    expect(cli.places?.(project)).toEqual([
      { path: path.join(root, LOG_FILE), kind: 'file' },
      { path: path.join(root, FALLBACK_FILE), kind: 'file' },
    ]);
  });
});

describe('what the driver is shown', () => {
  it.each([
    ['active', NOW, RUN],
    ['stale', NOW - 7_200_001, RUN],
    ['active', NOW - 7_200_001, 'another'],
  ])('is that the loop is %s', (kind, at, asked) => {
    put([frame], { at });
    expect(cli.driven?.stands?.(project, asked)).toEqual({ kind });
  });

  it('is that a loop nobody finds goes on', () => {
    expect(cli.driven?.stands?.(project, RUN)).toEqual({ kind: 'active' });
  });
});
