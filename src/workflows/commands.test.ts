// The commands of each workflow as `--help` lists them: their order, what each takes, and which of them write or start.

import { describe, expect, it } from 'vitest';
import type { WorkflowCli } from '../engine/workflow-cli.ts';
import { cli as claudex } from './claudex/cli/index.ts';
import { cli as flow } from './flow/cli/index.ts';
import { cli as idle } from './idle/cli/index.ts';
import { cli as taskie } from './taskie/cli/index.ts';

const MANY = Number.POSITIVE_INFINITY;
const listed = ({ commands }: WorkflowCli) =>
  commands.map(({ name, summary, writes, starts = false, words }) => [
    ...[name, summary],
    ...[writes ? 'writes' : 'reads', starts ? 'starts' : '', words.least, words.most],
  ]);
const usages = ({ commands }: WorkflowCli) =>
  Object.fromEntries(commands.map(({ name, usage, options }) => [name, [usage, Object.keys(options)]]));

describe('the commands', () => {
  it('of idle', () => {
    expect(listed(idle)).toEqual([
      ['loop', 'hold the agent at a task until it signals completion', 'writes', 'starts', 0, MANY],
      ['issue', 'hold the agent at one issue until it is resolved', 'writes', 'starts', 0, MANY],
      ['grind', 'hold the agent until no issue is left', 'writes', 'starts', 0, MANY],
      ['status', 'show the loop and where it stands', 'reads', '', 0, 0],
      [
        'cancel',
        'end the loop and all loops around it; the agent is let go at its next stop',
        'writes',
        '',
        0,
        0,
      ],
      [
        'resume',
        'go on with a loop that was let go, went stale, or was left under an inner one',
        'writes',
        '',
        0,
        0,
      ],
    ]);
    expect(usages(idle)).toMatchObject({
      status: ['[--json]', ['json']],
      cancel: ['[--top]', ['top']],
      resume: ['', []],
    });
  });

  it('of claudex', () => {
    expect(listed(claudex)).toEqual([
      [
        'plan',
        'start a loop: draft PLAN.md, have it attacked in rounds, revise, summarize',
        'writes',
        'starts',
        0,
        MANY,
      ],
      ['review', 'have the current diff reviewed once, into reviews/', 'writes', 'starts', 0, 0],
      ['done', 'say that a plan loop has no material findings left', 'writes', '', 1, 1],
      ['wait', "wait for a loop's running review, at most 100 s", 'reads', '', 1, 1],
      ['status', 'where the loop stands, round by round', 'reads', '', 0, 0],
      ['doctor', 'check the reviewer, the state folder, the hook and the plugin', 'reads', '', 0, 0],
      ['cancel', 'end the loop that goes on; its state and findings are kept', 'writes', '', 0, 1],
      [
        'rollback',
        'remove every loop of this project; PLAN.md, reviews/ and the log stay',
        'writes',
        '',
        0,
        0,
      ],
    ]);
    expect(usages(claudex)).toMatchObject({
      done: ['<id>', []],
      wait: ['<id>', []],
      status: ['[--all] [--json]', ['all', 'json']],
      doctor: ['[--json]', ['json']],
      cancel: ['[id]', []],
      rollback: ['', []],
    });
  });

  it('of flow', () => {
    expect(Object.fromEntries(listed(flow).map(([name, ...rest]) => [name, rest]))).toMatchObject({
      check: ['prove that a flow ends, and show what it does', 'reads', '', 1, 1],
      list: ['the flows of this project, your own and the built-in ones', 'reads', '', 0, 0],
      new: ["write a flow of the project's own", 'writes', '', 1, 1],
      start: ['hold the agent in a flow until it comes to an end', 'writes', 'starts', 1, MANY],
      status: ['the runs of this project, and where each stands', 'reads', '', 0, 0],
    });
    expect(usages(flow)).toMatchObject({
      check: ['[--json | --svg] <file|name>', ['json', 'svg']],
      list: ['[--json]', ['json']],
      status: ['[--all] [--json]', ['all', 'json']],
    });
  });

  it('of taskie', () => {
    expect(Object.fromEntries(listed(taskie).map(([name, ...rest]) => [name, rest]))).toMatchObject({
      next: ["make the plan this session's and say the one thing that comes next", 'writes', '', 0, 0],
      record: ['write into state.json that an action is done', 'writes', '', 1, 60],
      status: ['show where a plan stands', 'reads', '', 0, 0],
      validate: ['check the structure of a plan folder', 'reads', '', 0, 0],
    });
    expect(usages(taskie)).toMatchObject({
      status: ['[--plan ID] [--json]', ['plan', 'json']],
      validate: ['[--plan ID] [--json]', ['plan', 'json']],
    });
  });
});
