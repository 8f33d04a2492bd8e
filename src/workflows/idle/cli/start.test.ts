// What a start of a loop reads, refuses, says and writes, beside what the commands themselves are asked.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  budgetOf,
  emptyFolder,
  giveBudget,
  NOW,
  projectIn,
  writeIn,
} from '../../../../test/support/bare-project.ts';
import { called, callIn, type Given } from '../../../../test/support/call.ts';
import { programs } from '../../../../test/support/programs.ts';
import type { Check } from '../../../config/check.ts';
import { DEFAULT_CONFIG } from '../../../config/config.ts';
import type { Project } from '../../../engine/project.ts';
import type { Call } from '../../../engine/workflow-cli.ts';
import type { JsonObject } from '../../../store/json.ts';
import { bind, readSidecar } from '../../../store/sidecars.ts';
import { FALLBACK_FILE, LOG_FILE, TOPIC } from '../files.ts';
import type { Mode } from '../modes.ts';
import { HOOK_REACH, latestOf } from '../topic-log.ts';
import { loop } from './loop.ts';
import { indented, maxGiven, startLoop, textGiven } from './start.ts';

const RUN = `loop-${NOW / 1000}-${process.pid}`;
const NAME = `idle:${RUN}`;
const ENDING =
  'When the task is complete, write this in your last message, on a line of its own and not as code:\n\n<loop-done>COMPLETE</loop-done>\n\nIf nothing you can do would bring it further, say what is in the way and write `<loop-done>STUCK</loop-done>` in its place.';

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root, { env: { CLAUDE_CODE_SESSION_ID: 'session-1' } });
});

type Asked = { flags?: Call['flags']; task?: string; mode?: Mode; fields?: JsonObject };

/** What a start printed, with its exit code in front; where it refuses, the error's kind and what it says. */
function started(
  place: Project,
  { flags = {}, task = 'Fix it.', mode = 'loop', fields = {} }: Asked = {},
): Promise<string[]> {
  const command = { run: (call: Call) => startLoop(call, () => ({ mode, max: 7, task, fields })) };
  return called(
    {
      name: 'x',
      summary: '',
      usage: '',
      options: {},
      writes: true,
      words: { least: 0, most: 0 },
      ...command,
    },
    place,
    { flags },
  );
}

const stateNow = () => {
  const latest = latestOf(TOPIC, root, null, HOOK_REACH);
  return latest.kind === 'message' ? JSON.parse(latest.body) : latest.kind;
};
const held = (nested = '', bounds = nested === '' ? 'no budget, no checks' : AROUND): string =>
  `The loop ${NAME} holds this session for up to 7 iterations. ${nested}To stop it: \`holdfast idle cancel\`.\nBounds: 7 iterations, ${bounds}.\n\nThe task:\n\nFix it.\n\n${ENDING}`;
const AROUND = 'budget and checks of the run around it';
const ON_TOP = `It is nested on top of ${NAME} (loop, iteration 0/7), which goes on when this one ends. `;

const userCheck: Check = {
  ...{ name: 'test', run: 'true', timeout: 10, retries: 0, paths: null, cwd: null, from: 'user' },
};
const checked = (over: Partial<Project['config']> = {}): Project => ({
  ...project,
  config: { ...DEFAULT_CONFIG, checks: [userCheck], ...over },
});

const link = (file: string, to: string): void => {
  const place = writeIn(project, file, '');
  fs.rmSync(place);
  fs.symlinkSync(to, place);
};

describe('a start', () => {
  it('makes a run of one frame, with the fields of its kind, and a file for its task', async () => {
    expect(await started(project, { fields: { issue_id: 'A-1', max: 5 } })).toEqual(['0', held()]);
    const { id } = stateNow().stack[0];
    expect(id).toMatch(/^[0-9A-Z]{26}$/);
    expect(stateNow()).toEqual({
      schema: 1,
      event: 'STATE',
      run_id: RUN,
      updated_at: '2026-01-31T09:30:00Z',
      stack: [{ id, mode: 'loop', iter: 0, max: 5, issue_id: 'A-1', prompt_file: `.holdfast/idle/${id}.md` }],
    });
    expect(fs.readFileSync(path.join(root, `.holdfast/idle/${id}.md`), 'utf8')).toBe('Fix it.\n');
    const { sessions, proof, budget, saved } = readSidecar(root, NAME);
    expect({ sessions, proof, budget, saved }).toEqual({
      ...{ sessions: ['session-1'], proof: undefined, budget: undefined },
      saved: { position: null, seen: null, keptSignal: null },
    });
  });

  it('has a run of its own by the second it began in', async () => {
    await started({ ...project, now: NOW + 1999 });
    expect(stateNow().run_id).toBe(`loop-${NOW / 1000 + 1}-${process.pid}`);
  });

  it('is refused in a folder whose name nobody can write', async () => {
    const [kind, words] = await started({ ...project, root: `${root}\uFFFD` });
    expect([kind, words]).toEqual(['NotNow', expect.stringContaining('has bytes in it that are no UTF-8')]);
  });

  it('is nested in this session’s own, with a frame on top', async () => {
    await started(project);
    expect(await started({ ...project, now: NOW + 60_000 })).toEqual(['0', held(ON_TOP)]);
    expect(stateNow()).toMatchObject({
      run_id: RUN,
      updated_at: '2026-01-31T09:31:00Z',
      stack: [{ max: 7 }, { max: 7 }],
    });
  });
});

