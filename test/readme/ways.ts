// How a reader types each line of README, in its order: in which folder, and what is seen to happen. A line that is not
// here fails the test: whoever writes it into README says here how a reader comes to it.

import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Ran } from '../support/hook.ts';
import type { Reader } from './reader.ts';

/** Not typed here, and why. */
export const exempt: Readonly<Record<string, string>> = {
  'npm install': 'its result is what the reader starts from; `.ci/run` runs it in a fresh checkout',
  'npm test': 'this test is part of it; `.ci/run` runs it in a fresh checkout',
  'holdfast run --hours 8 idle loop "Make the failing tests pass"':
    'it starts a client; test/driver gives it a scripted one, test/clients the real ones',
};

export type Way = (typed: string, at: Reader) => Promise<unknown>;

const CLAUDE = { CLAUDE_CODE_SESSION_ID: '0b5d6c1e-3f52-4c8a-9d17-5a2f8f6e1b90' };
const CODEX = { CODEX_THREAD_ID: '019a8b1c-7d3e-7f00-8a11-2b3c4d5e6f70' };
const DONE = 'All of them pass.\n<loop-done>COMPLETE</loop-done>';

const inCheckout: Way = (typed, at) => succeed(typed, at, at.checkout);
const inProject: Way = (typed, at) => succeed(typed, at, at.project);

/** To where the tests are red, the agent claims to be done all the same, and makes them green. */
function loopIn(session: Record<string, string>): Way {
  return async (typed, at) => {
    fs.writeFileSync(path.join(at.project, 'answer.txt'), `broken in ${Object.keys(session)}\n`);
    // What the skill does with the words after its name.
    const started = await at.type('holdfast idle loop', at.project, session, typed.replace(/^\S+ /, ''));
    expect(started).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await at.stop('Shall I continue?', session)).answer?.reason).toMatch(/^\[ITERATION 1\/10\]/);
    expect((await at.stop(DONE, session)).answer?.reason).toContain('not ok answer');
    fs.writeFileSync(path.join(at.project, 'answer.txt'), 'fixed\n');
    const { answer } = await at.stop(DONE, session);
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('done and proven: test');
  };
}

const cancelled: Way = async (typed, at) => {
  await at.type('holdfast idle loop A task', at.project, CLAUDE);
  // A skill of this name calls the command of this name.
  const command = typed.replace(/^[/$]idle:cancel$/, 'holdfast idle cancel');
  await succeed(command, at, at.project);
  expect((await at.stop('Not yet.', CLAUDE)).answer?.decision).toBeUndefined();
};

const isSkill: Way = async (typed, at) => {
  const [name = ''] = typed.slice(1).split(' ');
  const file = path.join(at.checkout, 'dist', name.replace(':', '/skills/'), 'SKILL.md');
  expect(fs.existsSync(file), file).toBe(true);
};

const answered: Way = async (typed, at) => {
  // A person's, in a terminal, who says yes to each question.
  const line = `yes yes | head -n 9 | script -qec '${typed}' /dev/null`;
  const { stdout } = await succeed(line, at, at.project, { SHELL: '/bin/sh' });
  expect(stdout).toContain('Trusted: test');
};

/** For what goes on until it is ended: once it has said something, as by ^C. */
const untilEnded: Way = (typed, at) => {
  // A shell's background commands do not hear Ctrl-C unless they listen for it themselves, as these do.
  const untilItSpoke = 'n=0; until [ -s ../shown ] || [ $((n += 1)) -gt 1000 ]; do sleep 0.1; done';
  return inProject(`${typed} >../shown & ${untilItSpoke}; kill -INT $!; wait $!`, at);
};

/** In README's order. */
export const ways: Readonly<Record<string, Way>> = {
  'npx holdfast install': async (typed, at) => {
    await inCheckout(typed, at);
    const { stdout } = await at.type('command -v holdfast', at.home);
    expect(stdout).toBe(`${path.join(at.home, '.local/bin/holdfast')}\n`);
  },
  'npx holdfast install --trust': inCheckout,
  'npx holdfast demo': inCheckout,
  'holdfast init': answered,
  '/idle:loop Make the failing tests pass': loopIn(CLAUDE),
  '$idle:loop Make the failing tests pass': loopIn(CODEX),
  'holdfast why': async (typed, at) => {
    const { stdout } = (await inProject(typed, at)) as Ran;
    expect(stdout).toContain('done');
  },
  'holdfast status': inProject,
  'holdfast web': untilEnded,
  'holdfast cancel': cancelled,
  '/idle:cancel': cancelled,
  '$idle:cancel': isSkill,
  '/idle:loop': isSkill,
  '/flow:start': isSkill,
  '/taskie:new-plan': isSkill,
  '/claudex:plan': isSkill,
  '/claudex:review': isSkill,
  'npx holdfast uninstall': async (typed, at) => {
    await inCheckout(typed, at);
    expect(fs.existsSync(path.join(at.home, '.local/bin/holdfast'))).toBe(false);
    expect(fs.existsSync(path.join(at.project, '.jwz/messages.jsonl'))).toBe(true);
  },
};

async function succeed(typed: string, at: Reader, folder: string, env = {}): Promise<Ran> {
  const ran = await at.type(typed, folder, env);
  expect(ran, typed).toMatchObject({ exitCode: 0, stderr: '' });
  return ran;
}
