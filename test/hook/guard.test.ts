// The progress guard through real stops, with transcripts as the clients write them: how often an agent is held,
// when it is let go, and what makes the run live again.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { GuardMemory } from '../../src/store/records.ts';
import { latest, postState, RUN } from '../fixtures/idle/loops.ts';
import { type Fired, fireHook, run, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { heldByToy, toyPlugin } from '../toy/plugin.ts';
import { SESSION, type Stopping, type ToyScene, toyScene } from '../toy/scene.ts';
import { claudeTranscript, codexTranscript } from '../toy/transcript.ts';

const projects: TempProject[] = [];
afterAll(() => {
  for (const project of projects) project.remove();
});

const transcriptOf = (scene: ToyScene): string =>
  path.join(path.dirname(scene.root), 'transcripts', 'session.jsonl');

/** The agent works as told between the stops, `times` times; the answers. */
async function live(
  scene: ToyScene,
  times: number,
  between: (stop: number) => void | Promise<void>,
  stopping: (stop: number) => Stopping = () => ({ payload: { transcript_path: transcriptOf(scene) } }),
): Promise<Fired[]> {
  const answers: Fired[] = [];
  for (let stop = 0; stop < times; stop++) {
    await between(stop);
    answers.push(await scene.stop(stopping(stop)));
  }
  return answers;
}

const holds = (answers: readonly Fired[]): number =>
  answers.filter(({ answer }) => answer?.decision === 'block').length;

/** Held in one row from the start, then let go for good with one notice. */
function expectHeld(answers: readonly Fired[], times: number): void {
  expect(answers.map(({ answer }) => answer?.decision ?? 'allow')).toEqual([
    ...Array<string>(times).fill('block'),
    ...Array<string>(answers.length - times).fill('allow'),
  ]);
  const notices = answers.map(({ answer }) => answer?.systemMessage).filter(Boolean);
  const notice = `released {"holds":"${times === 1 ? '1 hold' : `${times} holds`}"} a secret note`;
  expect(notices).toEqual([notice]);
  expect(answers[times]?.answer?.systemMessage).toBe(notice);
}

describe.concurrent('an agent', () => {
  test('that does nothing is held 3 times', async () => {
    const scene = toyScene();
    await scene.start('a');
    const transcript = claudeTranscript(transcriptOf(scene));
    expectHeld(await live(scene, 6, () => transcript.says('I am done.')), 3);
    expect(scene.state('a').left).toBe(97);
  });

  test('that only runs ls is held 12 times', async () => {
    const scene = toyScene();
    await scene.start('a');
    const transcript = claudeTranscript(transcriptOf(scene));
    expectHeld(await live(scene, 15, () => transcript.calls('Bash')), 12);
    expect(scene.state('a').left).toBe(88);
  });

  test('that moves WORK.md is held as long as it does', async () => {
    const scene = toyScene();
    await scene.start('a');
    const transcript = claudeTranscript(transcriptOf(scene));
    const answers = await live(scene, 16, (stop) => {
      transcript.says('On it.');
      scene.write('WORK.md', `line ${stop}`);
    });
    expect(holds(answers)).toBe(16);
  });

  test('whose commands move the state is held as long as they do', async () => {
    const scene = toyScene();
    await scene.start('a');
    const transcript = claudeTranscript(transcriptOf(scene));
    const answers = await live(scene, 16, (stop) => {
      transcript.says('On it.');
      scene.setState('a', { left: 50, reviews: stop });
    });
    expect(holds(answers)).toBe(16);
  });

  test('that only touches WORK.md without changing it does nothing', async () => {
    const scene = toyScene();
    await scene.start('a');
    const transcript = claudeTranscript(transcriptOf(scene));
    const work = scene.write('WORK.md', 'the same');
    const answers = await live(scene, 5, (stop) => {
      transcript.says('I am done.');
      fs.utimesSync(work, stop + 1, stop + 1);
    });
    expectHeld(answers, 3);
  });

  test('is counted over many turns of one session, whatever stop_hook_active says', async () => {
    const scene = toyScene();
    await scene.start('a');
    const transcript = claudeTranscript(transcriptOf(scene));
    const turn = (stop: number): Stopping => ({
      payload: {
        transcript_path: transcriptOf(scene),
        prompt_id: `prompt-${Math.floor(stop / 2)}`,
        stop_hook_active: stop % 2 === 1,
      },
    });
    expectHeld(await live(scene, 15, () => transcript.calls('Bash'), turn), 12);
  });

  test('that works now and then is let go after 3 holds without anything', async () => {
    const scene = toyScene();
    await scene.start('a');
    const transcript = claudeTranscript(transcriptOf(scene));
    const answers = await live(scene, 9, (stop) =>
      stop === 2 || stop === 4 ? transcript.calls('Edit') : transcript.says('I am done.'),
    );
    expect(answers.map(({ answer }) => answer?.decision ?? 'allow')).toEqual([
      ...Array<string>(8).fill('block'),
      'allow',
    ]);
  });

  test('that only keeps its list of things to do does nothing', async () => {
    const scene = toyScene();
    await scene.start('a');
    const transcript = claudeTranscript(transcriptOf(scene));
    const tools = ['TodoWrite', 'TaskCreate', 'TaskUpdate', 'TodoWrite', 'TodoWrite'];
    expectHeld(await live(scene, 5, (stop) => transcript.calls(tools[stop] ?? '')), 3);
  });

  test("does nothing when only a subagent's lines are there", async () => {
    const scene = toyScene();
    await scene.start('a');
    const transcript = claudeTranscript(transcriptOf(scene));
    expectHeld(await live(scene, 5, () => transcript.sidechainCalls('Bash')), 3);
  });
});

describe.concurrent('a transcript', () => {
  const codex = (scene: ToyScene) => () => ({
    payload: { prompt_id: undefined, turn_id: 't', model: 'gpt-5.5', transcript_path: transcriptOf(scene) },
  });

  test('of Codex proves a tool call by a function call', async () => {
    const scene = toyScene();
    await scene.start('a');
    const transcript = codexTranscript(transcriptOf(scene));
    expectHeld(await live(scene, 14, () => transcript.calls('exec_command'), codex(scene)), 12);
    expect(scene.journal()[0]?.client).toBe('codex');
  });

  test('of Codex with plans and goals only proves nothing', async () => {
    const scene = toyScene();
    await scene.start('a');
    const transcript = codexTranscript(transcriptOf(scene));
    const tools = ['update_plan', 'get_goal', 'update_goal', 'update_plan', 'update_plan'];
    expectHeld(await live(scene, 5, (stop) => transcript.calls(tools[stop] ?? ''), codex(scene)), 3);
  });

  test('that is missing tells nothing, and the agent is held at most 12 times', async () => {
    const scene = toyScene();
    await scene.start('a');
    const none = () => ({ payload: { transcript_path: null } });
    expectHeld(await live(scene, 14, () => {}, none), 12);
  });

  test('that is another file each time tells nothing, and the agent is held at most 12 times', async () => {
    const scene = toyScene();
    await scene.start('a');
    const file = (stop: number): string => path.join(path.dirname(scene.root), `transcript-${stop}.jsonl`);
    const answers = await live(
      scene,
      14,
      (stop) => claudeTranscript(file(stop)).says('I am done.'),
      (stop) => ({ payload: { transcript_path: file(stop) } }),
    );
    expectHeld(answers, 12);
  });

  test('that ends in half a line is read up to the line before', async () => {
    const scene = toyScene();
    await scene.start('a');
    const transcript = claudeTranscript(transcriptOf(scene));
    await live(scene, 1, () => transcript.says('I am done.'));
    transcript.calls('Edit');
    fs.appendFileSync(transcriptOf(scene), '{"type":"assistant","uuid":"half');
    await live(scene, 1, () => {});
    expect(scene.journal()[1]?.guard).toMatchObject({ movement: { tools: 'yes' } });
  });
});

describe.concurrent('a transcript that lags', () => {
  const LAYER = path.resolve(import.meta.dirname, 'late-line.cjs');

  test.each([2, 3, 6])(
    'is waited for when the answer depends on it: a tool call that shows at the reading number %i',
    async (reading) => {
      const scene = toyScene();
      await scene.start('a');
      const transcript = claudeTranscript(transcriptOf(scene));
      expect(holds(await live(scene, 3, () => transcript.says('I am done.')))).toBe(3);
      const elsewhere = claudeTranscript(path.join(scene.notes, 'late.jsonl'));
      elsewhere.calls('Bash');
      const env = {
        NODE_OPTIONS: `--require "${LAYER}"`,
        LATE_FILE: transcriptOf(scene),
        LATE_LINE: fs.readFileSync(elsewhere.file, 'utf8').trim(),
        LATE_AT: String(reading),
      };
      const { answer } = await scene.stop({ env, payload: { transcript_path: transcriptOf(scene) } });
      expect(answer?.decision).toBe('block');
    },
  );
});

describe.concurrent('a released run', () => {
  async function released(): Promise<ToyScene> {
    const scene = toyScene();
    await scene.start('a');
    const transcript = claudeTranscript(transcriptOf(scene));
    const answers = await live(scene, 5, () => transcript.says('I am done.'));
    expectHeld(answers, 3);
    return scene;
  }
  const again = (scene: ToyScene) => scene.stop({ payload: { transcript_path: transcriptOf(scene) } });

  test('spends nothing more', async () => {
    const scene = await released();
    const before = scene.read('.toy/a.json');
    await again(scene);
    expect(scene.read('.toy/a.json')).toBe(before);
    expect(scene.sidecar('a').guard[SESSION]?.released).toBe(true);
  });

  test('stays silent though the agent calls tools again', async () => {
    const scene = await released();
    claudeTranscript(transcriptOf(scene)).calls('Bash');
    expect((await again(scene)).stdout).toBe('');
  });

  test('is live again by adopt, with a fresh count', async () => {
    const scene = await released();
    await scene.cli(['adopt', 'toy:a'], { env: { CLAUDE_CODE_SESSION_ID: SESSION } });
    const transcript = claudeTranscript(transcriptOf(scene));
    expectHeld(await live(scene, 5, () => transcript.says('I am done.')), 3);
  });

  test('is live again when somebody edits the state', async () => {
    const scene = await released();
    scene.setState('a', { left: 7 });
    expect((await again(scene)).answer?.reason).toBe(heldByToy('go-on {"left":6} a secret note'));
  });

  test('is live again when somebody changes WORK.md', async () => {
    const scene = await released();
    scene.write('WORK.md', 'new');
    expect((await again(scene)).answer?.decision).toBe('block');
  });
});

describe.concurrent('a released loop', () => {
  /** The guard has let go of a loop of ten, after one hold without anything. */
  async function releasedLoop() {
    const project = tempProject();
    projects.push(project);
    const { root, home } = project;
    const said = claudeTranscript(path.join(home, 'session.jsonl'));
    said.says('I am done.');
    const stop = (payload: object = {}) =>
      fireHook(
        root,
        {
          ...{ session_id: SESSION, prompt_id: 'p1', hook_event_name: 'Stop', cwd: root },
          ...{ transcript_path: said.file, last_assistant_message: 'I am done.', ...payload },
        },
        { env: { HOME: home } },
      );
    project.write('holdfast.config.json', '{"guard":{"unmoved":1}}');
    postState(project, [{ id: 'f1', mode: 'loop', iter: 0, max: 10 }]);
    await runCli(root, ['adopt', `idle:${RUN}`], { env: { HOME: home, CLAUDE_CODE_SESSION_ID: SESSION } });
    expect((await stop()).answer?.decision).toBe('block');
    expect((await stop()).answer?.decision).toBeUndefined();
    return { project, stop };
  }

  const COMPLETE = { last_assistant_message: '<loop-done>COMPLETE</loop-done>' };
  const outer = { id: 'f1', mode: 'loop', iter: 1, max: 10 };

  test('that somebody moved is live again, though an allowed stop has changed it since', async () => {
    const { project, stop } = await releasedLoop();
    postState(project, [outer, { id: 'f2', mode: 'loop', iter: 0, max: 5 }]);
    expect((await stop(COMPLETE)).answer?.decision).toBeUndefined();
    expect(latest(project).stack).toHaveLength(1);
    expect((await stop()).answer?.reason).toMatch(/^\[ITERATION 2\/10\]/);
  });

  test('that nobody moved stays released when an allowed stop changes it', async () => {
    const { project, stop } = await releasedLoop();
    const { released } = guardOf(project);
    expect(released).toBe(true);
    await stop(COMPLETE);
    expect(latest(project).event).toBe('DONE');
    expect(guardOf(project).released).toBe(true);
  });

  function guardOf(project: TempProject): GuardMemory {
    const { guard } = JSON.parse(project.read(`.holdfast/runs/idle-${RUN}.json`));
    return guard[SESSION];
  }
});

describe.concurrent('the limits', () => {
  test("are lowered by the project's config", async () => {
    const scene = toyScene();
    await scene.start('a');
    scene.write('holdfast.config.json', JSON.stringify({ guard: { unmoved: 1 } }));
    const transcript = claudeTranscript(transcriptOf(scene));
    expectHeld(await live(scene, 3, () => transcript.says('I am done.')), 1);
  });

  test("are not raised by the project's config", async () => {
    const scene = toyScene();
    await scene.start('a');
    scene.write('holdfast.config.json', JSON.stringify({ guard: { unmoved: 9 } }));
    const transcript = claudeTranscript(transcriptOf(scene));
    expectHeld(await live(scene, 5, () => transcript.says('I am done.')), 3);
  });

  test("are raised by the user's own config", async () => {
    const scene = toyScene();
    await scene.start('a');
    const folder = path.join(scene.home, '.config', 'holdfast');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'holdfast.config.json'), JSON.stringify({ guard: { unmoved: 5 } }));
    const transcript = claudeTranscript(transcriptOf(scene));
    expectHeld(await live(scene, 7, () => transcript.says('I am done.')), 5);
  });
});

