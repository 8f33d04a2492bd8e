// A client's TUI in tmux: what is on the screen, and keys as a user presses them.

import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { pluginFlags } from './claude.ts';
import { acceptOnboarding } from './claude-home.ts';
import { installPlugins } from './codex.ts';
import type { PlayOptions } from './host.ts';
import { claudeProgram, codexProgram, pluginFolder } from './place.ts';
import { endGroup, until } from './program.ts';
import type { Stage } from './stage.ts';

export type Terminal = {
  screen(): string;
  /** The prompt is there. */
  ready(): Promise<void>;
  /** Waits until the screen shows this. */
  shows(what: string | RegExp, limitMs?: number): Promise<string>;
  /** Types the text, then Enter when asked to. */
  type(text: string): Promise<void>;
  enter(prompt: string): Promise<void>;
  press(key: string): void;
};

export function claudeTerminal(stage: Stage, { plugins }: Pick<PlayOptions, 'plugins'> = {}): Terminal {
  acceptOnboarding(stage);
  const flags = plugins === 'installed' ? [] : pluginFlags();
  const command = [claudeProgram, ...flags, '--dangerously-skip-permissions'];
  return openTerminal(stage, command, 'bypass permissions on');
}

export function codexTerminal(stage: Stage): Terminal {
  installPlugins(stage);
  // The newest model: with an older one the client asks whether to change it, and this one runs its tools in code mode.
  const settings = ['-c', 'model="gpt-6-sol"', '-c', 'sandbox_mode="workspace-write"'];
  return openTerminal(stage, [codexProgram, '--no-daemon', ...settings], /^› (?!\d\.)/m);
}

/** A person in a shell of their own, outside any client, reads the project's checks and allows them. Answers with what was shown. */
export async function trustChecks(stage: Stage): Promise<string> {
  const shell = shellTerminal(stage);
  await shell.enter(`'${path.join(pluginFolder('holdfast'), 'bin', 'holdfast')}' trust`);
  await shell.shows('Trust them? [y/N]');
  await shell.enter('yes');
  const shown = await shell.shows(/^Trusted: .+/m);
  await shell.enter('exit');
  return shown;
}

/** A person's own shell, outside any client. */
export function shellTerminal(stage: Stage): Terminal {
  return openTerminal(stage, ['/bin/sh'], /[$#] $/m, 'person');
}

/** Answers the question that Codex asks when it meets new hooks. It may lose keys while it starts, so look and press again. */
export async function trustHooks(terminal: Terminal): Promise<void> {
  await terminal.shows('Trust all and continue');
  for (let tries = 0; tries < 40 && /^› \d\./m.test(terminal.screen()); tries++) {
    terminal.press(/^› 2\./m.test(terminal.screen()) ? 'Enter' : '2');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  await terminal.ready();
}

function openTerminal(
  stage: Stage,
  command: readonly string[],
  prompt: string | RegExp,
  name = 'tmux',
): Terminal {
  const socket = path.join(stage.home, name);
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-S', socket, ...args], {
      env: stage.env,
      encoding: 'utf8',
      timeout: 10_000,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const variables = Object.entries(stage.env).map(([name, value]) => `${name}=${value}`);
  const line = ['env', '-i', ...variables, ...command].map(quote).join(' ');
  tmux(
    '-f',
    '/dev/null',
    'new-session',
    '-d',
    '-s',
    'client',
    '-x',
    '150',
    '-y',
    '50',
    '-c',
    stage.root,
    line,
  );
  const pid = Number(tmux('list-panes', '-t', 'client', '-F', '#{pane_pid}'));
  onTestFinished(() => {
    endGroup(pid);
    try {
      tmux('kill-server');
    } catch {
      // The client ended, and its tmux with it.
    }
  });
  const screen = (): string => tmux('capture-pane', '-p', '-t', 'client', '-S', '-200');
  const shows = async (what: string | RegExp, limitMs = 30_000): Promise<string> => {
    const test =
      typeof what === 'string' ? (text: string) => text.includes(what) : (text: string) => what.test(text);
    try {
      return await until(`the screen to show ${what}`, () => (test(screen()) ? screen() : null), limitMs);
    } catch (error) {
      throw new Error(`${String(error)}\n${screen()}`);
    }
  };
  const type = async (text: string): Promise<void> => {
    tmux('send-keys', '-t', 'client', '-l', text);
    await shows(text.slice(-20));
  };
  return {
    screen,
    shows,
    type,
    ready: async () => void (await shows(prompt)),
    async enter(prompt) {
      await type(prompt);
      tmux('send-keys', '-t', 'client', 'Enter');
    },
    press: (key) => void tmux('send-keys', '-t', 'client', key),
  };
}

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
