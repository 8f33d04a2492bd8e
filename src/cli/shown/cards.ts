// The model cut down to what an overview shows of each run.

import type { ProjectView, RunView, ViewModel } from '../../view/model.ts';
import { RUN_STATES } from '../../view/run-state.ts';
import type { Overview, ProjectName, RunCard } from '../../views/shown.ts';

const MOST_ROUNDS = 24;

/** Projects that several models have are shown once; what its user has put away is left out. */
export function overviewOf(models: readonly ViewModel[]): Overview {
  const projects = projectsOf(models);
  const cards = projects.flatMap((project) =>
    project.runs.filter((run) => !run.dismissed).map((run) => cardOf(project, run)),
  );
  return {
    at: Math.max(...models.map(({ at }) => at)),
    cards: cards.sort(inOrder),
    // The folder that a view was started in may have nothing to show.
    projects: projects.filter(hasSomething).map((project) => ({
      ...nameOf(project),
      troubles: project.troubles,
      leftOut: project.leftOut,
    })),
  };
}

function hasSomething({ runs, troubles, leftOut }: ProjectView): boolean {
  return runs.length + troubles.length + leftOut > 0;
}

export function projectsOf(models: readonly ViewModel[]): ProjectView[] {
  const all = models.flatMap(({ projects }) => projects);
  return all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index);
}

export function nameOf({ id, name, root }: ProjectView): ProjectName {
  return { id, name, root };
}

/** By status, and what moved last first. */
function inOrder(one: RunCard, other: RunCard): number {
  const order = RUN_STATES.indexOf(one.status) - RUN_STATES.indexOf(other.status);
  return order || (other.movedAt ?? 0) - (one.movedAt ?? 0) || (one.id < other.id ? -1 : 1);
}

function cardOf(project: ProjectView, run: RunView): RunCard {
  const { stops, events: _, files: __, detail: ___, rounds, findings, checks, budget, ...rest } = run;
  const [lastStop] = stops;
  return {
    ...rest,
    project: nameOf(project),
    rounds: rounds.slice(-MOST_ROUNDS).map(({ number, verdict, found }) => ({ number, verdict, found })),
    findings: findings === null ? null : withoutList(findings),
    checks: checks.flatMap(({ name, results }) => {
      const last = results.at(-1);
      return last === undefined ? [] : { name, end: last.end };
    }),
    budget: budget === null ? null : withoutBurn(budget),
    lastStop: lastStop === undefined ? null : { at: lastStop.at, kind: lastStop.kind, why: lastStop.why },
  };
}

function withoutList({ list: _, ...rest }: NonNullable<RunView['findings']>): RunCard['findings'] {
  return rest;
}

function withoutBurn({ burn: _, ...rest }: NonNullable<RunView['budget']>): RunCard['budget'] {
  return rest;
}
