// Group 17: what comes between a client and its work, and how `holdfast run` goes on after it.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { minutesOf } from '../budget.ts';
import { giveClock } from '../clients/clock.ts';
import { subscribe } from '../clients/subscriber.ts';
import { DONE, iterations, startLoop, TASK, upTo } from '../loop.ts';
import { both, type Running, runOn } from '../run-command.ts';
import {
  answers,
  claudePrint,
  codexExec,
  holdsOf,
  nothingLeft,
  opening,
  run,
  saw,
  say,
  stageFor,
  until,
} from '../scenario.ts';
import { claudeLimit, codexLimit } from '../servers/limits.ts';
import type { Reply } from '../servers/script.ts';
import { overflow, overload } from '../servers/trouble.ts';

const [claude, codex] = both;
if (claude === undefined || codex === undefined) throw new Error('both clients are driven');

const LOOP = ['--access', 'full', 'idle', 'loop', TASK];

const countOf = (running: Running, name: string): number =>
  running.events().filter(({ event }) => event === name).length;

const troubles = (running: Running): unknown[] =>
  running.events().flatMap(({ event, what }) => (event === 'trouble' ? [what] : []));

/** What each client says of a usage limit (Claude Code 2.1.325, Codex 0.166.0). */
const LIMIT_WORDS: Readonly<Record<string, RegExp>> = {
  'claude-code': /^You've hit your (?:\S+ )*limit · resets .+ \(UTC\)$/,
  codex: /^You.ve hit your usage limit\. Visit \S+ to purchase more credits or try again at .+ [AP]M\.$/,
};

