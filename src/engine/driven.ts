// What a workflow tells the driver (`holdfast run`) beside its commands (types only).

import type { Outcome } from '../store/journal-lines.ts';
import type { Project } from './project.ts';
import type { Command } from './workflow-cli.ts';

/** Where a run that goes on by stages may be left: `--stop-at`. */
export const STOPS_AT = ['plan', 'tasks', 'task'] as const;
export type StopAt = (typeof STOPS_AT)[number];

export type Driven = {
  /** The skill by which an agent begins a run from words alone. Left out: a command starts it. */
  begin?: string;
  /** The skill by which an agent goes on with a run, given the run's id. Left out: plain words do. */
  goOn?: string;
  /** The command that takes up a run that went stale. */
  takeUp?: Command;
  /** The reviewer's program is the agent's to run, in its own session: not with a new session per iteration. */
  keepsSession?: true;
  /** The stages at which it may be left (`--stop-at`). Left out: it has none. */
  stages?: readonly StopAt[];
  /** How a run stands whose agent has stopped, where live or not does not tell. */
  stands?(project: Project, run: string): DrivenStand;
};

export type DrivenStand =
  | { kind: 'active' }
  | { kind: 'stale' }
  | { kind: 'over'; outcome: Outcome }
  /** `why`: for the person, with what can be done. */
  | { kind: 'person'; why: string }
  | { kind: 'goes-on'; reached: StopAt | null };
