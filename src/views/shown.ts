// What a page is sent (types only): the model of `src/view`, cut down to what a card shows, or one run whole.

import type { Diagram } from '../engine/workflow-cli.ts';
import type { ProjectView, RunView, StopView } from '../view/model.ts';

/** Which project a run is of. */
export type ProjectName = Pick<ProjectView, 'id' | 'name' | 'root'>;

export type Overview = {
  at: number;
  /** In the order in which they are shown. */
  cards: readonly RunCard[];
  projects: readonly (ProjectName & Pick<ProjectView, 'troubles' | 'leftOut'>)[];
};

export type RunCard = Omit<
  RunView,
  'stops' | 'events' | 'rounds' | 'findings' | 'checks' | 'budget' | 'files' | 'detail'
> & {
  project: ProjectName;
  /** The newest ones, the oldest of them first. */
  rounds: readonly Pick<RunView['rounds'][number], 'number' | 'verdict' | 'found'>[];
  findings: Omit<NonNullable<RunView['findings']>, 'list'> | null;
  checks: readonly { name: string; end: RunView['checks'][number]['results'][number]['end'] }[];
  budget: Omit<NonNullable<RunView['budget']>, 'burn'> | null;
  lastStop: Pick<StopView, 'at' | 'kind' | 'why'> | null;
};

export type RunPage = {
  project: ProjectName;
  run: RunView;
  diagram: Diagram | null;
  /** The stops shown are not all there were. */
  hasOlder: boolean;
};

/** Stops from before those that a page has. */
export type OlderStops = { stops: readonly StopView[]; hasOlder: boolean };

/** `cut`: it is too long, and only its end is shown. */
export type FileText = { text: string; cut: boolean };
