// `holdfast findings`: what the reviewers of a run listed, and what became of each. Reads only: an answer that no stop has
// taken up yet is shown as it will be.

import { accountsOf, contestedIn } from '../engine/docket/accounts.ts';
import type { Entry } from '../engine/docket/types.ts';
import type { Project } from '../engine/project.ts';
import {
  type Call,
  type Command,
  type ExitCode,
  NotNow,
  type RunDocket,
  WrongUsage,
} from '../engine/workflow-cli.ts';
import { docketOf } from '../view/docket.ts';
import { allRuns, type KnownRun, pickRun, refuseUnused, wordOrFlag } from '../view/runs.ts';
import { asMarkdown, asScreen } from './findings-text.ts';

export const findings: Command = {
  name: 'findings',
  summary: 'what reviewers found, and what became of it',
  usage: '[RUN] [--open|--contested] [--json|--markdown]',
  help: 'Without RUN: the runs that go on, else the last one with findings. Contested: rejected by the agent, and raised again by a reviewer.',
  options: {
    run: { type: 'string' },
    open: { type: 'boolean' },
    contested: { type: 'boolean' },
    json: { type: 'boolean' },
    markdown: { type: 'boolean' },
  },
  writes: false,
  words: { least: 0, most: 1 },
  run: showFindings,
};

/** A run's findings, and those of them that are asked for. */
export type Listed = RunDocket & { run: string; shown: readonly Entry[] };

async function showFindings(call: Call): Promise<ExitCode> {
  const { flags } = call;
  if (flags.open && flags.contested)
    throw new WrongUsage('findings: either --open or --contested, not both.');
  if (flags.json && flags.markdown) throw new WrongUsage('findings: either --json or --markdown, not both.');
  const project = await call.existing();
  const listed = project === null ? [] : await listedIn(project, call);
  if (flags.json) call.print(JSON.stringify({ runs: listed.map(asData) }, null, 2));
  else if (listed.length === 0) call.print(await whyNone(call, project));
  else for (const each of listed) call.print(flags.markdown ? asMarkdown(each) : asScreen(each));
  return 0;
}

async function listedIn(project: Project, call: Call): Promise<Listed[]> {
  const { flags } = call;
  const runs = await allRuns(project);
  const named = wordOrFlag(call);
  if (named !== undefined) {
    await refuseUnused(project, named);
    const run = pickRun(runs, named);
    const found = docketOf(project, run);
    if (found instanceof Error)
      throw new NotNow(`the findings of ${run.name} cannot be read: ${found.message}`);
    return found === null ? [] : [filtered(run, found, flags)];
  }
  const all = runs.flatMap((run) => {
    const found = docketOf(project, run);
    return found === null || found instanceof Error
      ? []
      : { live: run.live, listed: filtered(run, found, flags) };
  });
  const live = all.filter((each) => each.live);
  return (live.length > 0 ? live : all.slice(0, 1)).map((each) => each.listed);
}

function filtered(run: KnownRun, found: RunDocket, flags: Call['flags']): Listed {
  const { findings: all } = found.docket;
  const contested = new Set(flags.contested ? contestedIn(all) : []);
  const shown = all.filter((entry) =>
    flags.open ? entry.status === 'open' : flags.contested ? contested.has(entry) : true,
  );
  return { run: run.name, ...found, shown };
}

function asData({ run, file, docket, shown }: Listed) {
  const { contested, ...counts } = accountsOf(docket);
  const findings = shown.map(({ others, ...entry }) => ({ ...others, ...entry }));
  return { run, file, ...counts, contested: contested.map(({ id }) => id), findings };
}

async function whyNone(call: Call, project: Project | null): Promise<string> {
  const runs = project === null ? [] : await allRuns(project);
  if (runs.length === 0)
    return 'No findings: there are no runs here. `holdfast help` lists the workflows that review.';
  const named = wordOrFlag(call);
  const whose = named === undefined ? '' : ` of ${pickRun(runs, named).name}`;
  return `No findings${whose} yet. They come with the first review whose reviewer lists what it found; \`holdfast status\` shows where each run stands.`;
}
