// Holdfast's plugin in opencode, with the events that opencode sent (recorded with 1.18.33) and the built hook behind it.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OpencodeClient } from '../../extensions/opencode/opencode.ts';
import { holdfast } from '../../extensions/opencode/plugin.ts';
import { pluginText, readLoader } from '../../src/clients/opencode/plugin-file.ts';
import { leaveDriverToken } from '../../src/engine/driver/token.ts';
import { openProject } from '../../src/engine/stop/find-project.ts';
import { runtimeHere } from '../../src/hook/runtime.ts';
import { readSession } from '../../src/store/sidecars.ts';
import { latest } from '../fixtures/idle/loops.ts';
import { runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

// Real processes, which take their time on a busy machine.

const SESSION = 'ses_e1d9c62fdffe90P9Oz03dB4Hao';
const MODEL = { providerID: 'scripted', modelID: 'm1' };
const marketplace = path.resolve(import.meta.dirname, '../../dist');
const DONE = 'All of it passes.\n\n<loop-done>COMPLETE</loop-done>';

let project: TempProject;
let prompts: { agent?: string; model?: object; text: string }[];
let toasts: string[];
let complaints: string[];
let printed: string[];

beforeEach(() => {
  project = tempProject();
  prompts = [];
  toasts = [];
  complaints = [];
  printed = [];
  vi.stubEnv('HOME', project.home);
  vi.stubEnv('XDG_STATE_HOME', path.join(project.home, '.local', 'state'));
  const { writeSync } = fs;
  vi.spyOn(fs, 'writeSync').mockImplementation((...args: Parameters<typeof writeSync>) =>
    args[0] === 1 || args[0] === 2
      ? (args[0] === 1 ? printed : complaints).push(String(args[1]))
      : writeSync(...args),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  project.remove();
});

const client: OpencodeClient = {
  session: {
    promptAsync({ body: { parts, ...rest } }) {
      prompts.push({ ...rest, text: parts.map(({ text }) => text).join('') });
      return Promise.resolve({});
    },
  },
  tui: {
    showToast({ body }) {
      toasts.push(body.message);
      return Promise.resolve();
    },
  },
};

type Plugin = ReturnType<typeof holdfast>;

const opened = (endsWhenIdle: boolean, at = marketplace, isDriven = false): Plugin =>
  holdfast(
    { client, directory: project.root },
    { marketplace: at, plugins: ['holdfast', 'idle'], endsWhenIdle, isDriven },
  );

const part = (plugin: Plugin, fields: object, messageID: string): Promise<void> =>
  plugin.event({
    event: {
      type: 'message.part.updated',
      properties: { sessionID: SESSION, part: { sessionID: SESSION, messageID, ...fields } },
    },
  });

async function prompt(plugin: Plugin, id: string): Promise<void> {
  const info = { id, sessionID: SESSION, role: 'user', agent: 'build', model: MODEL };
  await plugin.event({ event: { type: 'message.updated', properties: { info } } });
  await plugin.event({ event: { type: 'message.updated', properties: { info } } });
  await part(plugin, { id: `${id}-text`, type: 'text', text: 'a prompt' }, id);
}

const idle = (plugin: Plugin): Promise<void> =>
  plugin.event({ event: { type: 'session.idle', properties: { sessionID: SESSION } } });

/** The agent says this, perhaps after a tool, and its step ends. */
async function turn(...said: Parameters<typeof endStep>): Promise<void> {
  await endStep(...said);
  await idle(said[0]);
}

async function endStep(
  plugin: Plugin,
  id: string,
  text: string,
  how: { tool?: string; reason?: string } = {},
) {
  if (how.tool !== undefined)
    await part(
      plugin,
      { id: `${id}-tool`, type: 'tool', tool: how.tool, state: { status: 'completed' } },
      id,
    );
  await part(plugin, { id: `${id}-text`, type: 'text', text: '', time: {} }, id);
  await part(plugin, { id: `${id}-text`, type: 'text', text, time: { end: 1 } }, id);
  const tokens = { input: 100, output: 10, reasoning: 0, cache: { read: 0, write: 0 } };
  await part(plugin, { id: `${id}-end`, type: 'step-finish', reason: how.reason ?? 'stop', tokens }, id);
}

async function startLoop(plugin: Plugin): Promise<void> {
  const output = { env: {} };
  await plugin['shell.env']({ sessionID: SESSION }, output);
  expect(output.env).toEqual({ OPENCODE_SESSION_ID: SESSION });
  const started = await runCli(project.root, ['idle', 'loop', 'Fix the parser'], { env: output.env });
  expect(started).toMatchObject({ exitCode: 0 });
}

describe.each([true, false])('a loop in opencode, where it ends when idle: %s', (endsWhenIdle) => {
  it('is held with a prompt of the same agent and model, and ends by its signal', async () => {
    const plugin = opened(endsWhenIdle);
    await prompt(plugin, 'msg_1');
    await startLoop(plugin);
    await turn(plugin, 'msg_2', 'One.', { tool: 'bash' });
    expect(prompts).toHaveLength(1);
    expect(prompts[0]).toMatchObject({ agent: 'build', model: MODEL });
    expect(prompts[0]?.text).toMatch(/^\[ITERATION 1\/10\]/);
    await prompt(plugin, 'msg_3');
    await turn(plugin, 'msg_4', DONE);
    expect(prompts).toHaveLength(1);
    expect(latest(project)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
  });

  it('is let go after an abort, an error, and in a subagent', async () => {
    const plugin = opened(endsWhenIdle);
    await prompt(plugin, 'msg_1');
    await startLoop(plugin);
    await idle(plugin);
    await turn(plugin, 'msg_2', 'Cut o', { reason: 'error' });
    const info = { id: SESSION, parentID: 'ses_parent' };
    await plugin.event({ event: { type: 'session.created', properties: { info } } });
    await turn(plugin, 'msg_3', 'A subagent.');
    expect(prompts).toEqual([]);
    expect(latest(project).stack[0]?.iter).toBe(0);
  });

  it('goes on over a summary of the conversation, which is no word of the agent', async () => {
    const plugin = opened(endsWhenIdle);
    await prompt(plugin, 'msg_1');
    await startLoop(plugin);
    const info = { id: 'msg_2', sessionID: SESSION, role: 'assistant', agent: 'compaction', summary: true };
    await plugin.event({ event: { type: 'message.updated', properties: { info } } });
    await endStep(plugin, 'msg_2', DONE);
    expect(prompts).toEqual([]);
    expect(latest(project).stack[0]?.iter).toBe(0);
    await turn(plugin, 'msg_3', 'One.');
    expect(prompts[0]?.text).toMatch(/^\[ITERATION 1\/10\]/);
  });

  it('says so where its files are gone, and holds nobody', async () => {
    const plugin = opened(endsWhenIdle, '/nonexistent');
    await prompt(plugin, 'msg_1');
    await turn(plugin, 'msg_2', 'One.');
    expect(prompts).toEqual([]);
    expect([...toasts, ...complaints].join()).toContain('its own files are gone');
  });
});

describe('what the plugin writes', () => {
  const transcript = (): string =>
    path.join(project.home, '.local', 'state', 'holdfast', 'opencode', `${SESSION}.jsonl`);

  it('is a transcript in the state folder, only where a run may be near', async () => {
    const plugin = opened(true);
    await prompt(plugin, 'msg_1');
    await turn(plugin, 'msg_2', 'One.', { tool: 'bash' });
    expect(fs.existsSync(transcript())).toBe(false);
    await startLoop(plugin);
    await turn(plugin, 'msg_4', 'Two.');
    const lines = fs.readFileSync(transcript(), 'utf8').trimEnd().split('\n');
    const kinds = lines.map((line) => JSON.parse(line).kind);
    expect(kinds).toEqual(['user', 'tool', 'text', 'tokens', 'text', 'tokens']);
    expect(fs.statSync(transcript()).mode & 0o777).toBe(0o600);
  });

  it('is never outside of it, whatever a session is called', async () => {
    const plugin = opened(true);
    await startLoop(plugin);
    const sessionID = '../../../escaped';
    const end = { id: 'p', sessionID, messageID: 'm', type: 'step-finish', reason: 'stop' };
    await plugin.event({ event: { type: 'message.part.updated', properties: { part: end } } });
    expect(fs.existsSync(path.join(project.home, '.local', 'state', 'escaped.jsonl'))).toBe(false);
  });
});

describe('a session of `holdfast run`', () => {
  const transcript = (): string =>
    path.join(project.home, '.local', 'state', 'holdfast', 'opencode', `${SESSION}.jsonl`);
  const created = (plugin: Plugin): Promise<void> =>
    plugin.event({ event: { type: 'session.created', properties: { info: { id: SESSION } } } });

  it('has the run before it does anything', async () => {
    expect(await runCli(project.root, ['idle', 'loop', 'Fix the parser'])).toMatchObject({ exitCode: 0 });
    const place = await openProject(
      project.root,
      runtimeHere({ HOME: project.home, PATH: process.env.PATH }),
    );
    const { token } = leaveDriverToken(place, `idle:${latest(project).run_id}`, {
      session: null,
      fresh: false,
    });
    vi.stubEnv('HOLDFAST_DRIVER', token);
    const plugin = opened(true, marketplace, true);
    void created(plugin);
    // Not awaited: it is there as soon as opencode has told of the session.
    expect(readSession(project.root, SESSION)?.runs).toEqual([`idle:${latest(project).run_id}`]);
  });

  it('can be gone on with once it has a prompt', async () => {
    const plugin = opened(true, marketplace, true);
    await startLoop(plugin);
    expect(fs.existsSync(transcript())).toBe(false);
    await prompt(plugin, 'msg_1');
    expect(fs.readFileSync(transcript(), 'utf8')).toContain('"kind":"user"');
  });

  it('tells the driver that it tries again, and what it has cost', async () => {
    const retry = { type: 'retry', attempt: 1, message: 'Rate limit reached', next: 5 };
    const tell = async (plugin: Plugin): Promise<void> => {
      const about = { sessionID: SESSION };
      await plugin.event({ event: { type: 'session.status', properties: { ...about, status: retry } } });
      await plugin.event({
        event: { type: 'session.status', properties: { ...about, status: { type: 'busy' } } },
      });
      for (const cost of [0, 0.25, 0.25])
        await plugin.event({ event: { type: 'session.updated', properties: { ...about, info: { cost } } } });
      const info = { cost: 1, parentID: SESSION };
      await plugin.event({ event: { type: 'session.updated', properties: { ...about, info } } });
    };
    await tell(opened(true, marketplace, true));
    expect(printed.map((line) => JSON.parse(line))).toEqual([
      { type: 'holdfast', sessionID: SESSION, retry: { attempt: 1, message: 'Rate limit reached', next: 5 } },
      { type: 'holdfast', sessionID: SESSION, cost: 0.25 },
    ]);
    printed = [];
    await tell(opened(true));
    expect(printed).toEqual([]);
  });
});

describe('a hold that comes too late', () => {
  it('is dropped when the user has gone on meanwhile', async () => {
    const plugin = opened(false);
    await prompt(plugin, 'msg_1');
    await startLoop(plugin);
    await endStep(plugin, 'msg_2', 'One.');
    const stopping = idle(plugin);
    await prompt(plugin, 'msg_3');
    await stopping;
    expect(prompts).toEqual([]);
    await turn(plugin, 'msg_4', 'Two.');
    expect(prompts[0]?.text).toMatch(/^\[ITERATION 2\/10\]/);
  });
});

describe('its commands', () => {
  it('are the skills of the wanted plugins, and never take the place of the user’s own', async () => {
    const config: { command?: Record<string, unknown> } = { command: { 'idle:status': 'mine' } };
    await opened(false).config(config);
    const names = Object.keys(config.command ?? {});
    expect(names).toContain('idle:loop');
    expect(names).toContain('holdfast:status');
    expect(names.some((name) => name.startsWith('taskie:'))).toBe(false);
    expect(config.command?.['idle:status']).toBe('mine');
    expect(JSON.stringify(config.command?.['idle:loop'])).toContain('$ARGUMENTS');
  });
});

describe('the file that opencode loads', () => {
  const load = async (at: string) => {
    const file = path.join(project.home, `holdfast-${path.basename(at)}.mjs`);
    fs.writeFileSync(file, pluginText(readLoader(marketplace), at, ['holdfast', 'idle']));
    return (await import(pathToFileURL(file).href)) as { Holdfast(input: object): Promise<Partial<Plugin>> };
  };

  it('starts the built plugin', async () => {
    const { Holdfast } = await load(marketplace);
    expect(Object.keys(await Holdfast({ client, directory: project.root }))).toContain('event');
  });

  it('does no harm where that is gone, and says so', async () => {
    const { Holdfast } = await load('/nonexistent');
    expect(await Holdfast({ client, directory: project.root })).toEqual({});
    expect(toasts.join()).toContain('its own files are gone');
  });
});