describe.concurrent('counting', () => {
  test('a stop fired by hand is not counted', async () => {
    const scene = toyScene();
    await scene.start('a');
    expect(
      holds(
        await live(
          scene,
          14,
          () => {},
          () => ({ session: null }),
        ),
      ),
    ).toBe(14);
    expect(scene.sidecar('a').guard).toEqual({});
  });

  test('two sessions are counted apart', async () => {
    const scene = toyScene();
    await scene.start('a');
    scene.setSidecar('a', { sessions: [SESSION, 'thread'] });
    scene.write('.holdfast/sessions/thread.json', scene.read(`.holdfast/sessions/${SESSION}.json`));
    const transcript = claudeTranscript(transcriptOf(scene));
    const of = (session: string) => () => ({ session, payload: { transcript_path: transcriptOf(scene) } });
    expectHeld(await live(scene, 4, () => transcript.says('I am done.'), of(SESSION)), 3);
    expect(holds(await live(scene, 1, () => {}, of('thread')))).toBe(1);
  });

  test('a hand-fired stop with --client generic is held by exit code 2, counted as session generic', async () => {
    const scene = toyScene();
    await scene.start('a');
    const generic = () => ({ session: null, args: ['--client', 'generic'] });
    const answers = await live(scene, 14, () => {}, generic);
    expect(answers.map(({ exitCode }) => exitCode)).toEqual([...Array<number>(12).fill(2), 0, 0]);
    expect(answers[0]?.stderr).toBe(`${heldByToy('go-on {"left":99} a secret note')}\n`);
    expect(scene.sidecar('a').guard.generic).toMatchObject({ released: true });
  });

  test('a hold whose count cannot be written is not answered', async () => {
    const scene = toyScene();
    // Files over 512 bytes cannot be written below; with so long an id the sidecar is one, and only that.
    const session = 's'.repeat(400);
    await scene.start('a', { session });
    const before = scene.read('.toy/a.json');
    const limited = 'ulimit -f 1; exec "$0"';
    const ran = await run('/bin/sh', ['-c', limited, path.join(toyPlugin, 'hooks', 'stop')], scene.root, {
      env: scene.env,
      stdin: JSON.stringify({ session_id: session, prompt_id: 'p', cwd: scene.root }),
    });
    expect(ran.exitCode).toBe(0);
    expect(JSON.parse(ran.stdout).decision).toBeUndefined();
    expect(JSON.parse(ran.stdout).systemMessage).toContain('was allowed: EFBIG');
    expect(scene.read('.toy/a.json')).toBe(before);
  });

  test('without a folder for the sidecars nobody is held', async () => {
    const scene = toyScene();
    await scene.start('a');
    fs.rmSync(path.join(scene.root, '.holdfast/runs'), { recursive: true });
    scene.write('.holdfast/runs', 'a file in its place');
    const fired = await scene.stop();
    expect(fired.exitCode).toBe(0);
    expect(fired.answer?.decision).toBeUndefined();
    expect(scene.state('a').left).toBe(100);
  });
});
