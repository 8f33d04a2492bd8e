// How a plan stands for whoever drives it: what `next` would say, as data. A stage that has passed is a user's stop.

import type { DrivenStand, StopAt } from '../../../engine/driven.ts';
import type { Project } from '../../../engine/project.ts';
import type { KnownState } from '../types.ts';
import { instruct } from './instructions.ts';
import { statedPhase, surroundings } from './next.ts';
import { todoOf } from './todo.ts';
import { readPlan } from './which-plan.ts';

export function stands(project: Project, plan: string): DrivenStand {
  const found = readPlan(project, plan);
  const { around } = surroundings(found, project);
  const todo = todoOf(found.state, around);
  switch (todo.kind) {
    case 'done':
      return { kind: 'over', outcome: 'completed' };
    case 'stop-at-limit':
    case 'ask':
    case 'review-lost':
    case 'task-unknown':
    case 'nothing-pending':
      return { kind: 'person', why: instruct(todo, found, project, statedPhase(found), null) };
    case 'create-tasks':
    case 'implement':
    case 'complete':
    case 'unnumbered':
    case 'still-pending':
    case 'stop':
      return { kind: 'goes-on', reached: found.state.kind === 'known' ? passed(found.state) : null };
    case 'post-review':
    case 'finish-plan':
    case 'continue-task':
    case 'rebuild':
      return { kind: 'active' };
  }
}

/** What the last review that passed was about: the phase is still its own, and what follows is beyond it. */
function passed({ phase, next }: KnownState): StopAt | null {
  switch (phase) {
    case 'plan-review':
      return next === 'create-tasks' ? 'plan' : null;
    case 'tasks-review':
      return next === 'complete-task' || next === 'complete-task-tdd' ? 'tasks' : null;
    case 'code-review':
      return next === 'code-review' ? null : 'task';
    default:
      return null;
  }
}
