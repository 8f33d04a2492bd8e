// `holdfast report`: a run after the fact, to send around: what was asked, how it ended, what was found, what it took.

import type { Project } from '../engine/project.ts';
import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import type { ProjectView, RunView } from '../view/model.ts';
import { pickRun, wordOrFlag } from '../view/runs.ts';

export const report: Command = {
  name: 'report',
  summary: 'a run after the fact, to send around: Markdown, one HTML file, or JSON',
  usage: '[--html|--markdown|--json] [RUN]',
  help: `Without RUN: the run that something happened to last. Markdown, for a pull request, unless another form is asked for.
To keep it: holdfast report --html > report.html`,
  options: {
    run: { type: 'string' },
    html: { type: 'boolean' },
    markdown: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  writes: false,
  words: { least: 0, most: 1 },
  run: printReport,
};

async function printReport(call: Call): Promise<ExitCode> {
  const { flags } = call;
  if ([flags.html, flags.markdown, flags.json].filter(Boolean).length > 1)
    throw new WrongUsage('report: one of --html, --markdown and --json, not several.');
  const project = await call.existing();
  const { openView } = await import('../view/open-view.ts');
  // All of the journal that is kept, since a report is about all of a run.
  const back = Number.POSITIVE_INFINITY;
  const view = project === null ? null : await openView({ roots: [project.root], env: call.env, back });
  const [shown] = view?.model().projects ?? [];
  if (project === null || shown === undefined)
    throw new NotNow('there are no runs here, so there is nothing to report.');
  const run = chosen(shown, wordOrFlag(call));
  call.print(await inForm(shown, run, project, flags));
  return 0;
}

function chosen({ runs }: ProjectView, named: string | undefined): RunView {
  if (named !== undefined) return pickRun(runs, named);
  const [last] = runs.toSorted((one, other) => (other.movedAt ?? 0) - (one.movedAt ?? 0));
  if (last === undefined) throw new NotNow('there are no runs here, so there is nothing to report.');
  return last;
}

async function inForm(
  project: ProjectView,
  run: RunView,
  { now }: Project,
  { html, json }: Call['flags'],
): Promise<string> {
  if (json) {
    const { id, name, root, readBackTo } = project;
    return JSON.stringify({ schema: 1, at: now, project: { id, name, root, readBackTo }, run }, null, 2);
  }
  if (html) return (await import('../view/html/page.ts')).runPage(project, run, now);
  return (await import('../view/report/markdown.ts')).asMarkdown(project, run);
}
