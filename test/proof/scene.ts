// A real project with a run whose checks are pinned, and stops of its session as a client fires them.

import { type ChildProcess, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Pin } from '../../src/engine/proof/pin.ts';
import { pinPlace } from '../../src/engine/proof/pin-place.ts';
import type { Check, Receipt } from '../../src/engine/proof/types.ts';
import { type JournalEntry, parseJournalLine } from '../../src/store/journal-lines.ts';
import type { Sidecar } from '../../src/store/records.ts';
import { atTheEnd, endAtTheEnd } from '../support/at-the-end.ts';
import { type Fired, fireHook, type Ran, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { beginStop } from './begin-stop.ts';

export const SESSION = 'a-session';
export const COMPLETE = 'All done.\n\n<loop-done>COMPLETE</loop-done>';
export const STUCK = 'No way on.\n\n<loop-done>STUCK</loop-done>';

export type Scene = TempProject & {
  /** The run's full name. */
  run(): string;
  start(args: readonly string[]): Promise<void>;
  pin(checks: readonly Check[], more?: Partial<Pin>): void;
  stop(message: string, more?: object): Promise<Fired>;
  /** The same, not waited for. */
  beginStop(message: string): { child: ChildProcess; ended: Promise<string> };
  cli(args: readonly string[]): Promise<Ran>;
  sidecar(): Sidecar;
  journal(): JournalEntry[];
  receipts(): Receipt[];
  /** How often the check wrote its line. */
  runs(check: string): number;
  /** A check that writes a line each time and then does what the script says. */
  check(name: string, script: string, more?: Partial<Check>): Check;
};

export function proofScene({ git = true } = {}): Scene {
  const project = tempProject();
  atTheEnd(() => project.remove());
  const { root } = project;
  const notes = path.join(path.dirname(root), 'notes');
  fs.mkdirSync(notes);
  if (!git) fs.rmSync(path.join(root, '.git'), { recursive: true });
  else {
    project.write('code.txt', 'first\n');
    execFileSync('git', ['-C', root, 'add', '-A']);
  }
  const env = { CLAUDE_CODE_SESSION_ID: SESSION };
  const sidecarFiles = (): string[] => fs.readdirSync(path.join(root, '.holdfast/runs'));
  const sidecar = (): Sidecar =>
    JSON.parse(fs.readFileSync(path.join(root, '.holdfast/runs', sidecarFiles()[0] ?? ''), 'utf8'));
  const payload = (message: string, more: object = {}) => ({
    ...{ session_id: SESSION, cwd: root, prompt_id: 'p1', hook_event_name: 'Stop' },
    ...{ stop_hook_active: false, last_assistant_message: message },
    ...more,
  });
  return {
    ...project,
    run: () => sidecar().run,
    sidecar,
    async start(args) {
      const ran = await runCli(root, args, { env });
      if (ran.exitCode !== 0) throw new Error(`it did not start: ${ran.stderr}`);
    },
    pin: (checks, more) => writePin(project, sidecar().run, checks, more),
    stop: (message, more) => fireHook(root, payload(message, more), { timeoutMs: 40_000 }),
    beginStop(message) {
      const begun = beginStop(project, payload(message));
      endAtTheEnd(begun.child);
      return begun;
    },
    cli: (args) => runCli(root, args, { env }),
    journal: () => journalIn(project),
    receipts: () => receiptsIn(project),
    runs(check) {
      const file = path.join(notes, check);
      return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').length - 1 : 0;
    },
    check: (name, script, more) => checkOf(name, `echo ran >>'${path.join(notes, name)}'; ${script}`, more),
  };
}

export function checkOf(name: string, run: string, more: Partial<Check> = {}): Check {
  return { name, run, timeout: 30, retries: 0, paths: null, cwd: null, from: 'user', ...more };
}

const stateFolder = ({ home }: TempProject): string => path.join(home, '.local/state/holdfast');

/** As the run's first stop would have written it. */
export function writePin(
  project: TempProject,
  run: string,
  checks: readonly Check[],
  more: Partial<Pin> = {},
): void {
  const { root } = project;
  const pin: Pin = {
    ...{ run, root, startedAt: Date.now(), checks, untrusted: [], others: [], off: false },
    ...{ content: null, contents: {}, seal: null, protect: [], sandbox: 'auto', bail: false, refusals: 12 },
    then: 'notice',
    ...more,
  };
  const file = path.join(stateFolder(project), pinPlace(root, run));
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  fs.writeFileSync(file, JSON.stringify(pin), { mode: 0o600 });
}

export function receiptsIn(project: TempProject): Receipt[] {
  const folder = path.join(stateFolder(project), 'receipts');
  if (!fs.existsSync(folder)) return [];
  const files = fs.readdirSync(folder).map((file) => fs.readFileSync(path.join(folder, file), 'utf8'));
  return files.flatMap((text) => {
    const record = JSON.parse(text);
    return record.receipts ?? record;
  });
}

export function journalIn({ root }: TempProject): JournalEntry[] {
  const lines = fs.readFileSync(path.join(root, '.holdfast/journal.jsonl'), 'utf8').split('\n');
  return lines.flatMap((line) => parseJournalLine(line) ?? []);
}

/** Waits for something that another process does. The time given is only there to fail at last. */
export async function eventually(what: string, isSo: () => boolean, withinMs = 20_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(`it did not come to pass that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

export const lastStop = (scene: Scene) => scene.journal().findLast(({ event }) => event === 'stop');
export const lastEnd = (scene: Scene) => scene.journal().findLast(({ event }) => event === 'end');
