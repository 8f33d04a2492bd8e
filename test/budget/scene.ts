// A project with runs that have a budget, its stops as Claude Code sends them, and a transcript with the tokens that it
// writes; the budget itself lies in the user's state folder beside the project.

import fs from 'node:fs';
import path from 'node:path';
import type { Budget } from '../../src/engine/budget/types.ts';
import type { JournalEntry } from '../../src/store/journal-lines.ts';
import type { Sidecar } from '../../src/store/records.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { type Fired, fireHook, type Ran, type RunOptions, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { typeCli } from '../support/typed.ts';

export const SESSION = 'a-session';
export const HOUR = 3_600_000;
export const DONE = { last_assistant_message: 'All of it passes.\n\n<loop-done>COMPLETE</loop-done>' };

export type BudgetScene = TempProject & {
  /** The transcript of a session. */
  transcript(session?: string): string;
  /** The agent uses so many tokens in one message, with a tool call. */
  uses(tokens: number, session?: string, more?: object): void;
  stop(more?: object, options?: RunOptions): Promise<Fired>;
  /** As the agent of a session runs it. */
  agent(args: readonly string[], session?: string, options?: RunOptions): Promise<Ran>;
  /** As a person runs it, in a terminal of their own. */
  person(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** The budgets in the user's folder, by run; of a run, or of the only one. */
  budget(run?: string): Budget;
  changeBudget(how: (budget: Budget) => Partial<Budget>, run?: string): void;
  budgetFile(run?: string): string;
  sidecar(run: string): Sidecar;
  changeSidecar(run: string, how: (sidecar: Sidecar) => object): void;
  journal(): JournalEntry[];
  userConfig(config: object): void;
};

let messages = 0;

export function budgetScene(): BudgetScene {
  const project = tempProject();
  atTheEnd(() => project.remove());
  const { root, home } = project;
  const budgets = path.join(home, '.local/state/holdfast/budgets');
  const transcript = (session = SESSION): string => path.join(home, `${session}.jsonl`);
  const files = (): string[] => (fs.existsSync(budgets) ? fs.readdirSync(budgets) : []);
  const read = (name: string): Budget => JSON.parse(fs.readFileSync(path.join(budgets, name), 'utf8'));
  const budgetFile = (run?: string): string => {
    const found = files().filter((name) => run === undefined || read(name).run.startsWith(run));
    if (found.length !== 1) throw new Error(`${found.length} budgets of ${run ?? 'any run'}`);
    return path.join(budgets, found[0] ?? '');
  };
  const sidecarFile = (run: string): string => {
    const runs = path.join(root, '.holdfast/runs');
    return path.join(runs, fs.readdirSync(runs).find((name) => name.startsWith(run)) ?? 'none');
  };
  const budget = (run?: string): Budget => JSON.parse(fs.readFileSync(budgetFile(run), 'utf8'));
  const sidecar = (run: string): Sidecar => JSON.parse(fs.readFileSync(sidecarFile(run), 'utf8'));
  return {
    ...project,
    transcript,
    uses(tokens, session = SESSION, more = {}) {
      const id = `msg_${++messages}`;
      const usage = { input_tokens: tokens, cache_read_input_tokens: 5000, output_tokens: 0 };
      const message = { id, content: [{ type: 'tool_use', id: `call-${id}`, name: 'Bash' }], usage };
      const timestamp = new Date().toISOString();
      const line = { type: 'assistant', uuid: id, timestamp, message, ...more };
      fs.appendFileSync(transcript(session), `${JSON.stringify(line)}\n`);
    },
    stop: (more = {}, options = {}) => {
      const session = 'session_id' in more ? String(more.session_id) : SESSION;
      const usual = { last_assistant_message: 'Not yet.', transcript_path: transcript(session) };
      return fireHook(root, { session_id: session, cwd: root, ...usual, ...more }, options);
    },
    agent: (args, session = SESSION, options = {}) =>
      runCli(root, args, {
        stdin: 'Fix the parser.',
        ...options,
        env: { CLAUDE_CODE_SESSION_ID: session, ...options.env },
      }),
    person: (args, options = {}) =>
      args[0] === 'resume'
        ? typeCli(root, args, options)
        : runCli(root, args, { stdin: 'Fix the parser.', ...options }),
    budget,
    changeBudget(how, run) {
      const known = budget(run);
      fs.writeFileSync(budgetFile(run), JSON.stringify({ ...known, ...how(known) }));
    },
    budgetFile,
    sidecar,
    changeSidecar: (run, how) => fs.writeFileSync(sidecarFile(run), JSON.stringify(how(sidecar(run)))),
    journal: () =>
      project
        .read('.holdfast/journal.jsonl')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line)])),
    userConfig(config) {
      fs.mkdirSync(path.join(home, '.config/holdfast'), { recursive: true });
      fs.writeFileSync(path.join(home, '.config/holdfast/holdfast.config.json'), JSON.stringify(config));
    },
  };
}

export const isHeld = ({ answer }: Fired): boolean => answer?.decision === 'block';
export const isLastHold = (fired: Fired): boolean =>
  isHeld(fired) && fired.answer?.reason?.startsWith('The budget of ') === true;
export const isPaused = ({ answer }: Fired): boolean =>
  answer?.decision === undefined && answer?.systemMessage?.includes(' is paused: ') === true;

/** Nothing is older than its start: the file system's clock and ours tick in milliseconds. */
export const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
