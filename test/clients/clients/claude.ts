// Drives Claude Code: one prompt (`-p`), or a conversation through stream-json. The TUI is in terminal.ts.

import type { Host, Played, PlayOptions } from './host.ts';
import { builtPlugins, claudeProgram, pluginFolder } from './place.ts';
import { type Program, start } from './program.ts';
import type { Stage } from './stage.ts';

export const claudePrint: Host = {
  mode: 'Claude Code -p',
  cli: () => 'holdfast',
  showsNotices: 'the notice was shown',
  skill: (name, words) => `/${name} ${words}`,
  begin(stage, prompt, options = {}) {
    const program = start({ ...call(stage, options), args: ['-p', prompt, ...argumentsFor(options)] });
    program.endInput();
    return program;
  },
  async play(stage, prompt, options) {
    const ended = await this.begin(stage, prompt, options).ended;
    const events = ended.stdout.split('\n').flatMap(readEvent);
    return { ...readEvents(events), ...ended };
  },
};

/** The same as one turn of a conversation, so that a scenario can be played that way too. */
export const claudeStream: Host = {
  ...claudePrint,
  mode: 'Claude Code stream-json',
  begin(stage, prompt, options) {
    const conversation = converse(stage, options);
    conversation.send(prompt);
    return conversation.program;
  },
  async play(stage, prompt, options) {
    const conversation = converse(stage, options);
    await conversation.say(prompt);
    return conversation.end();
  },
};

/** `--plugin-dir` for every plugin: what the user of a checkout would do. */
export function pluginFlags(): string[] {
  return builtPlugins().flatMap((name) => ['--plugin-dir', pluginFolder(name)]);
}

const OUTPUT = ['--output-format', 'stream-json', '--verbose', '--include-hook-events'];

function argumentsFor(options: PlayOptions): string[] {
  return [
    ...(options.plugins === 'installed' ? [] : pluginFlags()),
    ...(options.permissions === 'denied' ? [] : ['--dangerously-skip-permissions']),
    ...OUTPUT,
    ...(options.resume === undefined ? [] : ['--resume', options.resume]),
    ...(options.args ?? []),
  ];
}

function call(stage: Stage, options: PlayOptions) {
  return {
    program: options.claude ?? claudeProgram,
    cwd: options.cwd ?? stage.root,
    env: { ...stage.env, ...options.env },
    ...(options.limitMs === undefined ? {} : { limitMs: options.limitMs }),
  };
}

/** Several user turns in one session. */
export type Conversation = {
  program: Program;
  /** Sends a prompt and waits until its turn is over. */
  say(prompt: string): Promise<Turn>;
  /** Sends a prompt without waiting. */
  send(prompt: string): void;
  /** What Esc does in the TUI. */
  interrupt(): void;
  /** The next turn that ends. */
  turn(): Promise<Turn>;
  session(): string;
  notices(): readonly string[];
  end(): Promise<Played>;
};

export type Turn = { result: string; failed: boolean };

export function converse(stage: Stage, options: PlayOptions = {}): Conversation {
  const args = ['-p', '--input-format', 'stream-json', ...argumentsFor(options)];
  const program = start({ ...call(stage, options), args });
  const events = (): Event[] => program.lines.flatMap(readEvent);
  let seen = 0;
  const send = (content: string): void =>
    program.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
  const turn = async (): Promise<Turn> => {
    const isResult = (line: string): boolean => readEvent(line).some(({ type }) => type === 'result');
    const line = await program.line(isResult, seen);
    seen = program.lines.indexOf(line, seen) + 1;
    const [event] = readEvent(line);
    return { result: event?.result ?? '', failed: event?.is_error === true };
  };
  return {
    program,
    send,
    turn,
    say(prompt) {
      send(prompt);
      return turn();
    },
    interrupt: () =>
      program.write(
        `${JSON.stringify({ type: 'control_request', request_id: `stop-${seen}`, request: { subtype: 'interrupt' } })}\n`,
      ),
    session: () => readEvents(events()).session,
    notices: () => readEvents(events()).notices,
    async end() {
      program.endInput();
      const ended = await program.ended;
      return { ...readEvents(ended.stdout.split('\n').flatMap(readEvent)), ...ended };
    },
  };
}

type Event = {
  type: string;
  subtype?: string;
  session_id?: string;
  result?: string;
  is_error?: boolean;
  hook_event?: string;
  stdout?: string;
};

function readEvent(line: string): Event[] {
  if (!line.startsWith('{')) return [];
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

function readEvents(events: readonly Event[]): Pick<Played, 'result' | 'session' | 'notices'> {
  const results = events.filter(({ type }) => type === 'result');
  return {
    result: results.at(-1)?.result ?? '',
    session: events.findLast(({ session_id }) => session_id !== undefined)?.session_id ?? '',
    notices: events.filter(({ subtype }) => subtype === 'hook_response').flatMap(noticeIn),
  };
}

function noticeIn({ stdout = '' }: Event): string[] {
  if (!stdout.trimStart().startsWith('{')) return [];
  const { systemMessage }: { systemMessage?: string } = JSON.parse(stdout);
  return systemMessage === undefined ? [] : [systemMessage];
}