describe('17. holdfast run', () => {
  it.for(both)('a usage limit with its reset is waited for ($mode)', async (driven, context) => {
    const stage = await stageFor();
    const isClaude = driven.name === 'claude-code';
    if (isClaude) subscribe(stage);
    const clock = giveClock(stage);
    const resets = Math.floor(Date.now() / 1000) + 3 * 3600;
    stage.agent(run('echo one'), say('One.'), (isClaude ? claudeLimit : codexLimit)(resets));
    const running = runOn(driven, stage, ['--hours', '2', ...LOOP]);
    const waits = await running.event('waits');
    expect(Number(waits.until)).toBeGreaterThanOrEqual(resets * 1000);
    expect(Number(waits.until)).toBeLessThanOrEqual((resets + 120) * 1000);
    stage.agent(run('echo two'), say('Two.'), say(DONE));
    clock.forward(3 * 3600 + 180);
    const { exitCode, summary } = await running.ended;
    expect(summary).toMatchObject({ code: 0, iterations: 2, sessions: 1 });
    expect(exitCode).toBe(0);
    expect(troubles(running)).toEqual(['limit']);
    // Claude Code lives on and is given a prompt; Codex has ended, and its session is resumed.
    expect(countOf(running, 'client-began')).toBe(isClaude ? 1 : 2);
    // It waited for three hours.
    expect(minutesOf(stage)).toBeGreaterThan(0);
    expect(minutesOf(stage)).toBeLessThan(60);
    await nothingLeft(stage);
    const how = isClaude ? 'went on in the same process' : 'resumed the session';
    saw(
      context,
      driven.mode,
      `at the limit it waited until the reset, then ${how}; no try was counted, and the wait cost no hour`,
    );
  });

  it.for(both)(
    'an account at its limit before the first turn, and at another one after it ($mode)',
    async (driven, context) => {
      const stage = await stageFor();
      const isClaude = driven.name === 'claude-code';
      if (isClaude) subscribe(stage);
      const clock = giveClock(stage);
      const limit = (hours: number): Reply => {
        const resets = Math.floor(Date.now() / 1000) + hours * 3600;
        return (isClaude ? claudeLimit : codexLimit)(resets);
      };
      stage.agent(limit(3));
      const running = runOn(driven, stage, LOOP);
      await until('the first limit', () => countOf(running, 'waits') === 1 || false);
      stage.agent(limit(6));
      clock.forward(3 * 3600 + 180);
      await until('the second limit', () => countOf(running, 'waits') === 2 || false);
      stage.agent(run('echo one'), say('One.'), say(DONE));
      clock.forward(3 * 3600 + 180);
      const { summary } = await running.ended;
      const said = running.events().filter(({ event }) => event === 'trouble');
      expect(said.map(({ what }) => what)).toEqual(['limit', 'limit']);
      for (const { said: words } of said) expect(words).toMatch(LIMIT_WORDS[driven.name] ?? /^$/);
      expect(summary).toMatchObject({ code: 0, iterations: 1 });
      expect(answers(stage.root)).toEqual(['hold', 'allow']);
      await nothingLeft(stage);
      saw(
        context,
        driven.mode,
        'each limit was waited out, in the words of the client; then it did its work',
      );
    },
  );

  it.for(both)(
    'a server that is overloaded: tried again after 15 and 30 seconds ($mode)',
    async (driven, context) => {
      const stage = await stageFor();
      stage.env.CLAUDE_CODE_MAX_RETRIES = '0';
      const clock = giveClock(stage);
      const end = [run('echo two'), say('Two.'), say(DONE)];
      stage.agent(run('echo one'), say('One.'), ...overload(driven.name), ...end);
      const running = runOn(driven, stage, LOOP);
      await until('the first wait', () => countOf(running, 'waits') === 1 || false);
      clock.forward(20);
      await until('the second wait', () => countOf(running, 'waits') === 2 || false);
      clock.forward(40);
      const { summary } = await running.ended;
      expect(troubles(running)).toEqual(['server', 'server']);
      expect(summary).toMatchObject({ code: 0, iterations: 2, sessions: 1 });
      await nothingLeft(stage);
      saw(context, driven.mode, 'two errors in a row were waited out, in the same session; then it went on');
    },
  );

  it.for(both)(
    'a client that says nothing any more is ended, and its session resumed ($mode)',
    async (driven, context) => {
      const stage = await stageFor();
      stage.write('holdfast.config.json', JSON.stringify({ run: { silence: 60 } }));
      const clock = giveClock(stage);
      stage.agent(run('echo one'), say('One.'), { hangs: true }, { hangs: true });
      const running = runOn(driven, stage, LOOP);
      await until('the hang', () => answers(stage.root).length === 1 || false);
      await clock.hurry('the client to be ended', () =>
        running.events().some(({ event, how }) => event === 'client-ended' && how === 'silent'),
      );
      stage.agent(run('echo two'), say('Two.'), say(DONE));
      const { summary } = await running.ended;
      expect(summary).toMatchObject({ code: 0, iterations: 2, sessions: 1 });
      const starts = running.events().filter(({ event }) => event === 'client-began');
      expect(starts.map(({ how }) => how)).toEqual(['new', 'resumed']);
      await nothingLeft(stage);
      saw(
        context,
        driven.mode,
        'after its time of silence the client was ended, and the session went on where it was',
      );
    },
  );

  it.for(both)(
    'a context that is too long: the session goes on, compacted ($mode)',
    async (driven, context) => {
      const stage = await stageFor();
      const failed = overflow(driven.name);
      const isClaude = driven.name === 'claude-code';
      // Claude Code compacts the conversation by itself and asks once more, before it gives up.
      const given = isClaude ? [failed, failed] : [failed];
      stage.agent(run('echo one'), say('One.'), ...given, run('echo two'), say('Two.'), say(DONE));
      const running = runOn(driven, stage, LOOP);
      const { summary } = await running.ended;
      expect(troubles(running)).toEqual(['context']);
      expect(summary).toMatchObject({ code: 0, iterations: 2, sessions: 1 });
      // Codex compacts it at the next prompt.
      expect(stage.models[isClaude ? 'messages' : 'responses'].background).toContain('summary');
      expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
      await nothingLeft(stage);
      saw(
        context,
        driven.mode,
        'the client compacted it; the same session was prompted, and the count went on',
      );
    },
  );

  it.for(both)(
    'a context that stays too long: a new session takes it over ($mode)',
    async (driven, context) => {
      const stage = await stageFor();
      const failed = Array.from({ length: 12 }, () => overflow(driven.name));
      stage.agent(run('echo one'), say('One.'), ...failed);
      stage.part({
        name: 'second',
        hears: opening('Another session worked on'),
        lines: [run('echo two'), say('Two.'), say(DONE)],
      });
      const running = runOn(driven, stage, LOOP);
      const { summary } = await running.ended;
      expect(troubles(running)).toEqual(['context', 'context']);
      expect(summary).toMatchObject({ code: 0, iterations: 2, sessions: 2 });
      const [first] = stage.cast.of('second');
      expect(first?.opening).toContain(TASK);
      expect(stage.cast.of('agent').map(({ session }) => session)).not.toContain(first?.session);
      expect(iterations(holdsOf(stage, 'second'))).toEqual(['2/10']);
      await nothingLeft(stage);
      saw(
        context,
        driven.mode,
        'after the second time in a row a new session was given the task again, and the count went on',
      );
    },
  );

  it.for([
    { driven: claude, live: claudePrint },
    { driven: codex, live: codexExec },
  ])(
    'a work tree of its own beside a session that is held in the project ($live.mode)',
    async (both, context) => {
      const { driven, live } = both;
      const stage = await stageFor();
      // Otherwise `git add .` takes the loop's own file along, and git refuses to merge it over the project's.
      stage.write('.gitignore', '.jwz/\n');
      stage.git('add', '.');
      stage.git('commit', '-m', 'Begin');
      const waiting = 'touch here; while [ ! -e go ]; do sleep 0.2; done';
      stage.part({
        name: 'driven',
        hears: opening(TASK),
        lines: [
          run('echo begun >there.txt && git add . && git commit -m Begun'),
          say('One.'),
          run('echo done >there.txt && git commit -am Made'),
          say(DONE),
        ],
      });
      stage.agent(
        ...[startLoop(live.cli(stage), '', 'Tidy up.'), say('Not yet.')],
        ...[run(waiting), say('Still not.'), run('echo mine >mine.txt'), say(DONE)],
      );
      const session = live.begin(stage, 'Tidy up, please.', { limitMs: 120_000 });
      await until('the session in the project to be held', () => stage.exists('here'));
      const before = stage.git('status', '--porcelain');
      const { summary } = await runOn(driven, stage, ['--worktree', ...LOOP]).ended;
      expect(summary).toMatchObject({ code: 0, iterations: 1, sessions: 1, commits: 2 });
      // The project is as it was, and its session has heard nothing of it.
      expect(stage.git('status', '--porcelain')).toBe(before);
      expect(answers(stage.root)).toEqual(['hold']);
      expect(stage.exists('there.txt')).toBe(false);
      const tree = summary?.worktree as { path: string; branch: string };
      expect(answers(tree.path)).toEqual(['hold', 'allow']);
      stage.write('go', '');
      expect((await session.ended).exitCode).toBe(0);
      expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
      expect(iterations(holdsOf(stage))).toEqual(upTo(2, 10));
      expect(answers(tree.path)).toEqual(['hold', 'allow']);
      expect(fs.existsSync(path.join(tree.path, 'mine.txt'))).toBe(false);
      stage.git('merge', '--quiet', tree.branch);
      expect(stage.read('there.txt')).toBe('done\n');
      await nothingLeft(stage);
      saw(
        context,
        driven.mode,
        'each was held by its own loop alone and counted for itself; the project was left alone until the merge',
      );
    },
  );
});
