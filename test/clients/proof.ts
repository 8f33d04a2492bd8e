// The words of proof's scenarios: a project with one check, what a check can reach, and how a run ended.

import net from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Stage } from './clients/stage.ts';
import { type Reply, run } from './servers/script.ts';

export const LOG = '.holdfast/checks/answer.log';
export const FAILING = 'FAIL answer.txt: the word "fixed" is not in it';
export const fix: Reply = run('echo fixed >answer.txt');

/** A red check. Each of its runs leaves a line in a file that git ignores, so it is no content. */
export function setUpCheck(stage: Stage): void {
  stage.write('holdfast.config.json', configWith('sh check.sh'));
  stage.write(
    'check.sh',
    `echo ran >>marks\ngrep -q fixed answer.txt && exit 0\necho Looking.\necho '${FAILING}'\nexit 3\n`,
  );
  stage.write('answer.txt', 'broken\n');
  stage.write('.gitignore', 'marks\n');
  stage.git('add', '.');
  stage.git('commit', '--quiet', '--message', 'A project with a check');
}

export const configWith = (command: string, more: object = {}): string =>
  JSON.stringify({ checks: { answer: { run: command, ...more } } });

export const timesRun = (stage: Stage): number =>
  stage.exists('marks') ? stage.read('marks').split('ran\n').length - 1 : 0;

export type RunEnd = { outcome: string | null; proof?: string; why?: string[] };

/** How each run of the project ended, as the journal tells. */
export function ends(stage: Stage): RunEnd[] {
  const lines = stage.read('.holdfast/journal.jsonl').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'end');
}

/** Someone who listens on loopback, and whether anybody came. */
export async function listen(): Promise<{ port: number; visits: () => number }> {
  let visits = 0;
  const server = net.createServer((socket) => {
    visits++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.address() as net.AddressInfo).port, visits: () => visits };
}

export const outside = ({ home }: Stage): string => path.join(home, 'mark-outside');
export const forged = ({ home }: Stage): string => path.join(home, '.local/state/holdfast/forged');

/** A script that tries what a sandbox is there to prevent, says how each went, and passes. */
export function reachingScript(stage: Stage, port: number): string {
  const connect = `require('net').connect(${port}, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1))`;
  return [
    'try() { if sh -c "$2" 2>/dev/null; then echo "$1: yes"; else echo "$1: no"; fi; }',
    'try project "echo ran >>marks"',
    `try outside "echo x >'${outside(stage)}'"`,
    `try state "echo x >'${forged(stage)}'"`,
    `try loopback "'${process.execPath}' -e \\"${connect}\\""`,
    '',
  ].join('\n');
}

export type Reached = Record<string, string>;

/** What the script said, wherever its words are found. */
export const reachedIn = (text: string): Reached =>
  Object.fromEntries(
    [...text.matchAll(/^(project|outside|state|loopback): (yes|no)\r?$/gm)].map(([, what, how]) => [
      what,
      how,
    ]),
  );

/** A plan whose tasks are reviewed: the first of them is next. */
export function setUpPlan(stage: Stage): void {
  const plan = (name: string, text: string): string => stage.write(`.taskie/plans/demo/${name}`, text);
  plan('plan.md', '# Plan\n\n## Overview\n\nSay hello.\n');
  plan(
    'tasks.md',
    '| Id | Status | Priority | Description | Test strategy |\n| --- | --- | --- | --- | --- |\n| 1 | pending | high | Write file 1 | cat it |\n',
  );
  plan('task-1.md', '# Task 1\n\n### Subtask 1.1: Write it\n- **Status**: pending\n');
  const state = {
    ...{ max_reviews: 8, current_task: null, phase: 'tasks-review', phase_iteration: 2 },
    ...{ next_phase: 'complete-task', review_model: 'opus', consecutive_clean: 2, tdd: false },
  };
  plan('state.json', JSON.stringify(state, null, 2));
}
