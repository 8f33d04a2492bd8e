// Group 16: the clients without a terminal, as `holdfast run` drives them.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bindToSession } from '../../../src/engine/driver/bind.ts';
import { pendingHandOver } from '../../../src/engine/driver/hand-over.ts';
import { leaveDriverToken, sessionOfToken } from '../../../src/engine/driver/token.ts';
import { openProject } from '../../../src/engine/stop/find-project.ts';
import { runtimeHere } from '../../../src/hook/runtime.ts';
import { withLock } from '../../../src/store/lock.ts';
import { readSidecar } from '../../../src/store/sidecars.ts';
import { pluginFolder } from '../clients/place.ts';
import { subscribe } from '../clients/subscriber.ts';
import { drivenClaude, drivenCodex, follow, kindsOf } from '../headless.ts';
import { DONE, iterations, loopState, startLoop, TASK } from '../loop.ts';
import {
  answers,
  codexExec,
  holdsOf,
  type Line,
  nothingLeft,
  run,
  runCli,
  type Stage,
  saw,
  say,
  stageFor,
  until,
  write,
} from '../scenario.ts';
import { claudeLimit } from '../servers/limits.ts';

const cli = (): string => path.join(pluginFolder('holdfast'), 'bin', 'holdfast');

/** As the driver sees it. */
const projectOf = (stage: Stage) => openProject(stage.root, runtimeHere(stage.env));

/** A loop that a person started in a terminal, by its name. */
function startedLoop(stage: Stage): string {
  runCli(stage, 'idle', 'loop', TASK);
  const name = /idle:[\w-]+/.exec(runCli(stage, 'status'))?.[0];
  if (name === undefined) throw new Error('no loop was started');
  return name;
}

const both = [
  { driven: drivenClaude, mode: 'Claude Code stream-json' as const },
  { driven: drivenCodex, mode: 'Codex exec' as const },
];

