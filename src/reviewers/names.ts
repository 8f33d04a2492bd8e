// What a reviewer is called in settings and in state files: `model` is Claude Code's, `program/model` another's, and
// `program/` that program's default. Such names come from outside and end on a command line. Pure.

import { CLAUDE, programNamed, programs } from './programs.ts';

/** `model` is empty where the program's default is meant. */
export type NamedReviewer = { program: string; model: string };

export type Pair = readonly [string, string];

/** As taskie's specification names them. */
export const USUAL_PAIR: Pair = ['opus', 'sonnet'];

export const USUAL_CLAUDEX = 'codex/';

const PROGRAM = /^([a-z][a-z0-9-]{0,31})\/(.*)$/s;
/** No blank, nothing that a program would take for a flag. */
const MODEL = /^(?!-)[\x21-\x7e]{1,200}$/;

/** Null: no command line could carry it. The program need not be one that we know. */
export function parseReviewer(name: string): NamedReviewer | null {
  const [, program = CLAUDE, model = name] = PROGRAM.exec(name) ?? [];
  const isDefault = model === '' && name !== '';
  return isDefault || MODEL.test(model) ? { program, model } : null;
}

/** Fit for a setting: its program is one that can review. */
export function isReviewerName(name: string): boolean {
  const named = parseReviewer(name);
  return named !== null && programNamed(named.program) !== null;
}

/** What `isReviewerName` wants, in words. */
export const A_REVIEWER = `a model such as "opus", or a program and a model such as "codex/gpt-5.2-codex", or "codex/" (programs: ${programs.map(({ name }) => name).join(', ')})`;

/** In a sentence: `opus`, `gpt-5.2-codex of codex`, `the default model of codex`. */
export function describeReviewer({ program, model }: NamedReviewer): string {
  if (model === '') return `the default model of ${program}`;
  return program === CLAUDE ? model : `${model} of ${program}`;
}
