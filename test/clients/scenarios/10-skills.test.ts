// Group 10: the skills as a user runs them, with words that a shell would stumble over.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DONE, iterations, loopState } from '../loop.ts';
import { draftPlan, planState, reviewer, reviews } from '../plan.ts';
import { claudexState } from '../rounds.ts';
import { brokenApi, claudePrint, codexExec, holdsOf, run, saw, say, stageFor, write } from '../scenario.ts';
import { skillCall } from '../skill.ts';

/** Everything that ends a quote, starts a command or opens a tag somewhere. */
const WORDS = `it's a "test" of $(touch owned) and \`touch owned\`; touch owned && echo $HOME | cat > owned \\ %s <b> ä漢`;

describe('10. skills', () => {
  it.for([claudePrint, codexExec])(
    'claudex:plan with a topic full of quotes and $() ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      stage.agent(
        (heard) => {
          const { words, file } = skillCall(heard);
          expect(words).toBe(`--rounds 2 --skip-interview ${WORDS}`);
          return write(stage.file(file), words.replace('--rounds 2 --skip-interview ', ''));
        },
        (heard) => run(`${skillCall(heard).cli} claudex plan --rounds 2 < ${skillCall(heard).file}`),
        say('I do not draft it.'),
        ...brokenApi,
      );
      await host.play(stage, host.skill('claudex:plan', `--rounds 2 --skip-interview ${WORDS}`));
      expect(holdsOf(stage)[0]).toContain('### Claudex: draft the plan first');
      expect(JSON.parse(claudexState(stage).topic ?? '')).toBe(WORDS);
      expect(claudexState(stage)).toMatchObject({ max_rounds: '2', phase: 'drafting' });
      expect(stage.exists('owned')).toBe(false);
      saw(
        context,
        host.mode,
        "the words reached the model and the loop's state letter by letter, nothing of them was run, and the stop was held",
      );
    },
  );

  it.for([claudePrint, codexExec])(
    'idle:loop with a task full of quotes and $() ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      stage.agent(
        (heard) => {
          const { words, file } = skillCall(heard);
          expect(words).toBe(`--max 3 ${WORDS}`);
          return write(stage.file(file), words.replace('--max 3 ', ''));
        },
        (heard) => run(`${skillCall(heard).cli} idle loop --max 3 < ${skillCall(heard).file}`),
        say('One.'),
        say(DONE),
      );
      const played = await host.play(stage, host.skill('idle:loop', `--max 3 ${WORDS}`));
      expect(iterations(holdsOf(stage))).toEqual(['1/3']);
      expect(holdsOf(stage)[0]).toContain(WORDS);
      expect(played.result).toBe(DONE);
      expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
      expect(stage.exists('owned')).toBe(false);
      saw(
        context,
        host.mode,
        'held once with the task letter by letter, let go at the signal, nothing of the words was run',
      );
    },
  );

  it.for([claudePrint, codexExec])(
    'taskie:continue-plan takes a plan over from another session ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      stage.agent(draftPlan(host.cli(stage)), ...brokenApi);
      const first = await host.play(stage, 'Plan it.');
      reviewer(stage, ...reviews('FAIL'));
      stage.agent(
        (heard) => {
          const { words, cli, text } = skillCall(heard);
          expect(text).toContain('holdfast taskie next');
          return run(`${cli} taskie next --plan ${words}`);
        },
        say('It says to stop, so I stop.'),
        ...brokenApi,
      );
      const second = await host.play(stage, host.skill('taskie:continue-plan', 'demo'));
      expect(second.session).not.toBe(first.session);
      expect(holdsOf(stage)[0]).toContain("Plan 'demo': plan review 1 of at most 8");
      expect(planState(stage)).toMatchObject({ phase: 'plan-review', next_phase: 'post-plan-review' });
      saw(
        context,
        host.mode,
        'the skill bound the plan to the new session; at its stop the due review ran and held it',
      );
    },
  );

  it.for([claudePrint])(
    'a skill allows our own file, and no program of our name that a project brings ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      const bin = path.join(stage.root, '.venv/bin');
      fs.mkdirSync(bin, { recursive: true });
      fs.writeFileSync(path.join(bin, 'holdfast'), '#!/bin/sh\ntouch owned\n', { mode: 0o755 });
      stage.env.PATH = `${bin}:${stage.env.PATH}`;
      stage.agent(
        run('which holdfast'),
        (heard) => {
          expect(heard.last).toContain(path.join(bin, 'holdfast'));
          return write(stage.file(skillCall(heard).file), skillCall(heard).words);
        },
        run('holdfast idle loop < .holdfast/task.txt'),
        (heard) => {
          expect(heard.last).toContain('requires approval');
          return run(`${skillCall(heard).cli} idle loop --max 3 < ${skillCall(heard).file}`);
        },
        say('One.'),
        say(DONE),
      );
      await host.play(stage, host.skill('idle:loop', 'Fix it'), {
        permissions: 'denied',
        args: ['--allowedTools', 'Bash(which:*)'],
      });
      expect(iterations(holdsOf(stage))).toEqual(['1/3']);
      expect(stage.exists('owned')).toBe(false);
      saw(
        context,
        host.mode,
        'the shell finds the one of the project first; the client asks before it runs that, and runs ours by the path in the skill without asking',
      );
    },
  );
});
