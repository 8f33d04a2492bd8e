// Group 6: a run belongs to a session, and no other session is ever held by it.

import { describe, expect, it } from 'vitest';
import { DONE, iterations, loopState, startLoop, TASK } from '../loop.ts';
import {
  brokenApi,
  claudePrint,
  claudeStream,
  codexExec,
  converse,
  holdsOf,
  opening,
  run,
  type Stage,
  saw,
  say,
  stageFor,
  until,
} from '../scenario.ts';

const SECOND = 'I am somebody else.';

/** The runs of others that a session was notified of. */
function notifiedOf(stage: Stage, session: string): readonly string[] {
  return JSON.parse(stage.read(`.holdfast/sessions/${session}.json`)).notified;
}

describe('6. sessions', () => {
  it.for([claudePrint, claudeStream, codexExec])(
    'another session in the project is not held, and is notified once ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      stage.agent(startLoop(host.cli(stage)), say('One.'), ...brokenApi);
      const first = await host.play(stage, TASK);
      stage.part({ name: 'second', hears: opening(SECOND), lines: [say('Good day.'), say('Good night.')] });
      const second = await host.play(stage, SECOND);
      expect(second.result).toBe('Good day.');
      expect(second.session).not.toBe(first.session);
      expect(notifiedOf(stage, second.session)).toEqual([`idle:${loopState(stage.root)?.run_id}`]);
      if (host !== codexExec)
        expect(second.notices).toContainEqual(
          expect.stringMatching(/unfinished here but is not this session's.*adopt/),
        );
      const later = await host.play(stage, 'Anything else?', { resume: second.session });
      expect(later.result).toBe('Good night.');
      expect(later.notices.filter((line) => line.includes('unfinished'))).toEqual([]);
      expect(loopState(stage.root)).toMatchObject({ event: 'STATE', stack: [{ iter: 1 }] });
      saw(
        context,
        host.mode,
        `the second session was never held and spent no iteration; when it started ${host.showsNotices}, later none`,
      );
    },
  );

  it('two sessions at once in one project (Claude Code stream-json)', async (context) => {
    const stage = await stageFor();
    stage.agent(startLoop('holdfast'), say('One.'), { hangs: true });
    stage.part({
      name: 'second',
      hears: opening(SECOND),
      lines: [say('Good day.'), run('ls'), say('Good night.')],
    });
    const [first, second] = [converse(stage), converse(stage)];
    first.send(TASK);
    await until('the first hold', () => holdsOf(stage).length === 1);
    expect((await second.say(SECOND)).result).toBe('Good day.');
    expect((await second.say('Look around.')).result).toBe('Good night.');
    first.interrupt();
    await first.turn();
    stage.agent(say('Two.'), say(DONE));
    expect((await first.say('Go on.')).result).toBe(DONE);
    const [, other] = [await first.end(), await second.end()];
    // What was said as feedback before the interruption is no part of the conversation any more.
    expect(iterations(holdsOf(stage))).toEqual(['2/10']);
    expect(holdsOf(stage, 'second')).toEqual([]);
    expect(other.notices.filter((line) => line.includes('not this session'))).toHaveLength(1);
    saw(
      context,
      'Claude Code stream-json',
      'the first held at 1 and 2, the second never, while both were open; it was notified of the loop once',
    );
  });

  it.for([claudePrint, claudeStream, codexExec])(
    'a resumed session goes on with its loop ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      stage.agent(startLoop(host.cli(stage)), say('One.'), ...brokenApi);
      const first = await host.play(stage, TASK);
      stage.agent(say('Two.'), say(DONE));
      const again = await host.play(stage, 'Go on.', { resume: first.session });
      expect(again.session).toBe(first.session);
      expect(iterations(holdsOf(stage)).at(-1)).toBe('2/10');
      expect(loopState(stage.root)).toMatchObject({ event: 'DONE' });
      saw(context, host.mode, 'same id, held at the next iteration');
    },
  );

  it.for([claudePrint, claudeStream])('a forked session is another one ($mode)', async (host, context) => {
    const stage = await stageFor();
    stage.agent(startLoop('holdfast'), say('One.'), ...brokenApi);
    const first = await host.play(stage, TASK);
    stage.agent(say('I am a copy.'), say('Not asked for.'));
    const fork = await host.play(stage, 'Who are you?', {
      resume: first.session,
      args: ['--fork-session'],
    });
    expect(fork.session).not.toBe(first.session);
    expect(fork.result).toBe('I am a copy.');
    expect(fork.notices).toContainEqual(expect.stringMatching(/not this session's.*adopt/));
    saw(context, host.mode, 'new id, not held, shown how to adopt');
  });

  it('a forked session is another one (Codex exec)', async (context) => {
    const stage = await stageFor();
    stage.agent(startLoop(codexExec.cli(stage)), say('One.'), ...brokenApi);
    const first = await codexExec.play(stage, TASK);
    stage.agent(say('I am a copy.'), say('Not asked for.'));
    const fork = await codexExec.play(stage, 'Who are you?', { fork: first.session });
    expect(fork.session).not.toBe(first.session);
    expect(fork.result).toBe('I am a copy.');
    expect(loopState(stage.root)).toMatchObject({ event: 'STATE', stack: [{ iter: 1 }] });
    saw(context, 'Codex exec', '`codex exec fork`: new id, not held');
  });

  it('a cleared session is another one (Claude Code stream-json)', async (context) => {
    const stage = await stageFor();
    stage.agent(startLoop('holdfast'), say('One.'), { hangs: true });
    const conversation = converse(stage);
    conversation.send(TASK);
    await until('the first hold', () => holdsOf(stage).length === 1);
    conversation.interrupt();
    await conversation.turn();
    const before = conversation.session();
    await conversation.say('/clear');
    stage.agent(say('I know of nothing.'), say('Not asked for.'));
    expect((await conversation.say('What now?')).result).toBe('I know of nothing.');
    const played = await conversation.end();
    expect(played.session).not.toBe(before);
    expect(played.notices).toContainEqual(expect.stringMatching(/not this session's.*adopt/));
    saw(context, 'Claude Code stream-json', '`/clear` brought a new id: not held, shown how to adopt');
  });

  it.for([claudePrint, codexExec])('a second session adopts the run ($mode)', async (host, context) => {
    const stage = await stageFor();
    const cli = host.cli(stage);
    stage.agent(startLoop(cli), say('One.'), ...brokenApi);
    const first = await host.play(stage, TASK);
    const name = `idle:${loopState(stage.root)?.run_id}`;
    stage.part({
      name: 'second',
      hears: opening(SECOND),
      lines: [run(`${cli} adopt ${name}`), say('Mine now.'), say(DONE)],
    });
    const second = await host.play(stage, SECOND);
    expect(iterations(holdsOf(stage, 'second'))).toEqual(['2/10']);
    expect(second.result).toBe(DONE);
    stage.agent(say('And I?'), say('Not asked for.'));
    const third = await host.play(stage, 'Go on.', { resume: first.session });
    expect(third.result).toBe('And I?');
    saw(
      context,
      host.mode,
      'adopted by command, held at the next iteration with the task, ended by its signal; the first session was let go',
    );
  });

  it('a second session adopts the run (Claude Code stream-json)', async (context) => {
    const stage = await stageFor();
    stage.agent(startLoop('holdfast'), say('One.'), { hangs: true });
    const first = converse(stage);
    first.send(TASK);
    await until('the first hold', () => holdsOf(stage).length === 1);
    first.interrupt();
    await first.turn();
    const name = `idle:${loopState(stage.root)?.run_id}`;
    stage.part({
      name: 'second',
      hears: opening(SECOND),
      lines: [run(`holdfast adopt ${name}`), say('Mine.'), say(DONE)],
    });
    const second = converse(stage);
    expect((await second.say(SECOND)).result).toBe(DONE);
    stage.agent(say('And I?'));
    expect((await first.say('Go on.')).result).toBe('And I?');
    await Promise.all([first.end(), second.end()]);
    expect(iterations(holdsOf(stage, 'second'))).toEqual(['2/10']);
    saw(
      context,
      'Claude Code stream-json',
      'adopted while the first session was still open; held there, the first let go',
    );
  });
});
