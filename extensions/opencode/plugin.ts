// Holdfast in opencode (1.18.33), which has no stop hook: this plugin sees a turn come to its end, asks the hook as other
// clients do, and says a hold as a prompt. Our own failure holds nobody.

import fs from 'node:fs';
import path from 'node:path';
import { commandsOf } from './commands.ts';
import { DriverLines, isDriven } from './driven.ts';
import { type HookAnswer, HookCaller } from './hook.ts';
import type { Event, OpencodeClient, PluginInput } from './opencode.ts';
import { Seen, type Turn } from './seen.ts';
import { keepTranscript } from './transcript.ts';

type Hooks = {
  config(config: { command?: Record<string, unknown> }): Promise<void>;
  'shell.env'(input: { sessionID?: string }, output: { env: Record<string, string> }): Promise<void>;
  event(input: { event: Event }): Promise<void>;
};

export type Surroundings = {
  /** The marketplace folder, with the core and the workflows in it. */
  marketplace: string;
  /** Those that the user wants: the core and workflows. */
  plugins: readonly string[];
  /**
   * `opencode run` ends as soon as the session is idle, and a prompt that comes then is lost. There the hook is waited
   * for before anything else happens; everywhere else the session is idle while the hook runs.
   */
  endsWhenIdle: boolean;
  /** `holdfast run` has started it, and listens. */
  isDriven?: boolean;
};

export function holdfast({ client, directory }: PluginInput, around: Surroundings): Hooks {
  const seen = new Seen();
  const caller = new HookCaller(path.join(around.marketplace, 'holdfast', 'hooks', 'stop'), directory);
  const lines = around.isDriven ? new DriverLines() : null;
  const notify = notifier(client, around.endsWhenIdle);

  const carryOut = async (answer: HookAnswer, turn: Turn): Promise<void> => {
    if (answer.notice !== null) await notify(answer.notice);
    if (answer.hold === null || seen.hasGoneOn(turn)) return;
    const { agent, model } = turn;
    const sent = await client.session.promptAsync({
      path: { id: turn.session },
      query: { directory },
      body: {
        ...(agent === undefined ? {} : { agent }),
        ...(model === undefined ? {} : { model }),
        parts: [{ type: 'text', text: answer.hold }],
      },
    });
    if (sent.error !== undefined)
      await notify(
        'Holdfast: opencode did not take the hold, so the agent stays stopped. Type anything to go on.',
      );
  };

  const payloadOf = (turn: Turn): object => ({
    hook_event_name: 'session.idle',
    opencode: 1,
    session_id: turn.session,
    cwd: directory,
    transcript_path: keepTranscript(turn.session, turn.lines, directory),
    last_assistant_message: turn.lastText,
    ...(turn.agent === 'plan' ? { permission_mode: 'plan' } : {}),
  });

  return {
    async config(config) {
      config.command = { ...commandsOf(around.marketplace, around.plugins), ...config.command };
    },
    async 'shell.env'({ sessionID }, output) {
      if (sessionID !== undefined) output.env.OPENCODE_SESSION_ID = sessionID;
    },
    async event({ event }) {
      lines?.take(event);
      const happened = seen.take(event);
      if (happened === null) return;
      switch (happened.kind) {
        case 'began': {
          const start = { hook_event_name: 'session.created', opencode: 1, source: 'startup' };
          const payload = { ...start, session_id: happened.session, cwd: directory };
          // The driver's run becomes the session's here, and its first stop may come soon.
          const said = around.isDriven
            ? caller.atOnce(SESSION_START, payload)
            : await caller.inBackground(SESSION_START, payload);
          if (said.notice !== null) await notify(said.notice);
          return;
        }
        case 'prompted':
          // By this the driver knows a session that can be gone on with.
          if (around.isDriven) keepTranscript(happened.session, happened.lines, directory);
          return;
        case 'ended':
          if (!around.endsWhenIdle) return;
          // Not awaited before: whatever opencode does meanwhile, it does after this.
          return carryOut(caller.atOnce(STOP, payloadOf(happened.turn)), happened.turn);
        case 'idle':
          if (around.endsWhenIdle) return;
          return carryOut(await caller.inBackground(STOP, payloadOf(happened.turn)), happened.turn);
      }
    },
  };
}

const SESSION_START = ['session-start'];

/** As the hook is told how long it may run (hook.ts). */
const STOP = ['--limit', '7200'];

function notifier(client: OpencodeClient, isHeadless: boolean): (text: string) => Promise<void> {
  return async (message) => {
    if (isHeadless) fs.writeSync(2, `${message}\n`);
    else await client.tui.showToast({ body: { message, variant: 'info', duration: 15_000 } }).catch(() => {});
  };
}

const LEVELS = new Set(['DEBUG', 'INFO', 'WARN', 'ERROR']);

/** What opencode loads: the file that `holdfast install` writes calls this. */
export async function start(input: PluginInput, plugins: readonly string[]): Promise<Hooks> {
  const words = process.argv.slice(2).filter((word) => !word.startsWith('-') && !LEVELS.has(word));
  const marketplace = path.resolve(import.meta.dirname, '..');
  const endsWhenIdle = words[0] === 'run';
  return holdfast(input, { marketplace, plugins, endsWhenIdle, isDriven: endsWhenIdle && isDriven() });
}
