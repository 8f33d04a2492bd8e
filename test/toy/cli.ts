// The toys' side of the command line.

import * as v from 'valibot';
import { COMMAND_PATIENCE_MS, claimRun } from '../../src/engine/claim-run.ts';
import type { Project } from '../../src/engine/project.ts';
import { type Command, NotNow, type RunSummary, type WorkflowCli } from '../../src/engine/workflow-cli.ts';
import { replaceFile } from '../../src/store/files.ts';
import { ensureHome } from '../../src/store/home.ts';
import { withLock } from '../../src/store/lock.ts';
import { decide } from './decide.ts';
import { readToy, statePath, type ToyName, toyRuns } from './workflow.ts';

export const toyCli = makeCli('toy');
export const toy2Cli = makeCli('toy2');

function makeCli(name: ToyName): WorkflowCli {
  return {
    commands: [startCommand(name)],
    runs: (project) => toyRuns(project, name).map((run) => summarise(project, name, run)),
    cancel(project, run) {
      replaceFile(
        statePath(project, name, run),
        `${JSON.stringify({ phase: 'done', left: 0, reviews: 0 })}\n`,
        project.root,
      );
      return `${name}:${run} is cancelled.`;
    },
    redecide(recordedState, recordedFacts) {
      const parsed = v.safeParse(v.object({ state, facts }), { state: recordedState, facts: recordedFacts });
      return parsed.success ? decide(parsed.output.state, parsed.output.facts) : null;
    },
  };
}

function startCommand(name: ToyName): Command {
  return {
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
        if (readToy(project, name, run) !== null) throw new NotNow(`the ${name} ${run} is there already.`);
        const begun = {
          phase: call.flags.phase ?? 'working',
          left: Number(call.flags.left ?? 100),
          reviews: 0,
          note: 'a secret note',
        };
        replaceFile(statePath(project, name, run), `${JSON.stringify(begun)}\n`, project.root);
        return claimRun(project, `${name}:${run}`);
      });
      call.print(`${name}:${run} belongs to ${owner}`);
      return 0;
    },
  };
}

function summarise(project: Project, name: ToyName, run: string): RunSummary {
  try {
    const phase = readToy(project, name, run)?.state.phase ?? 'gone';
    return { run, live: phase !== 'done', stage: phase, detail: {} };
  } catch (error) {
    const unreadable = error instanceof Error ? error.message : String(error);
    return { run, live: false, stage: 'unreadable', detail: { unreadable } };
  }
}

const state = v.object({ phase: v.string(), left: v.number(), reviews: v.number() });
const facts = v.object({
  finished: v.picklist(['yes', 'no', 'unread']),
  signalKept: v.boolean(),
  waiting: v.boolean(),
  note: v.string(),
  verdict: v.nullable(v.picklist(['clean', 'findings', 'none', 'failed'])),
  failedReviews: v.number(),
});
