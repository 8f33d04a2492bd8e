// The words of scenarios about reviews that converge: a user's own config, programs that are not there, reviewers of
// either vendor that list findings, and an agent that answers each of them by its id.

import fs from 'node:fs';
import path from 'node:path';
import { clientFolder } from './clients/place.ts';
import type { Stage } from './clients/stage.ts';
import { answerReview, planFile, reviewFileIn, writeReview } from './plan.ts';
import { type Line, run, say } from './servers/script.ts';

export function ownConfig(stage: Stage, config: object): void {
  const folder = path.join(stage.home, '.config', 'holdfast');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'holdfast.config.json'), JSON.stringify(config));
}

/** Of the clients only these can be started by name; the agent's own is started by its full path. */
export function onlyOnPath(stage: Stage, ...programs: ('claude' | 'codex')[]): void {
  const bin = path.join(stage.home, 'only');
  fs.mkdirSync(bin);
  for (const name of programs) fs.symlinkSync(path.join(clientFolder, name), path.join(bin, name));
  stage.env.PATH = stage.env.PATH?.replace(clientFolder, bin) ?? bin;
  fs.writeFileSync(path.join(stage.home, '.profile'), `PATH='${stage.env.PATH}'\n`);
}

export type Found = { severity: 'high' | 'medium' | 'low'; claim: string };

/** Of whichever vendor it is: it is known by what it is asked. Each looks at the changes first, where it is given some. */
export function reviewers(stage: Stage, ...all: (readonly Found[])[]): void {
  const lines = all.flatMap((found): Line[] => [readChanges, writeReview, answer(found)]);
  stage.part({ name: 'reviewer', hears: ({ opening }) => isReviewing(opening), lines });
}

/** It tries to change something else than its review before it answers. */
export function meddlingReviewers(stage: Stage, file: string, count: number): void {
  const meddle: Line = ({ tools }) =>
    tools.includes('Write') ? { write: { file, text: 'changed' } } : run(`echo changed >'${file}'`);
  const lines = Array.from({ length: count }, () => [readChanges, meddle, writeReview, answer([])]).flat();
  stage.part({ name: 'reviewer', hears: ({ opening }) => isReviewing(opening), lines });
}

const isReviewing = (opening: string): boolean => opening.includes('Write your review to this exact file');

/** By the very words of the prompt; a sandboxed Claude Code has no shell. */
const readChanges: Line = ({ opening, tools }) => {
  const file = changesIn(opening) ?? '/dev/null';
  if (tools.includes('Bash') || !tools.includes('Read')) return run(`cat '${file}'`);
  return { call: { tool: 'Read', input: { file_path: file } } };
};

const changesIn = (opening: string): string | undefined =>
  /patch in (\/.+\/changes\.patch) \(/.exec(opening)?.[1];

function answer(found: readonly Found[]): Line {
  return (heard) => {
    // What it lists is about the file that the task is about.
    const line = found.length === 0 ? null : 1;
    const findings = found.map((each) => ({
      ...each,
      file: 'hello-1.txt',
      line,
      evidence: 'cat hello-1.txt',
    }));
    if (reviewFileIn(heard) === '') throw new Error('no review is asked for');
    return { verdict: found.length === 0 ? 'PASS' : 'FAIL', findings };
  };
}

/** Answers the review by the words of the hold, with these lines in the file that it names. */
export function answerFindings(...lines: string[]): Line[] {
  const [first] = answerReview;
  return [
    (heard) => {
      const reply = typeof first === 'function' ? first(heard) : first;
      return run(
        (reply?.run ?? '').replace(
          "echo 'Nothing to change.'",
          `printf '%s\\n' ${lines.map(quoted).join(' ')}`,
        ),
      );
    },
    say('The findings are answered.'),
  ];
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export type Entry = {
  id: string;
  by: string;
  status: string;
  severity: string;
  claim: string;
  earlier: string[];
};

export function docketOf(stage: Stage): Entry[] {
  return JSON.parse(stage.read(planFile('docket.json'))).findings;
}

/** What each review was asked of, in order: the model, where the changes begin, and what it saw of them. */
export function reviewsSeen(stage: Stage): { model: string; since: string | null; changes: string | null }[] {
  const asked = stage.cast.of('reviewer');
  return [...new Set(asked.map(({ session }) => session))].flatMap((each) => {
    // Its first request is the prompt alone, its second has what it read.
    const second = asked.filter(({ session }) => session === each)[1];
    if (second === undefined) return [];
    const { model, opening, last } = second;
    const since = /changed since .+ began, (.+), \d+ files? in all/.exec(opening)?.[1] ?? null;
    return { model, since, changes: changesIn(opening) === undefined ? null : last };
  });
}