describe('a start in a plain terminal', () => {
  it('speaks to the person, with the task as it was understood, its bounds and what to do next', async () => {
    const { env } = programs({ codex: {}, claude: {} });
    const terminal = { ...projectIn(root), env: { ...projectIn(root).env, PATH: env.PATH } };
    const given = { flags: { max: '3', tokens: '2M' }, words: ['Fix', 'it.'], amongWords: ['--tokens 2M'] };
    const said = (await called(loop, terminal, given)).join('\n').replaceAll(RUN, 'RUN');

    await expect(said).toMatchFileSnapshot('golden/armed.txt');
    expect(readSidecar(root, NAME).sessions).toEqual([]);
  });

  it('keeps its topics out of git where the folder is new, and leaves another’s as it is', async () => {
    await started(project);
    expect(fs.readFileSync(path.join(root, '.jwz/.gitignore'), 'utf8')).toBe('*\n');
    const other = projectIn(emptyFolder(), { env: project.env });
    writeIn(other, '.jwz/lock', '');
    await started(other);
    expect(fs.existsSync(path.join(other.root, '.jwz/.gitignore'))).toBe(false);
  });
});

describe('a start where a file of the loop cannot be looked into', () => {
  const closed = [
    'NotNow',
    expect.stringMatching(
      /\.local\.md is a link to nowhere; to fix it, run `rm .+\/\.claude\/idle-loop\.local\.md`$/,
    ),
  ];

  it('is refused before anything is written', async () => {
    link(FALLBACK_FILE, 'nowhere');
    expect(await started(project)).toEqual(closed);
    expect(fs.existsSync(path.join(root, '.holdfast/idle'))).toBe(false);
    expect(fs.existsSync(path.join(root, LOG_FILE))).toBe(false);
  });

  it('is not where the log is there to be written to', async () => {
    link(FALLBACK_FILE, 'nowhere');
    writeIn(project, LOG_FILE, '{"type":"topic","id":"T","name":"chat"}\n');
    expect(await started(project)).toEqual(['0', held()]);
  });

  const fallbackLoop = (): void => {
    const text = '---\nactive: true\niteration: 3\nmax_iterations: 9\n---\nFix the parser.\n';
    fs.utimesSync(writeIn(project, FALLBACK_FILE, text), NOW / 1000, NOW / 1000);
    bind(root, 'idle:local-file', ['session-1']);
  };

  it('is refused as early where a loop of the other file goes on', async () => {
    fallbackLoop();
    link(LOG_FILE, 'nowhere');
    const said = await started(project);
    expect(said).toEqual(['NotNow', expect.stringContaining('messages.jsonl is a link to nowhere')]);
    expect(fs.existsSync(path.join(root, '.holdfast/idle'))).toBe(false);
    expect(readSidecar(root, 'idle:local-file').takenOver).toBeUndefined();
    expect(fs.readdirSync(path.join(root, '.holdfast/runs'))).toEqual(['idle-local-file.json']);
  });

  it('takes a loop of such a file over into the log', async () => {
    fallbackLoop();
    const nested =
      'It is nested on top of idle:local-file (loop, iteration 3/9), which goes on when this one ends. ';
    expect(await started(project)).toEqual(['0', held(nested)]);
    expect(fs.existsSync(path.join(root, FALLBACK_FILE))).toBe(false);
    const [outer, inner] = stateNow().stack;
    expect(outer).toEqual({
      ...{ id: expect.any(String), mode: 'loop', iter: 3, max: 9 },
      prompt_file: `.holdfast/idle/${outer.id}.md`,
    });
    expect(inner.prompt_file).toBe(`.holdfast/idle/${inner.id}.md`);
    expect(fs.readFileSync(path.join(root, outer.prompt_file), 'utf8')).toBe('Fix the parser.\n');
  });
});

