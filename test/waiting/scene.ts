// A loop of a session, and its stops as Claude Code sends them, with a transcript as it writes one.

import fs from 'node:fs';
import path from 'node:path';
import type { StopEntry } from '../../src/store/journal-lines.ts';
import type { Sidecar, Waiting } from '../../src/store/records.ts';
import { latest } from '../fixtures/idle/loops.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { type Fired, fireHook, type Ran, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { recordedLines, recordedPayload } from '../support/recorded.ts';
import { journalOf } from '../toy/scene.ts';
import { claudeTranscript, type Transcript } from '../toy/transcript.ts';

export const SESSION = 'a-session';
export const HOUR = 3_600_000;

export type WaitingScene = TempProject & {
  transcript: Transcript;
  /** Somebody, or something, begins a turn. */
  prompt(turnOrigin: 'human' | 'task_notification'): void;
  /** `recording`: what Claude Code sent at such a stop. */
  stop(recording?: string, more?: object): Promise<Fired>;
  cli(...args: readonly string[]): Promise<Ran>;
  /** Of the loop, unless a run is named. */
  sidecar(run?: string): Sidecar;
  change(change: (sidecar: Sidecar) => Partial<Sidecar>, run?: string): void;
  /** As `holdfast ask` leaves it. */
  ask(question: string, more?: Partial<Waiting>): void;
  /** The iteration that the loop is in. */
  iteration(): unknown;
  journal(): StopEntry[];
};

function waitingScene(): WaitingScene {
  const project = tempProject();
  atTheEnd(() => project.remove());
  const { root, home } = project;
  const transcript = claudeTranscript(path.join(home, 'transcript.jsonl'));
  transcript.says('Begun.');
  const runs = path.join(root, '.holdfast/runs');
  const fileOf = (run = 'idle'): string => {
    const found = fs.readdirSync(runs).find((name) => name.startsWith(run));
    if (found === undefined) throw new Error(`no run ${run}`);
    return path.join(runs, found);
  };
  const sidecar = (run?: string): Sidecar => JSON.parse(fs.readFileSync(fileOf(run), 'utf8'));
  const change: WaitingScene['change'] = (how, run) => {
    const known = sidecar(run);
    fs.writeFileSync(fileOf(run), JSON.stringify({ ...known, ...how(known) }));
  };
  let turns = 0;
  return {
    ...project,
    transcript,
    prompt(turnOrigin) {
      const line = recordedLines('claude-code/transcript-compaction-2.1.325.jsonl').find((each) =>
        each.includes('"turnOrigin"'),
      );
      const entry = { ...JSON.parse(line ?? ''), uuid: `prompt-${++turns}`, turnOrigin };
      fs.appendFileSync(transcript.file, `${JSON.stringify(entry)}\n`);
    },
    stop: (recording = 'stop-first', more = {}) =>
      fireHook(root, {
        ...recordedPayload(`claude-code/${recording}.json`),
        ...{ session_id: SESSION, cwd: root, transcript_path: transcript.file, prompt_id: `turn-${turns}` },
        ...more,
      }),
    cli: (...args) =>
      runCli(root, args, { env: { CLAUDE_CODE_SESSION_ID: SESSION }, stdin: 'Fix the parser.' }),
    sidecar,
    change,
    ask: (what, more = {}) =>
      change(() => {
        const since = Date.now();
        return { waiting: { for: 'person', since, until: since + 168 * HOUR, what, shown: null, ...more } };
      }),
    iteration: () => latest(project).stack.at(-1)?.iter,
    journal: () => journalOf(path.join(root, '.holdfast/journal.jsonl')),
  };
}

/** In a loop that was held once. */
export async function looping(): Promise<WaitingScene> {
  const scene = waitingScene();
  const started = await scene.cli('idle', 'loop', '--max', '50');
  if (started.exitCode !== 0) throw new Error(started.stderr);
  await scene.stop();
  scene.transcript.calls('Bash');
  return scene;
}
