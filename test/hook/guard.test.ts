// The progress guard through real stops, with transcripts as the clients write them: how often an agent is held, when
// it is let go, and what makes the run live again. The rule itself: src/engine/guard.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { latest, postState, RUN } from '../fixtures/idle/loops.ts';
import { fireHook, run, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { heldByToy, toyPlugin } from '../toy/plugin.ts';
import { SESSION, type Stopping, type ToyScene, toyScene } from '../toy/scene.ts';
import { claudeTranscript, codexTranscript } from '../toy/transcript.ts';

const projects: TempProject[] = [];
afterAll(() => {
  for (const project of projects) project.remove();
});

type Lived = { scene: ToyScene; stop: number; claude: ReturnType<typeof claudeTranscript>; file: string };

async function lived(between: (lived: Lived) => void = ({ claude }) => claude.says('I am done.')) {
  const scene = toyScene();
  await scene.start('a');
  const file = path.join(path.dirname(scene.root), 'transcripts', 'session.jsonl');
  const claude = claudeTranscript(file);
  /** The agent works between the stops; what each was answered: held (H), let go with a notice (R) or in silence (-). */
  const live = async (stops: number, stopping: (stop: number) => Stopping = () => ({})): Promise<string> => {
    let answers = '';
    for (let stop = 0; stop < stops; stop++) {
      between({ scene, stop, claude, file });
      const { payload, ...more } = stopping(stop);
      const { answer } = await scene.stop({ ...more, payload: { transcript_path: file, ...payload } });
      answers += answer?.decision === 'block' ? 'H' : answer?.systemMessage ? 'R' : '-';
    }
    return answers;
  };
  return { scene, file, claude, live };
}

describe.concurrent('an agent', () => {
  const codex = { prompt_id: undefined, turn_id: 't', model: 'gpt-5.5' };
  test.each<[string, number, string, (lived: Lived) => void, ((stop: number) => Stopping)?]>([
    ['that does nothing', 3, 'R--', ({ claude }) => claude.says('I am done.')],
    ['that only runs ls', 12, 'R--', ({ claude }) => claude.calls('Bash')],
    ['that moves WORK.md', 16, '', ({ scene, stop }) => void scene.write('WORK.md', `line ${stop}`)],
    ['whose commands move the state', 16, '', ({ scene, stop }) => scene.setState('a', { reviews: stop })],
    [
      'that only touches WORK.md',
      3,
      'R-',
      ({ scene, claude, stop }) => {
        fs.utimesSync(scene.write('WORK.md', 'the same'), stop + 1, stop + 1);
        claude.says('On it.');
      },
    ],
    ['that only keeps its list of things to do', 3, 'R-', ({ claude }) => claude.calls('TodoWrite')],
    ['of which only a subagent’s lines are there', 3, 'R-', ({ claude }) => claude.sidechainCalls('Bash')],
    [
      'in Codex that only runs ls',
      12,
      'R',
      ({ file }) => codexTranscript(file).calls('exec_command'),
      () => ({ payload: codex }),
    ],
    [
      'in Codex that only plans',
      3,
      'R',
      ({ file }) => codexTranscript(file).calls('update_plan'),
      () => ({ payload: codex }),
    ],
    ['without a transcript', 12, 'R-', () => {}, () => ({ payload: { transcript_path: null } })],
    [
      'over many turns of one session',
      12,
      'R',
      ({ claude }) => claude.calls('Bash'),
      (stop) => ({
        payload: { prompt_id: `prompt-${stop >> 1}`, stop_hook_active: stop % 2 === 1 },
      }),
    ],
  ])('%s is held %i times', async (_, times, then, between, stopping) => {
    const { scene, live } = await lived(between);
    expect(await live(times + then.length, stopping)).toBe('H'.repeat(times) + then);
    const held = scene.journal().filter(({ answer }) => answer === 'hold');
    expect(held).toHaveLength(times);
  });

  test.each([
    ['are lowered', 1, 'HR-'],
    ['are not raised', 9, 'HHHR-'],
  ])('has limits that %s by the project’s settings', async (_, unmoved, answers) => {
    const { scene, live } = await lived();
    scene.write('holdfast.config.json', JSON.stringify({ guard: { unmoved } }));
    expect(await live(answers.length)).toBe(answers);
  });

  test('whose transcript ends in half a line is known by the lines before', async () => {
    const { scene, file, claude, live } = await lived(() => {});
    claude.says('I am done.');
    await live(1);
    claude.calls('Edit');
    fs.appendFileSync(file, '{"type":"assistant","uuid":"half');
    await live(1);
    expect(scene.journal()[1]?.guard).toMatchObject({ movement: { tools: 'yes' } });
  });

  test('whose transcript lags is waited for when the answer depends on it', async () => {
    const { scene, file, live } = await lived();
    expect(await live(3)).toBe('HHH');
    const elsewhere = claudeTranscript(path.join(scene.notes, 'late.jsonl'));
    elsewhere.calls('Bash');
    const env = {
      NODE_OPTIONS: `--require "${path.resolve(import.meta.dirname, 'late-line.cjs')}"`,
      ...{ LATE_FILE: file, LATE_LINE: fs.readFileSync(elsewhere.file, 'utf8').trim(), LATE_AT: '3' },
    };
    const { answer } = await scene.stop({ env, payload: { transcript_path: file } });
    expect(answer?.decision).toBe('block');
  });
});

describe.concurrent('a released run', () => {
  test('spends nothing more, and is live again by adopt, with a fresh count', async () => {
    const { scene, live } = await lived();
    expect(await live(6)).toBe('HHHR--');
    expect(scene.state('a').left).toBe(97);
    await scene.cli(['adopt', 'toy:a'], { env: { CLAUDE_CODE_SESSION_ID: SESSION } });
    expect(await live(4)).toBe('HHHR');
  });

  test('is live again when somebody edits the state, or changes WORK.md', async () => {
    const { scene, live } = await lived();
    expect(await live(5)).toBe('HHHR-');
    scene.setState('a', { left: 7 });
    expect([await live(1), scene.state('a').left]).toEqual(['H', 6]);
    expect(await live(4)).toBe('HHHR');
    scene.write('WORK.md', 'new');
    expect(await live(1)).toBe('H');
  });

  test('that somebody moved is live again, though an allowed stop has changed it since', async () => {
    const project = tempProject();
    projects.push(project);
    const { root, home } = project;
    const said = claudeTranscript(path.join(home, 'session.jsonl'));
    said.says('I am done.');
    const stop = async (last_assistant_message = 'I am done.') => {
      const payload = { session_id: SESSION, prompt_id: 'p1', cwd: root, transcript_path: said.file };
      return (await fireHook(root, { ...payload, last_assistant_message }, { env: { HOME: home } })).answer;
    };
    project.write('holdfast.config.json', '{"guard":{"unmoved":1}}');
    postState(project, [{ id: 'f1', mode: 'loop', iter: 0, max: 10 }]);
    await runCli(root, ['adopt', `idle:${RUN}`], { env: { HOME: home, CLAUDE_CODE_SESSION_ID: SESSION } });
    expect([(await stop())?.decision, (await stop())?.decision]).toEqual(['block', undefined]);
    const outer = { id: 'f1', mode: 'loop', iter: 1, max: 10 };
    postState(project, [outer, { id: 'f2', mode: 'loop', iter: 0, max: 5 }]);
    expect((await stop('<loop-done>COMPLETE</loop-done>'))?.decision).toBeUndefined();
    expect(latest(project).stack).toHaveLength(1);
    expect((await stop())?.reason).toMatch(/^\[ITERATION 2\/10\]/);
  });
});

describe.concurrent('a stop', () => {
  test('fired by hand is not counted', async () => {
    const { scene, live } = await lived(() => {});
    expect(await live(14, () => ({ session: null }))).toBe('H'.repeat(14));
    expect(scene.sidecar('a').guard).toEqual({});
  });

  test('of another session is counted apart', async () => {
    const { scene, live } = await lived();
    scene.setSidecar('a', { sessions: [SESSION, 'thread'] });
    scene.write('.holdfast/sessions/thread.json', scene.read(`.holdfast/sessions/${SESSION}.json`));
    expect(await live(4)).toBe('HHHR');
    expect(await live(1, () => ({ session: 'thread' }))).toBe('H');
  });

  test('with --client generic is held by exit code 2, counted as session generic', async () => {
    const { scene } = await lived();
    const codes: unknown[] = [];
    for (let stop = 0; stop < 14; stop++) {
      const { exitCode, stderr } = await scene.stop({ session: null, args: ['--client', 'generic'] });
      if (stop === 0) expect(stderr).toBe(`${heldByToy('go-on {"left":99} a secret note')}\n`);
      codes.push(exitCode);
    }
    expect(codes).toEqual([...Array<number>(12).fill(2), 0, 0]);
    expect(scene.sidecar('a').guard.generic).toMatchObject({ released: true });
  });

  test('whose count cannot be written is not held', async () => {
    const scene = toyScene();
    // Files over 512 bytes cannot be written below; with so long an id the sidecar is one, and only that.
    const session = 's'.repeat(400);
    await scene.start('a', { session });
    const before = scene.read('.toy/a.json');
    const hook = path.join(toyPlugin, 'hooks', 'stop');
    const ran = await run('/bin/sh', ['-c', 'ulimit -f 1; exec "$0"', hook], scene.root, {
      env: scene.env,
      stdin: JSON.stringify({ session_id: session, prompt_id: 'p', cwd: scene.root }),
    });
    expect([ran.exitCode, JSON.parse(ran.stdout).decision]).toEqual([0, undefined]);
    expect(JSON.parse(ran.stdout).systemMessage).toContain('was allowed: EFBIG');
    expect(scene.read('.toy/a.json')).toBe(before);
  });
});