describe('a start with checks', () => {
  const until = 'The loop ends by itself at the first stop at which the check `test` passes.';
  const off = '--no-check: test will not run, so this ends unproven.';

  it('says what is run and notes it for the whole run', async () => {
    expect(await started(checked(), { flags: { check: ['test'] } })).toEqual([
      '0',
      `${held('', 'no budget, check test')}\nWhen you say that you are done, this is run and must pass: test (true).`,
    ]);
    expect(readSidecar(root, NAME).proof?.asked).toEqual({ checks: ['test'], off: false });
    expect(stateNow().stack[0]).not.toHaveProperty('until');
  });

  it('says first what nobody trusts', async () => {
    const check: Check = { ...userCheck, from: 'project' };
    const config = { checks: [check], project: { checks: { test: { run: 'true' } } } };
    expect(await started(checked(config))).toEqual([
      '0',
      `Unproven from the start: the check test is not trusted as the config has it now. A person reads the commands and allows them with \`holdfast trust\` in a terminal; then start again, since only trust given before a start counts for it.\n${held('', 'no budget, check test')}`,
    ]);
    // The run has its notes: nothing is said a second time.
    expect(await started(checked(config))).toEqual(['0', held(ON_TOP)]);
  });

  it('says that the check it goes on until is enough', async () => {
    const [code, said = ''] = await started(checked(), { flags: { until: 'test' } });
    expect(code).toBe('0');
    expect(said).toContain(until);
    expect(said).not.toContain('COMPLETE');
    expect(stateNow().stack[0].until).toBe('test');
  });

  it('nested, keeps those of its run and adds the one it goes on until', async () => {
    await started(checked(), { flags: { 'no-check': true } });
    const before = readSidecar(root, NAME).proof;
    expect(before?.asked).toEqual({ checks: null, off: true });
    const said = await started(checked(), { flags: { until: 'test' } });
    expect(said[0]).toBe('0');
    expect(said[1]).toContain(until);
    expect(readSidecar(root, NAME).proof).toEqual({ ...before, asked: { checks: ['test'], off: true } });
  });

  it('says that none is run where none is to be', async () => {
    const check: Check = { ...userCheck, from: 'project' };
    const config = { checks: [check], project: { checks: { test: { run: 'true' } } } };
    expect(await started(checked(config), { flags: { 'no-check': true } })).toEqual([
      '0',
      `${held()}\n${off}`,
    ]);
  });
});

describe('a start with a budget', () => {
  const line = 'It may spend 4 reviews; then it is paused, and a person decides whether it goes on.';

  it('says last what it may spend, and notes it', async () => {
    expect(await started(checked(), { flags: { until: 'test', reviews: '4' } })).toEqual([
      '0',
      expect.stringMatching(new RegExp(`test \\(true\\)\\.\n${line}$`)),
    ]);
    expect(readSidecar(root, NAME).budget).toEqual({
      limits: { tokens: null, timeMs: null, reviews: 4, usd: null },
      startedAt: NOW,
    });
  });

  it('nested, is refused: it is for a whole run', async () => {
    await started(project);
    expect(await started(project, { flags: { hours: '2' } })).toEqual([
      'NotNow',
      `--tokens, --hours and --reviews are for a whole run, and this loop would be nested in ${NAME}. Leave them out, or end that one first: \`holdfast idle cancel\`.`,
    ]);
    expect(stateNow().stack).toHaveLength(1);
  });

  it('nested, says nothing of that of its run, and leaves it', async () => {
    await started(project, { flags: { reviews: '4' } });
    const { budget } = readSidecar(root, NAME);
    const config = { ...DEFAULT_CONFIG, budget: { tokens: null, timeMs: null, reviews: 9, usd: null } };
    expect(await started({ ...project, config })).toEqual(['0', held(ON_TOP)]);
    expect(readSidecar(root, NAME).budget).toEqual(budget);
  });

  it('nested, is refused where its run is paused', async () => {
    await started(project);
    giveBudget(project, budgetOf(project, NAME, { stage: 'paused' }));
    expect(await started(project)).toEqual([
      'NotNow',
      expect.stringMatching(new RegExp(`^${NAME} is paused: its budget is spent\\. A person grants more`)),
    ]);
    expect(stateNow().stack).toHaveLength(1);
  });

  it('is refused in the name of the workflow where it says nothing', async () => {
    expect(await started(project, { flags: { reviews: 'x' } })).toEqual([
      'WrongUsage',
      expect.stringMatching(/^idle: --reviews takes .+, not "x"\.$/),
    ]);
  });
});

describe('what is given to a start', () => {
  const given = ({ flags = {}, words = [], stdin = '' }: Given) =>
    callIn(root, { flags, words, stdin: () => stdin }).call;

  it('is its words, or else what is on standard input', () => {
    expect(textGiven(given({ words: [' Fix', 'it. '], stdin: 'no' }))).toBe('Fix it.');
    expect(textGiven(given({ words: [''], stdin: 'no' }))).toBe('');
    expect(textGiven(given({ stdin: ' Fix\nit.\n' }))).toBe('Fix\nit.');
  });

  it.each([
    ['gh issue list', 'gh issue list'],
    [' a\r\nb\rc\nd\n', 'a\n    b\n    c\n    d'],
  ])('is, of the command %j, each line by itself', (command, lines) => {
    expect(indented(command)).toBe(lines);
  });

  it.each([
    [undefined, 'loop', 10],
    [undefined, 'issue', 10],
    [undefined, 'grind', 100],
    ['1', 'grind', 1],
    ['999999', 'loop', 999_999],
  ] as const)('is with --max %s of a %s %i iterations', (max, mode, iterations) => {
    expect(maxGiven(given({ flags: max === undefined ? {} : { max } }), mode)).toBe(iterations);
  });

  it.each(['0', '', '-1', '01', '1.5', ' 3', '3x', '1000000', true])('takes no --max %j', (max) => {
    expect(() => maxGiven(given({ flags: { max } }), 'grind')).toThrow(
      `idle grind: --max is a whole number from 1 to 999999, not "${max}".`,
    );
  });
});
