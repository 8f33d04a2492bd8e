// Sessions of `holdfast run` with a plugin as built, and what was wrong with them: whoever gets the run by the token, and
// how holds are counted that are handed over.

import fs from 'node:fs';
import path from 'node:path';
import { pendingHandOver } from '../../src/engine/driver/hand-over.ts';
import { leaveDriverToken } from '../../src/engine/driver/token.ts';
import { openProject } from '../../src/engine/stop/find-project.ts';
import { runtimeHere } from '../../src/hook/runtime.ts';
import { readSidecar } from '../../src/store/sidecars.ts';
import { type Fired, fireHook, runCli } from '../support/hook.ts';
import { tempProject } from '../support/project.ts';
import { recordedPayload } from '../support/recorded.ts';

/** Answers with what was wrong. */
export type DriverScene = (plugin?: string) => Promise<string[]>;

type Left = { session?: string | null; fresh?: boolean };

class Scene {
  readonly project = tempProject();
  readonly env: Record<string, string>;
  readonly #plugin: string | undefined;
  run = '';

  constructor(plugin: string | undefined) {
    this.#plugin = plugin;
    this.env = { HOME: this.project.home, PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' };
  }

  get #options() {
    return { timeoutMs: 240_000, ...(this.#plugin === undefined ? {} : { plugin: this.#plugin }) };
  }

  async start(): Promise<this> {
    const { root } = this.project;
    await runCli(root, ['idle', 'loop', 'a task'], { ...this.#options, env: this.env });
    const [file = ''] = fs.readdirSync(path.join(root, '.holdfast/runs'));
    this.run = JSON.parse(this.project.read(`.holdfast/runs/${file}`)).run;
    return this;
  }

  async leave({ session = null, fresh = false }: Left = {}): Promise<Record<string, string>> {
    const project = await openProject(this.project.root, runtimeHere(this.env));
    const { token } = leaveDriverToken(project, this.run, { session, fresh });
    return { HOLDFAST_DRIVER: token };
  }

  begins(session: string, env: Record<string, string>, source = 'startup'): Promise<Fired> {
    const recorded = recordedPayload('codex/session-start-startup.json');
    const payload = { ...recorded, session_id: session, cwd: this.project.root, source };
    const options = { ...this.#options, args: ['session-start'], env: { ...this.env, ...env } };
    return fireHook(this.project.root, payload, options);
  }

  /** The agent says something, and calls no tool. */
  stops(session: string, env: Record<string, string>): Promise<Fired> {
    const transcript = path.join(this.project.home, `${session}.jsonl`);
    const said = {
      type: 'assistant',
      uuid: `${session}-${Math.random()}`,
      message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'Not yet.' }] },
    };
    fs.appendFileSync(transcript, `${JSON.stringify(said)}\n`);
    const payload = {
      ...{ session_id: session, cwd: this.project.root, prompt_id: 'p' },
      ...{ transcript_path: transcript, last_assistant_message: 'Not yet.' },
    };
    return fireHook(this.project.root, payload, { ...this.#options, env: { ...this.env, ...env } });
  }

  owners(): string {
    return readSidecar(this.project.root, this.run).sessions.join();
  }

  tokenFiles(): string[] {
    const folder = path.join(this.project.home, '.local/state/holdfast/driver-tokens');
    return fs.readdirSync(folder).map((name) => path.join(folder, name));
  }

  changeToken(change: object): void {
    for (const file of this.tokenFiles())
      fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, 'utf8')), ...change }));
  }
}

async function playing(
  plugin: string | undefined,
  play: (scene: Scene) => Promise<string[]>,
): Promise<string[]> {
  const scene = new Scene(plugin);
  try {
    return await play(await scene.start());
  } finally {
    scene.project.remove();
  }
}

const wrong = (isWrong: boolean, what: string): string[] => (isWrong ? [what] : []);

export const comesOnce: DriverScene = (plugin) =>
  playing(plugin, async (scene) => {
    const env = await scene.leave();
    await scene.begins('first', env);
    const first = scene.owners();
    await scene.begins('nested', env);
    const { answer } = await scene.stops('nested', env);
    return [
      ...wrong(first !== 'first', `the first session got nothing: ${first}`),
      ...wrong(scene.owners() !== 'first', `the nested one took it: ${scene.owners()}`),
      ...wrong(answer?.decision === 'block', 'the nested one is held'),
    ];
  });

