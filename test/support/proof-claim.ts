// A run whose checks are pinned, in a real project, and what its agent's claims are worth: all in the test's process.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { StopContext } from '../../src/engine/context.ts';
import type { Project } from '../../src/engine/project.ts';
import { Checking, type CheckingOf } from '../../src/engine/proof/checking.ts';
import { contentOf } from '../../src/engine/proof/content.ts';
import { definitionOf } from '../../src/engine/proof/definition.ts';
import { ownFiles } from '../../src/engine/proof/own-files.ts';
import { type Pin, pinPlace } from '../../src/engine/proof/pin.ts';
import { keepReceipt } from '../../src/engine/proof/receipts.ts';
import type { Check, Receipt } from '../../src/engine/proof/types.ts';
import { runtimeHere } from '../../src/hook/runtime.ts';
import { ensureHome } from '../../src/store/home.ts';
import { type JournalEntry, parseJournalLine } from '../../src/store/journal-lines.ts';
import { changeUserRecord } from '../../src/store/user-state.ts';
import { bareProject, contextIn, writeIn } from './bare-project.ts';

export const RUN = 'idle:loop';

export type Claims = {
  project: Project;
  stopped: StopContext;
  /** What the hook did before the first check ran: how often. */
  readonly before: number;
  write(file: string, content: string): void;
  /** A check that notes each time it runs, and then does what the script says. */
  check(name: string, script: string, more?: Partial<Check>): Check;
  ran(name: string): number;
  /** A file beside the project, for what a check has to note. */
  beside(name: string): string;
  pinOf(checks: readonly Check[], more?: Partial<Pin>): Pin;
  /** The same, where the hook finds it. */
  pin(checks: readonly Check[], more?: Partial<Pin>): Pin;
  checking(pin: Pin, more?: Partial<CheckingOf>): Promise<Checking>;
  content(paths?: readonly string[] | null): Promise<string>;
  keep(check: Check, content: string, more?: Partial<Receipt>): void;
  receipts(): Receipt[];
  journal(): JournalEntry[];
};

export function claimsIn({ git = true } = {}): Claims {
  const project = bareProject(Date.now());
  const { root, env } = project;
  const folder = path.dirname(root);
  fs.mkdirSync(path.join(folder, 'home'));
  ensureHome(root);
  writeIn(project, 'code.txt', 'first\n');
  if (git) execFileSync('git', ['init', '--quiet', root], { env: { PATH: env.PATH, HOME: folder } });
  const runtime = { ...runtimeHere(env), whenAskedToEnd: () => {} };
  const stopped: StopContext = {
    ...{ project, runtime, decidedOn: new Map() },
    stop: contextIn(project, 'loop').stop,
  };
  const beside = (name: string): string => path.join(folder, name);
  let before = 0;
  const beforeChecks = async (): Promise<void> => void before++;
  const linesOf = (file: string): string[] =>
    fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  const pinOf: Claims['pinOf'] = (checks, more) => ({
    ...{ run: RUN, root, startedAt: project.now, checks, untrusted: [], others: [], off: false },
    ...{ content: null, contents: {}, seal: null, protect: [], sandbox: 'auto', bail: false, refusals: 12 },
    then: 'notice',
    ...more,
  });
  return {
    ...{ project, stopped, beside, pinOf },
    get before() {
      return before;
    },
    write: (file, content) => void writeIn(project, file, content),
    check: (name, script, more) => ({
      ...{ name, run: `echo ran >>'${beside(`${name}.ran`)}'; ${script}`, timeout: 30, retries: 0 },
      ...{ paths: null, cwd: null, from: 'user' },
      ...more,
    }),
    ran: (name) => linesOf(beside(`${name}.ran`)).length,
    pin(checks, more) {
      const pin = pinOf(checks, more);
      changeUserRecord(
        env,
        pinPlace(root, RUN),
        (known): known is Pin => known !== undefined,
        () => pin,
      );
      return pin;
    },
    async checking(pin, more) {
      const checking = new Checking({ run: RUN, pin, ran: [], beforeChecks, ...more }, stopped);
      await checking.look();
      return checking;
    },
    async content(paths = null) {
      const content = await contentOf(root, env, { without: ownFiles(runtime.registry) });
      if (content === null) throw new Error('no content');
      return content.of(paths);
    },
    keep: (check, content, more) =>
      keepReceipt(project, {
        ...{ check: check.name, definition: definitionOf(check), content, end: 'passed', code: 0 },
        ...{ milliseconds: 3200, flaky: false, tail: '', at: project.now },
        ...more,
      }),
    receipts() {
      const kept = path.join(folder, 'state/holdfast/receipts');
      const files = fs.existsSync(kept) ? fs.readdirSync(kept) : [];
      return files.flatMap((file) => JSON.parse(fs.readFileSync(path.join(kept, file), 'utf8')).receipts);
    },
    journal: () =>
      linesOf(path.join(root, '.holdfast/journal.jsonl')).flatMap((line) => parseJournalLine(line) ?? []),
  };
}
