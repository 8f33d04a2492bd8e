// What `doctor` says about reviewers: which of those that the settings name answer. Whether they are logged in, nobody
// can tell without paying for it.

import type { Config } from '../config/config.ts';
import type { Call } from '../engine/workflow-cli.ts';
import { parseReviewer } from '../reviewers/names.ts';
import { CLAUDE, programNamed } from '../reviewers/programs.ts';
import { standInOn } from '../reviewers/stand-in.ts';
import { type ProgramFound, versionOf } from '../reviewers/version.ts';
import { type Finding, fair, good } from './finding.ts';

export async function checkReviewers(call: Call, { review }: Config): Promise<Finding[]> {
  const named = [
    ...review.models.map((name) => ({ setting: 'review.models', program: programOf(name) })),
    { setting: 'review.claudex', program: programOf(review.claudex) },
  ];
  const programs = [...new Set(named.map(({ program }) => program))];
  const standIn = review.chosen ? null : standInOn(call.env, call.cwd);
  return Promise.all(
    programs.map(async (program) => {
      const settings = named.filter((each) => each.program === program).map(({ setting }) => setting);
      const about = `the reviewer ${program} (${[...new Set(settings)].join(', ')})`;
      const instead = program === CLAUDE ? standIn : null;
      return describe(about, program, await versionOf(program, call), instead);
    }),
  );
}

function programOf(name: string): string {
  return parseReviewer(name)?.program ?? name;
}

function describe(about: string, program: string, found: ProgramFound, instead: string | null): Finding {
  switch (found.kind) {
    case 'answers':
      return good(`${about} answers: ${found.version}`);
    case 'failed':
      return fair(`${about} is there, but \`${program} --version\` failed: ${found.why}`);
    case 'missing': {
      const follows = instead === null ? 'it cannot review' : `${instead} reviews in its place`;
      return fair(`${about} is not on PATH: ${follows}`, programNamed(program)?.install);
    }
  }
}
