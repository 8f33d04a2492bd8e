// What the scripted agents of `holdfast demo` do, say, and put in the place of real programs. The demos themselves are
// played through the built hook in test/cli/demo.test.ts.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import type { Demo, Stage } from '../engine/demo.ts';
import { demo as claudex } from './claudex/cli/demo.ts';
import { demo as flow } from './flow/cli/demo.ts';
import { demo as idle } from './idle/cli/demo.ts';
import { demo as taskie } from './taskie/cli/demo.ts';

let root: string;
beforeEach(() => {
  root = emptyFolder();
});

const write = (file: string, text: string): void => {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  fs.writeFileSync(path.join(root, file), text);
};

/** Turn by turn: what it does, each act of it, and what it says. `after` stands in for the hook. */
async function play(demo: Demo, after: (turn: number) => void = () => {}): Promise<unknown[][]> {
  const turns: unknown[][] = [];
  for (const [index, { does, act, says }] of demo.turns.entries()) {
    const acts: unknown[] = [];
    const stage: Stage = {
      root,
      cli: async (args, stdin) => {
        acts.push(stdin === undefined ? args.join(' ') : [args.join(' '), stdin]);
        return '';
      },
      shell: async (line) => {
        acts.push(`$ ${line}`);
        return '';
      },
      write: (file, content) => {
        acts.push({ [file]: content });
        write(file, content);
      },
      read: (file) => fs.readFileSync(path.join(root, file), 'utf8'),
      lastReason: () => '',
    };
    await act(stage);
    turns.push([does, ...acts, says]);
    after(index);
  }
  return turns;
}

/** A script of a demo, run by a shell in the project. */
const sh = (script: string, { args = [], input = '' }: { args?: string[]; input?: string } = {}) => {
  const { status, stdout } = spawnSync('sh', ['-c', script, 'sh', ...args], {
    cwd: root,
    input,
    encoding: 'utf8',
  });
  return { status, stdout };
};
const checkOf = ({ config }: Demo): string => {
  const { checks } = config as { checks: { test: { run: string; timeout: number } } };
  expect(checks.test.timeout).toBe(15);
  return checks.test.run;
};

describe('the demo of idle', () => {
  it('goes on through a mention of its signal and a claim that is refused', async () => {
    expect(idle.about).toBe(
      'the agent goes on, iteration by iteration, until it says that it is done and the check agrees',
    );
    expect(idle.programs).toEqual({});
    expect(await play(idle)).toEqual([
      [
        'starts a loop of at most five iterations, to be proven by the check "test"',
        ['idle loop --max 5 --check test', 'Make the three failing tests pass.'],
        { 'first.test.js': 'passes\n' },
        'One passes now. When all do I will say:\n```\n<loop-done>COMPLETE</loop-done>\n```',
      ],
      [
        'fixes the second test and forgets the third',
        { 'second.test.js': 'passes\n' },
        'All three pass.\n\n<loop-done>COMPLETE</loop-done>',
      ],
      [
        'fixes the third test',
        { 'third.test.js': 'passes\n' },
        'Now all three pass.\n\n<loop-done>COMPLETE</loop-done>',
      ],
    ]);
  });

  it('has a check that passes once all three tests do', () => {
    write('first.test.js', 'passes\n');
    write('third.test.js', 'fails\n');
    expect(sh(checkOf(idle))).toEqual({ status: 1, stdout: 'ok     first\nnot ok second\nnot ok third\n' });
    for (const name of ['second', 'third']) write(`${name}.test.js`, 'passes\n');
    expect(sh(checkOf(idle))).toEqual({ status: 0, stdout: 'ok     first\nok     second\nok     third\n' });
  });
});

describe('the demo of flow', () => {
  it('goes through the built-in tdd once', async () => {
    expect(flow.about).toBe(
      "a team's own loop (here the built-in tdd): a failing test, the code for it, a clean-up, and round again",
    );
    expect(flow.programs).toEqual({});
    expect(await play(flow)).toEqual([
      [
        'starts the flow tdd and writes a failing test',
        ['flow start tdd', 'a word count'],
        { 'empty-text.test': 'counts no words in an empty text\n' },
        'The first test is there, and it fails.',
      ],
      ['writes the code for it', { 'empty-text.code': 'return 0\n' }, 'It passes.'],
      ['cleans up', 'Nothing to clean up.\n\n<flow>clean</flow>'],
      ['has nothing left to test', 'That was all of it.\n\n<flow>finished</flow>'],
    ]);
  });

  it('has a check that asks for code to every test', () => {
    expect(sh(checkOf(flow))).toEqual({ status: 0, stdout: '' });
    write('a.test', 'x');
    write('b.test', 'x');
    write('b.code', 'x');
    expect(sh(checkOf(flow))).toEqual({ status: 1, stdout: 'not ok a.test\nok     b.test\n' });
    write('a.code', 'x');
    expect(sh(checkOf(flow))).toEqual({ status: 0, stdout: 'ok     a.test\nok     b.test\n' });
  });
});

