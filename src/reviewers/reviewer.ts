// What a reviewer is: another model's program, how to call it and how to read its verdict. Running it,
// ending it and keeping its output is run.ts.

import type { ReviewAccess } from '../config/settings.ts';
import type { Environment } from '../store/environment.ts';
import type { Findings, Spend } from './findings.ts';
import type { NoVerdict, Verdict } from './verdict.ts';

export type Reviewer = {
  name: string;
  /** The whole command; no shell reads it. */
  call(task: ReviewTask): ReviewerCommand;
  /** From what it printed. `exitCode` is null when nobody saw it end. */
  readVerdict(stdout: string, exitCode: number | null): Verdict;
  /** Why it has no verdict, where what it printed just now tells; null: it does not. */
  readNoVerdict?(stdout: string, now: number): NoVerdict | null;
  /** What it printed in place of a verdict, in its own words; null: what it printed has no such place. */
  readReason?(stdout: string): string | null;
  /** What it lists beside its verdict; null: it lists nothing. */
  readFindings?(stdout: string): Findings | null;
  /** What it says that it cost; null: it does not say. */
  readSpend?(stdout: string): Spend | null;
};

export type ReviewTask = {
  /** Empty: the program's default. */
  model: string;
  prompt: string;
  /** Absolute path of the review file it must write. */
  file: string;
  /** Folders outside the project that it must be able to read. */
  reads?: readonly string[];
  access: ReviewAccess;
  /** The attempt's own folder, absolute: what the command brings along lies there. */
  folder: string;
};

export type ReviewerCommand = {
  program: string;
  args: readonly string[];
  /** Added to the environment, over what keeps it from recursing. */
  env: Environment;
  /** Written into the attempt's folder before it starts: texts by name. */
  files?: Readonly<Record<string, string>>;
};

export type FindReviewer = (name: string) => Promise<Reviewer>;
