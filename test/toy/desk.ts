// The toy's side of the command line.

import * as v from 'valibot';
import { COMMAND_PATIENCE_MS, claimRun } from '../../src/engine/claim.ts';
import { type Command, type Desk, NotNow } from '../../src/engine/desk.ts';
import { replaceFile } from '../../src/store/files.ts';
import { ensureHome } from '../../src/store/home.ts';
import { withLock } from '../../src/store/lock.ts';
import { decide } from './decide.ts';
import { readToy, statePath, toyRuns } from './workflow.ts';

const start: Command = {
  name: 'start',
  summary: 'start a toy',
  usage: '[--phase PHASE] [--left N] <id>',
  options: { phase: { type: 'string' }, left: { type: 'string' } },
  writes: true,
  words: { least: 1, most: 1 },
  async run(call) {
    const project = await call.forNewRun();
    const run = call.words[0] ?? '';
    ensureHome(project.root);
    const owner = await withLock(project.home, COMMAND_PATIENCE_MS, () => {
      if (readToy(project, run) !== null) throw new NotNow(`the toy ${run} is there already.`);
      const state = {
        phase: call.flags.phase ?? 'working',
        left: Number(call.flags.left ?? 100),
        reviews: 0,
      };
      replaceFile(
        statePath(project, run),
        `${JSON.stringify({ ...state, note: 'a secret note' })}\n`,
        project.root,
      );
      return claimRun(project, `toy:${run}`);
    });
    call.print(`toy:${run} belongs to ${owner}`);
    return 0;
  },
};

const state = v.object({ phase: v.string(), left: v.number(), reviews: v.number() });
const facts = v.object({
  finished: v.picklist(['yes', 'no', 'unread']),
  overheard: v.boolean(),
  waiting: v.boolean(),
  note: v.string(),
  verdict: v.nullable(v.picklist(['clean', 'findings', 'none', 'failed'])),
  failedReviews: v.number(),
});

export const desk: Desk = {
  commands: [start],
  runs: (project) =>
    toyRuns(project).map((run) => {
      const phase = readToy(project, run)?.state.phase ?? 'gone';
      return { run, live: phase !== 'done', stage: phase, detail: {} };
    }),
  cancel(project, run) {
    replaceFile(
      statePath(project, run),
      `${JSON.stringify({ phase: 'done', left: 0, reviews: 0 })}\n`,
      project.root,
    );
    return `toy:${run} is cancelled.`;
  },
  redecide(recordedState, recordedFacts) {
    const parsed = v.safeParse(v.object({ state, facts }), { state: recordedState, facts: recordedFacts });
    return parsed.success ? decide(parsed.output.state, parsed.output.facts) : null;
  },
};