describe('16. without a terminal', () => {
  it('a session with an id of ours takes prompts until it is ended (Claude Code stream-json)', async (context) => {
    const stage = await stageFor();
    const session = randomUUID();
    stage.agent(startLoop('holdfast'), say('One.'), run('echo two'), say(DONE), say('A second answer.'));
    const following = follow(drivenClaude, stage, { session, access: 'full' });
    expect(await following.next('session')).toEqual({ kind: 'session', id: session });
    expect(await following.next('result')).toMatchObject({
      ok: true,
      trouble: null,
      usd: expect.any(Number),
    });
    expect(kindsOf(following.events)).toMatchObject({ turn: 1, tool: 2, result: 1 });
    expect(answers(stage.root)).toEqual(['hold', 'allow']);
    expect(following.client.send('And now?')).toBe(true);
    expect(await following.next('result')).toMatchObject({ ok: true });
    await following.client.end();
    expect(await following.next('ended')).toMatchObject({ trouble: null });
    await nothingLeft(stage);
    const { headless } = drivenClaude;
    expect(headless.canResume(session, { root: stage.root, env: stage.env })).toBe(true);
    expect(headless.canResume(randomUUID(), { root: stage.root, env: stage.env })).toBe(false);
    stage.agent(say('Resumed.'));
    const resumed = follow(drivenClaude, stage, { resume: session });
    expect(await resumed.next('session')).toEqual({ kind: 'session', id: session });
    expect(await resumed.next('result')).toMatchObject({ ok: true });
    await resumed.client.end();
    await nothingLeft(stage);
    saw(
      context,
      'Claude Code stream-json',
      'held in the first turn; a second prompt in the same process, and a third after a resume',
    );
  });

  it('editing is allowed, and of commands those that were named (Claude Code stream-json)', async (context) => {
    const stage = await stageFor();
    stage.agent(
      write(stage.file('a.txt'), 'hello'),
      run('npm test'),
      run(`${cli()} status`),
      run('git status --short'),
      run('git add a.txt && git commit -m "a (b)"'),
      run('git -c alias.x=!id x'),
      run('git log --oneline'),
      run('git diff --stat'),
      run('git log -1 --format=format:x --output=log.txt'),
      run('npm run check'),
      say('I am done.'),
    );
    const allowed = [cli(), 'npm run check', 'git add', 'git commit', 'git status'];
    const following = follow(drivenClaude, stage, { allowed, session: randomUUID() });
    const result = await following.next('result');
    expect(result).toMatchObject({ ok: true, trouble: null });
    const denied = following.events.flatMap((event) => (event.kind === 'denied' ? [event.what] : []));
    // What only reads the client allows by itself; with `--output` it would write any file.
    expect(denied).toEqual([
      'Bash(npm test)',
      'Bash(git -c alias.x=!id x)',
      'Bash(git log -1 --format=format:x --output=log.txt)',
    ]);
    expect(stage.read('a.txt')).toContain('hello');
    expect(stage.git('log', '--oneline')).toContain('a (b)');
    await following.client.end();
    await nothingLeft(stage);
    saw(
      context,
      'Claude Code stream-json',
      'it edited, ran Holdfast, the check and git; what nobody had allowed was denied and named',
    );
  });

  it('a usage limit: its end is known, and the same process goes on (Claude Code stream-json)', async (context) => {
    const stage = await stageFor();
    subscribe(stage);
    const resets = Math.floor(Date.now() / 1000) + 3 * 3600;
    stage.agent(run('echo one'), claudeLimit(resets), say('I am back.'));
    const following = follow(drivenClaude, stage, { session: randomUUID(), access: 'full' });
    expect(await following.next('result')).toMatchObject({
      ok: false,
      trouble: { what: 'limit', resetsAt: resets * 1000 },
    });
    expect(following.client.send('Go on.')).toBe(true);
    expect(await following.next('result')).toMatchObject({ ok: true, trouble: null });
    await following.client.end();
    await nothingLeft(stage);
    saw(
      context,
      'Claude Code stream-json',
      'the limit was reported with its reset, and a prompt after it was answered by the same process',
    );
  });

  it('a run started outside is bound to the session at its start, once (Codex exec)', async (context) => {
    const stage = await stageFor();
    const holdfast = codexExec.cli(stage);
    const name = startedLoop(stage);
    const project = await projectOf(stage);
    const { token, env } = leaveDriverToken(project, name, { session: null, fresh: false });
    // The agent's own client, with the variable it inherited, gets nothing by it.
    const nested = `codex exec --json --dangerously-bypass-hook-trust --dangerously-bypass-approvals-and-sandbox 'A nested prompt.' </dev/null >nested.jsonl; env | grep -c HOLDFAST_DRIVER >seen.txt`;
    stage.part({
      name: 'nested',
      hears: (heard) => heard.opening.includes('A nested prompt.'),
      lines: [say('Nested.')],
    });
    stage.agent(run(nested), say('One.'), run('echo two'), say(DONE));
    const following = follow(drivenCodex, stage, {
      env: { ...stage.env, ...env },
      prompt: TASK,
      access: 'full',
    });
    const { id } = await following.next('session');
    expect(await following.next('result')).toMatchObject({ ok: true, trouble: null });
    expect(await following.next('ended')).toMatchObject({ code: 0, trouble: null });
    expect(sessionOfToken(project, token)).toBe(id);
    expect(readSidecar(stage.root, name).sessions).toEqual([id]);
    expect(stage.read('seen.txt').trim()).toBe('1');
    expect(stage.read('nested.jsonl')).toContain('Nested.');
    expect(stage.cast.of('nested')).toHaveLength(1);
    expect(iterations(holdsOf(stage))).toEqual(['1/10']);
    expect(answers(stage.root).filter((answer) => answer === 'hold')).toHaveLength(1);
    expect(holdfast).toContain('holdfast');
    await nothingLeft(stage);
    saw(
      context,
      'Codex exec',
      'held from its first stop on; a client that the agent started with the same variable was not',
    );
  });

  it('a session is gone on with by its id, if there is a prompt in it (Codex exec)', async (context) => {
    const stage = await stageFor();
    stage.agent(say('First.'));
    const first = follow(drivenCodex, stage, { prompt: 'One.' });
    const { id } = await first.next('session');
    expect(first.client.send('Two.')).toBe(false);
    await first.next('ended');
    const { headless } = drivenCodex;
    expect(headless.canResume(id, { root: stage.root, env: stage.env })).toBe(true);
    expect(headless.canResume(randomUUID(), { root: stage.root, env: stage.env })).toBe(false);
    stage.agent(say('Second.'));
    const second = follow(drivenCodex, stage, { prompt: 'Two.', resume: id });
    expect(await second.next('session')).toEqual({ kind: 'session', id });
    expect(await second.next('result')).toMatchObject({ ok: true });
    await second.next('ended');
    expect(stage.cast.of('agent').at(-1)?.whole).toContain('First.');
    await nothingLeft(stage);
    saw(context, 'Codex exec', 'the second prompt was answered in the same session');
  });

  it.for(both)(
    'killed before it answered, it is given its prompt again where it had lost it ($mode)',
    async ({ driven, mode }, context) => {
      const stage = await stageFor();
      const session = driven.headless.choosesSession ? randomUUID() : null;
      stage.agent({ hangs: true });
      const first = follow(driven, stage, { session, prompt: 'The first words.' });
      const { id } = await first.next('session');
      if (!driven.headless.choosesSession) await first.next('turn');
      await first.client.end({ atOnce: true });
      await nothingLeft(stage);
      stage.agent(say('Answered.'));
      const isThere = driven.headless.canResume(id, { root: stage.root, env: stage.env });
      const again = isThere ? { resume: id, prompt: 'Go on.' } : { session, prompt: 'The first words.' };
      const second = follow(driven, stage, again);
      expect(await second.next('result')).toMatchObject({ ok: true, trouble: null });
      expect(stage.cast.of('agent').at(-1)?.whole).toContain('The first words.');
      await second.client.end();
      await nothingLeft(stage);
      saw(context, mode, 'the prompt reached the model after the restart');
    },
  );

  it.for(both)(
    'each iteration in a session of its own, counted as one run ($mode)',
    async ({ driven, mode }, context) => {
      const stage = await stageFor();
      driven.args(stage);
      const name = startedLoop(stage);
      const project = await projectOf(stage);
      const sessions: string[] = [];
      const play = async (prompt: string, ...lines: Line[]): Promise<void> => {
        const session = driven.headless.choosesSession ? randomUUID() : null;
        const { env } = leaveDriverToken(project, name, { session, fresh: true });
        if (session !== null) await withLock(project.home, 5000, () => bindToSession(project, name, session));
        stage.agent(...lines);
        const following = follow(driven, stage, {
          session,
          prompt,
          env: { ...stage.env, ...env },
          access: 'full',
        });
        sessions.push((await following.next('session')).id);
        expect(await following.next('result')).toMatchObject({ ok: true, trouble: null });
        await following.client.end();
        await nothingLeft(stage);
      };
      await play(TASK, run('echo one'), say('One.'));
      const first = pendingHandOver(stage.root, name)?.text ?? '';
      await play(first, run('echo two'), say('Two.'));
      const second = pendingHandOver(stage.root, name)?.text ?? '';
      expect(iterations([first, second])).toEqual(['1/10', '2/10']);
      await play(second, say(DONE));
      expect(pendingHandOver(stage.root, name)).toBeNull();
      expect(new Set(sessions).size).toBe(3);
      expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
      expect(stage.cast.of('agent').at(-1)?.holds).toEqual([]);
      expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
      saw(
        context,
        mode,
        'three sessions, two holds handed over, none of them answered; the loop ended with the third',
      );
    },
  );

  it.for(both)('ended in mid-command, nothing of it is left ($mode)', async ({ driven, mode }, context) => {
    const stage = await stageFor();
    const loop = 'touch begun; while [ ! -e stop ]; do sleep 1; done';
    stage.agent(run(`(setsid sh -c '${loop}' &) ; ${loop}`), say('Not reached.'));
    const following = follow(driven, stage, { access: 'full' });
    await following.next('tool');
    await until('the command to run', () => stage.exists('begun'));
    await following.client.end();
    expect(await following.next('ended')).toMatchObject({ trouble: null });
    await nothingLeft(stage);
    saw(context, mode, 'the client, its command and what that had put into a session of its own were gone');
  });
});
