// The moving picture of README: a session of the real Claude Code in a terminal, recorded by asciinema. Scripted is the
// model alone; the client, the hook, the files and the check are the real ones.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { acceptOnboarding, installForUser } from './clients/claude-home.ts';
import { claudeProgram, pluginFolder } from './clients/place.ts';
import { until } from './clients/program.ts';
import { type Stage, setStage } from './clients/stage.ts';
import type { Reply } from './servers/script.ts';
import { skillCall } from './skill.ts';

const SIZE = { columns: 92, rows: 36 };
const TASK = 'Write slug.js so that its tests pass';

const TESTS = `import { slug } from './slug.js';

const tests = {
  'writes in lower case': () => slug('Hello') === 'hello',
  'joins words by hyphens': () => slug('a b') === 'a-b',
  'drops accents': () => slug('Café') === 'cafe',
};
for (const [name, passes] of Object.entries(tests)) {
  console.log(passes() ? 'ok    ' : 'not ok', name);
  if (!passes()) process.exitCode = 1;
}
`;
const DRAFT = "title.toLowerCase().replaceAll(' ', '-')";
const RIGHT = `${DRAFT}\n    .normalize('NFD').replace(/\\p{M}/gu, '')`;

/** Answers with the recording, as asciinema wrote it. */
export async function film(): Promise<string> {
  const stage = await setStage('slug');
  try {
    return await record(stage);
  } finally {
    await stage.remove();
  }
}

async function record(stage: Stage): Promise<string> {
  prepare(stage);
  giveLines(stage);
  const recording = path.join(stage.home, 'session.cast');
  const socket = path.join(stage.home, 'tmux');
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-S', socket, '-f', path.join(stage.home, '.tmux.conf'), ...args], {
      env: stage.env,
      encoding: 'utf8',
    });
  const screen = (): string => tmux('capture-pane', '-p', '-t', 'film');
  const shows = (text: string): Promise<true> =>
    until(`the screen to show ${text}`, () => screen().includes(text), 60_000).catch((error) => {
      throw new Error(`${error}\n${screen()}`);
    }) as Promise<true>;
  const client = `${claudeProgram} --dangerously-skip-permissions`;
  const asciinema = `asciinema rec --quiet --overwrite --idle-time-limit 2.5 -c '${client}' ${recording}`;
  const variables = Object.entries(stage.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const size = ['-x', String(SIZE.columns), '-y', String(SIZE.rows)];
  // Without these the client says that it would like them.
  fs.writeFileSync(path.join(stage.home, '.tmux.conf'), 'set -g focus-events on\nset -g mouse on\n');
  tmux('new-session', '-d', '-s', 'film', ...size, '-c', stage.root, ...variables, asciinema);
  try {
    await shows('bypass permissions on');
    for (const letter of `/idle:loop ${TASK}`) {
      tmux('send-keys', '-t', 'film', '-l', letter);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    tmux('send-keys', '-t', 'film', 'Enter');
    await shows('done and proven');
    return asAtHome(inFrames(fs.readFileSync(recording, 'utf8')), stage);
  } finally {
    tmux('kill-server');
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is a terminal's
const KEYS = /\u001b\[[<>=?][\d;]*[mu]/g;

/** Two frames a second: each costs the picture what changed on the screen, and a client's spinner turns ten times as often. */
function inFrames(cast: string): string {
  const [head = '', ...lines] = cast.trimEnd().split('\n');
  const frames = new Map<number, string>();
  for (const [time, , text] of lines.map((line) => JSON.parse(line) as [number, string, string])) {
    const frame = Math.ceil(time * 2) / 2;
    frames.set(frame, (frames.get(frame) ?? '') + text);
  }
  // svg-term takes what asks for more keys (CSI > … m, u) as colours.
  const events = [...frames].map(([time, text]): [number, string, string] => [
    time,
    'o',
    text.replaceAll(KEYS, ''),
  ]);
  const end = [(events.at(-1)?.[0] ?? 0) + 4, 'o', ''];
  return [head, ...[...events, end].map((event) => JSON.stringify(event)), ''].join('\n');
}

/** A user's project lies in their home. */
const asAtHome = (cast: string, { root }: Stage): string => cast.replaceAll(path.dirname(root), '~');

/** A project whose check is trusted, as after `holdfast init`. */
function prepare(stage: Stage): void {
  acceptOnboarding(stage);
  installForUser(stage);
  stage.write('package.json', '{ "type": "module", "scripts": { "test": "node slug.test.js" } }\n');
  stage.write('slug.test.js', TESTS);
  stage.git('add', '.');
  stage.git('commit', '--quiet', '--message', 'What a slug is');
  const init = `'${path.join(pluginFolder('holdfast'), 'bin', 'holdfast')}' init`;
  const shown = execFileSync('script', ['-qec', init, '/dev/null'], {
    cwd: stage.root,
    env: { SHELL: '/bin/sh', ...stage.env },
    input: 'y\ny\ny\ny\n',
    encoding: 'utf8',
  });
  if (!stage.exists('holdfast.config.json')) throw new Error(`nothing was set up:\n${shown}`);
}

function giveLines(stage: Stage): void {
  const soon = (reply: Reply): Reply => ({ ...reply, afterMs: 1000 });
  /** Time to read the hold. */
  const later = (reply: Reply): Reply => ({ ...reply, afterMs: 3500 });
  stage.agent(
    (heard) =>
      soon({
        call: {
          tool: 'Write',
          input: { file_path: stage.file(skillCall(heard).file), content: skillCall(heard).words },
        },
      }),
    (heard) => soon({ run: `${skillCall(heard).cli} idle loop < ${skillCall(heard).file}` }),
    soon({
      write: {
        file: stage.file('slug.js'),
        text: `export const slug = (title) =>\n  ${'title.toLowerCase()'};\n`,
      },
    }),
    soon({ say: 'I have made good progress: slug() writes in lower case. Shall I continue with the rest?' }),
    later({
      call: {
        tool: 'Edit',
        input: { file_path: stage.file('slug.js'), old_string: 'title.toLowerCase()', new_string: DRAFT },
      },
    }),
    soon({ say: 'All tests pass now.\n\n<loop-done>COMPLETE</loop-done>' }),
    later({
      call: {
        tool: 'Edit',
        input: { file_path: stage.file('slug.js'), old_string: DRAFT, new_string: RIGHT },
      },
    }),
    soon({
      say: 'I had forgotten the accents. Now all three tests pass.\n\n<loop-done>COMPLETE</loop-done>',
    }),
  );
}