describe('the demo of claudex', () => {
  const DRAFT =
    '# Plan: move the sessions to Redis\n\n1. Write to both stores.\n2. Migrate.\n3. Read from Redis.\n';

  it('has a plan attacked in two rounds', async () => {
    const id = '20260131-093000-1a2b3c';
    write(`.claude/claudex/${id}.lock`, 'x');
    write(`.claude/claudex/${id}.state`, 'x');
    expect(claudex.about).toBe(
      'a plan is attacked in rounds by another model, under changing personas, until nothing material is left',
    );
    expect(Object.keys(claudex.programs)).toEqual(['codex']);
    expect(await play(claudex)).toEqual([
      [
        'starts a plan loop on a topic full of quotes',
        ['claudex plan --rounds 3 --skip-interview', `move "sessions" to Redis, it's $(urgent)`],
        'I will draft the plan next.',
      ],
      ['drafts PLAN.md', { 'PLAN.md': DRAFT }, 'The draft is there.'],
      [
        'runs the first round’s reviewer, reads the findings, revises the plan',
        '$ sh .claude/claudex/*-runner.sh',
        {
          'PLAN.md': `${DRAFT}\nEach step can be repeated and undone.\n\n## Changelog\n- Round 1: every step made repeatable; the owner is named elsewhere.\n`,
        },
        'I took over the finding about repeatable steps.',
      ],
      [
        'runs the second round, which finds nothing, and says so with `claudex done`',
        '$ sh .claude/claudex/*-runner.sh',
        `claudex done ${id}`,
        'The reviewer has nothing material left.',
      ],
      ['passes the summary on to the user', 'The plan stood two rounds.'],
    ]);
  });

  it('has a reviewer that finds something in the first round alone', () => {
    const codex = claudex.programs.codex ?? '';
    expect(codex.startsWith('#!/bin/sh\n')).toBe(true);
    const reviewed = (round: number) => {
      const file = path.join(root, `x/findings-round-${round}.md`);
      const ran = sh(codex, { input: `Look at the plan.\nWrite to \`${file}\` what you find.\n` });
      expect(ran).toEqual({ status: 0, stdout: `wrote ${file}\n` });
      return fs.readFileSync(file, 'utf8');
    };
    expect(reviewed(1)).toBe(
      '# Round 1 findings\n\n## High\n- No way back when the migration stops halfway (make each step repeatable)\n\n## Low\n- Name the owner of the roll-out (add a line)\n',
    );
    expect(reviewed(2)).toBe('# Round 2 findings\n\nNo substantive findings.\n');
  });
});

describe('the demo of taskie', () => {
  const FOLDER = '.taskie/plans/greeting';
  const answered = (does: string, file: string, action: string) => [
    does,
    { [`${FOLDER}/${file}`]: '# Post-review\n\nWhat was asked for is done.\n' },
    `taskie record post-${action}-review`,
    'The review is worked in.',
  ];
  const tasks = (status: string): string =>
    `| Id | Status | Priority | Description | Test strategy |\n| --- | --- | --- | --- | --- |\n| 1 | ${status} | high | Greet | unit tests |\n`;

  it('goes through every stage of a plan', async () => {
    const reviews: Record<number, string> = {
      0: 'plan-review-1.md',
      1: 'plan-review-2.md',
      3: 'tasks-review-1.md',
      5: 'task-1-review-1.md',
      7: 'all-code-review-1.md',
    };
    expect(taskie.about).toBe(
      'plan, tasks and code, each reviewed by a fresh reviewer until two in a row are clean',
    );
    const turns = await play(taskie, (turn) => {
      if (reviews[turn] !== undefined) write(`${FOLDER}/${reviews[turn]}`, 'x');
    });
    expect(turns).toEqual([
      [
        'writes the plan and records it',
        { [`${FOLDER}/plan.md`]: '# Greeting\n\n## Overview\n\nGreet the user in English and German.\n' },
        'taskie record new-plan',
        'The plan is written.',
      ],
      answered('answers the finding and records the post-review', 'plan-post-review-1.md', 'plan'),
      answered('notes that the second review was clean', 'plan-post-review-2.md', 'plan'),
      [
        'is asked to go on, and creates the tasks',
        'taskie next',
        { [`${FOLDER}/tasks.md`]: tasks('pending') },
        {
          [`${FOLDER}/task-1.md`]:
            '# Task 1\n\n### Subtask 1.1: Greet\n- **Short description**: say hello\n- **Status**: completed\n',
        },
        'taskie record create-tasks',
        'The tasks are written.',
      ],
      answered('notes that the review was clean', 'tasks-post-review-1.md', 'tasks'),
      [
        'is asked to go on, and implements task 1',
        'taskie next',
        { 'greet.js': "export const greet = (name) => 'Hello ' + name;\n" },
        { [`${FOLDER}/tasks.md`]: tasks('done') },
        'taskie record --task 1 complete-task',
        'Task 1 is implemented.',
      ],
      answered('notes that the code review was clean', 'task-1-post-review-1.md', 'code'),
      ['is asked to go on: no task is left, so all code is reviewed', 'taskie next', 'All tasks are done.'],
      answered('notes that the review of all code was clean', 'all-code-post-review-1.md', 'all-code'),
      [
        'is asked to go on, and closes the plan',
        'taskie next',
        'taskie record complete',
        'Everything is done.',
      ],
    ]);
  });

  it('has a reviewer that finds something in the very first review alone', () => {
    const claude = taskie.programs.claude ?? '';
    expect(Object.keys(taskie.programs)).toEqual(['claude']);
    expect(claude.startsWith('#!/bin/sh\n')).toBe(true);
    const reviewed = (name: string) => {
      const file = path.join(root, name);
      const { status, stdout } = sh(claude, { args: ['--print', `Write ${file} and then end.`] });
      expect(status).toBe(0);
      const { structured_output, ...said } = JSON.parse(stdout);
      expect(said).toEqual({ type: 'result', subtype: 'success', is_error: false, result: '{}' });
      return [structured_output.verdict, fs.readFileSync(file, 'utf8')];
    };
    expect(reviewed('plan-review-1.md')).toEqual([
      'FAIL',
      '# Review\n\n1. It is not said which languages greet.\n',
    ]);
    for (const name of ['plan-review-2.md', 'tasks-review-1.md'])
      expect(reviewed(name)).toEqual(['PASS', '# Review\n\nNothing has to be changed.\n']);
  });
});