export const comesTogether: DriverScene = (plugin) =>
  playing(plugin, async (scene) => {
    const env = await scene.leave();
    const sessions = ['one', 'two', 'three', 'four', 'five'];
    await Promise.all(sessions.map((session) => scene.begins(session, env)));
    const owner = scene.owners();
    const held = await Promise.all(sessions.map(async (session) => (await scene.stops(session, env)).answer));
    const count = held.filter((answer) => answer?.decision === 'block').length;
    return [
      ...wrong(!sessions.includes(owner), `it belongs to ${owner}`),
      ...wrong(count !== 1, `${count} of them are held`),
    ];
  });

export const comesOtherwise: DriverScene = (plugin) =>
  playing(plugin, async (scene) => {
    const env = await scene.leave();
    const found: string[] = [];
    for (const source of ['resume', 'clear', 'compact']) {
      await scene.begins(source, env, source);
      found.push(...wrong(scene.owners() !== '', `${source} got it`));
    }
    return found;
  });

export const comesLate: DriverScene = (plugin) =>
  playing(plugin, async (scene) => {
    const env = await scene.leave();
    scene.changeToken({ left: Date.now() - 11 * 60_000 });
    await scene.begins('late', env);
    return wrong(scene.owners() !== '', 'a token of eleven minutes ago was good');
  });

export const comesFromElsewhere: DriverScene = (plugin) =>
  playing(plugin, async (scene) => {
    const env = await scene.leave();
    scene.changeToken({ root: '/somewhere/else' });
    await scene.begins('here', env);
    return wrong(scene.owners() !== '', 'a token for another project was good');
  });

export const comesForged: DriverScene = (plugin) =>
  playing(plugin, async (scene) => {
    await scene.leave();
    const names = scene.tokenFiles().map((file) => path.basename(file, '.json'));
    const found: string[] = [];
    for (const token of [...names, '', '../x', 'f'.repeat(32)]) {
      const { exitCode } = await scene.begins('forger', { HOLDFAST_DRIVER: token });
      found.push(...wrong(exitCode !== 0, `${token}: exit ${exitCode}`));
    }
    return [...found, ...wrong(scene.owners() !== '', 'a forged token was good')];
  });

/** Eight stops at which nobody moves anything: six are held, then it is let go, in new sessions as in one. */
export const countsOn: DriverScene = (plugin) =>
  playing(plugin, async (scene) => {
    const answers: string[] = [];
    let session = 'session-0';
    let env = await scene.leave({ fresh: true });
    await scene.begins(session, env);
    for (let stop = 1; stop <= 8; stop++) {
      const { answer } = await scene.stops(session, env);
      const handed = pendingHandOver(scene.project.root, scene.run);
      if (answer?.decision === 'block') answers.push('answered');
      else answers.push(handed === null ? 'let go' : 'handed over');
      if (handed === null) continue;
      session = `session-${stop}`;
      env = await scene.leave({ fresh: true });
      await scene.begins(session, env);
    }
    const wanted = [...Array<string>(6).fill('handed over'), 'let go', 'let go'];
    return wrong(answers.join() !== wanted.join(), answers.join());
  });

export const stopsAgain: DriverScene = (plugin) =>
  playing(plugin, async (scene) => {
    const env = await scene.leave({ fresh: true });
    await scene.begins('one', env);
    await scene.stops('one', env);
    const text = pendingHandOver(scene.project.root, scene.run)?.text;
    await scene.stops('one', env);
    const { text: again } = pendingHandOver(scene.project.root, scene.run) ?? {};
    return [
      ...wrong(text?.includes('[ITERATION 1/') !== true, `handed over: ${text}`),
      ...wrong(again !== text, `it was counted again: ${again?.slice(0, 30)}`),
    ];
  });

export const isAnotherSession: DriverScene = (plugin) =>
  playing(plugin, async (scene) => {
    const env = await scene.leave({ session: 'of the driver', fresh: true });
    const own = await scene.leave();
    await scene.begins('another', own);
    const { answer } = await scene.stops('another', { ...env });
    return wrong(answer?.decision !== 'block', 'a session that is not the driver’s is let go');
  });
