// Each setting with the file it came from. What a project's file may only tighten, and what it may say as it likes, is
// decided here.

import { type Pair, USUAL_CLAUDEX, USUAL_PAIR } from '../reviewers/names.ts';
import { tokensIn } from './amount.ts';
import type { ConfigFile } from './schema.ts';

export type ReviewAccess = 'full' | 'sandboxed';

/** The lightest finding that counts where a reviewer lists any. */
export type ReviewFloor = 'low' | 'medium' | 'high';

/** When a check runs in a sandbox: where the agent is in one; always; never. */
export type CheckSandbox = 'never' | 'auto' | 'always';

/** What follows from a change of protected files: it is said; or the claim is held once, too. */
export type WhenProtectedChange = 'notice' | 'hold';

/** An agent's question: it waits for a person, or is refused since nobody is there. */
export type WhenAsked = 'wait' | 'refuse';

/** How a hold is said where the client knows both ways: as feedback (`auto`, and its older name) or always as a block. */
export type HoldForm = 'auto' | 'block' | 'feedback';

export type Origin = 'default' | 'user' | 'project';

/** A value and which file it came from. */
export type Setting<T> = { readonly value: T; readonly from: Origin };

export type Settings = {
  /** Seconds. */
  'review.timeout': Setting<number>;
  'review.access': Setting<ReviewAccess>;
  'review.floor': Setting<ReviewFloor>;
  'review.floorFrom': Setting<number>;
  'review.models': Setting<Pair>;
  'review.claudex': Setting<string>;
  /** Megabytes. */
  'journal.keep': Setting<number>;
  /** Text for the agent, never run by us. */
  'idle.issues.list': Setting<string | null>;
  'idle.issues.show': Setting<string | null>;
  'proof.sandbox': Setting<CheckSandbox>;
  'proof.bail': Setting<boolean>;
  'proof.refusals': Setting<number>;
  'proof.acceptRed': Setting<readonly string[]>;
  'protect.then': Setting<WhenProtectedChange>;
  /** Seconds, as `wait.person`. */
  'wait.work': Setting<number>;
  'wait.person': Setting<number>;
  ask: Setting<WhenAsked>;
  'hold.as': Setting<HoldForm>;
  /** Seconds. */
  'run.silence': Setting<number>;
  /** A client's program. */
  'run.client': Setting<string | null>;
  'budget.tokens': Setting<number | null>;
  'budget.hours': Setting<number | null>;
  'budget.reviews': Setting<number | null>;
  'budget.usd': Setting<number | null>;
};

const REVIEW_TIMEOUT_S = 600;
const JOURNAL_KEEP_MB = 64;
const REFUSALS = 12;
const WAIT_FOR_WORK_S = 2 * 3600;
const SILENCE_S = 30 * 60;
const WAIT_FOR_PERSON_S = 7 * 24 * 3600;

export function settle(user: ConfigFile, project: ConfigFile): Settings {
  return {
    'review.timeout': lowest(user.review?.timeout, project.review?.timeout, REVIEW_TIMEOUT_S),
    'review.access': tightest(ACCESSES, user.review?.access, project.review?.access, 'full'),
    'review.floor': tightest(FLOORS, user.review?.floor, project.review?.floor, 'low'),
    'review.floorFrom': highest(user.review?.floorFrom, project.review?.floorFrom, 1),
    // Which programs run here is the user's own affair, and never a repository's: its file has none of these.
    'review.models': nearest(user.review?.models, undefined, USUAL_PAIR),
    'review.claudex': nearest(user.review?.claudex, undefined, USUAL_CLAUDEX),
    'journal.keep': lowest(user.journal?.keep, project.journal?.keep, JOURNAL_KEEP_MB),
    'idle.issues.list': nearest(user.idle?.issues?.list, project.idle?.issues?.list, null),
    'idle.issues.show': nearest(user.idle?.issues?.show, project.idle?.issues?.show, null),
    'proof.sandbox': tightest(SANDBOXES, user.proof?.sandbox, project.proof?.sandbox, 'auto'),
    'proof.bail': nearest(user.proof?.bail, project.proof?.bail, false),
    'proof.refusals': lowest(user.proof?.refusals, project.proof?.refusals, REFUSALS),
    // What may be red a repository does not say, else one could bring its excuse along.
    'proof.acceptRed': nearest(user.proof?.acceptRed, undefined, []),
    'protect.then': tightest(PROTECTIONS, user.protect?.then, project.protect?.then, 'notice'),
    'wait.work': lowest(user.wait?.work, project.wait?.work, WAIT_FOR_WORK_S),
    // The user's own affair: a project's file has none of these.
    'wait.person': nearest(user.wait?.person, undefined, WAIT_FOR_PERSON_S),
    ask: nearest(user.ask, undefined, 'wait'),
    'hold.as': nearest(user.hold?.as, undefined, 'auto'),
    'run.silence': lowest(user.run?.silence, project.run?.silence, SILENCE_S),
    'run.client': nearest(user.run?.client, undefined, null),
    'budget.tokens': lowestIfAny(tokensIn(user.budget?.tokens), tokensIn(project.budget?.tokens)),
    'budget.hours': lowestIfAny(user.budget?.hours, project.budget?.hours),
    'budget.reviews': lowestIfAny(user.budget?.reviews, project.budget?.reviews),
    'budget.usd': lowestIfAny(user.budget?.usd, project.budget?.usd),
  };
}

function lowest(user: number | undefined, project: number | undefined, otherwise: number): Setting<number> {
  const allowed = user ?? otherwise;
  if (project !== undefined && project < allowed) return { value: project, from: 'project' };
  return { value: allowed, from: user === undefined ? 'default' : 'user' };
}

/** The same where there is no limit unless a file has one. */
function lowestIfAny(user: number | undefined, project: number | undefined): Setting<number | null> {
  const found = lowest(user, project, Number.POSITIVE_INFINITY);
  return found.from === 'default' ? { value: null, from: 'default' } : found;
}

function highest(user: number | undefined, project: number | undefined, otherwise: number): Setting<number> {
  const allowed = user ?? otherwise;
  if (project !== undefined && project > allowed) return { value: project, from: 'project' };
  return { value: allowed, from: user === undefined ? 'default' : 'user' };
}

/** Each from the loosest to the tightest. */
const ACCESSES: readonly ReviewAccess[] = ['full', 'sandboxed'];
const FLOORS: readonly ReviewFloor[] = ['high', 'medium', 'low'];
const SANDBOXES: readonly CheckSandbox[] = ['never', 'auto', 'always'];
const PROTECTIONS: readonly WhenProtectedChange[] = ['notice', 'hold'];

function tightest<T>(
  order: readonly T[],
  user: T | undefined,
  project: T | undefined,
  otherwise: T,
): Setting<T> {
  const allowed = user ?? otherwise;
  if (project !== undefined && order.indexOf(project) > order.indexOf(allowed))
    return { value: project, from: 'project' };
  return { value: allowed, from: user === undefined ? 'default' : 'user' };
}

function nearest<T, Otherwise>(
  user: T | undefined,
  project: T | undefined,
  otherwise: Otherwise,
): Setting<T | Otherwise> {
  if (project !== undefined) return { value: project, from: 'project' };
  return user === undefined ? { value: otherwise, from: 'default' } : { value: user, from: 'user' };
}

export type ChangedSetting = {
  key: string;
  value: string | number | boolean | readonly string[];
  from: 'user' | 'project';
};

type Settled = { settings: Settings; user: ConfigFile; project: ConfigFile };

/**
 * What a file set, and which one. Limits of the guard as they stand there: what a workflow's own default allows
 * beside a project's is known to that workflow.
 */
export function changedSettings({ settings, user, project }: Settled): ChangedSetting[] {
  const plain = Object.entries(settings).map(([key, setting]) => ({ key, ...setting }));
  return [...plain, ...guardSettings(user, project)].flatMap(({ key, value, from }) =>
    from === 'default' || value === null ? [] : { key, value, from },
  );
}

function guardSettings(user: ConfigFile, project: ConfigFile): (Setting<number> & { key: string })[] {
  const names = Object.keys({ ...user.guard?.workflows, ...project.guard?.workflows });
  const places = [
    { at: 'guard', of: (file: ConfigFile) => file.guard },
    ...names.map((name) => ({
      at: `guard.workflows.${name}`,
      of: (file: ConfigFile) => file.guard?.workflows?.[name],
    })),
  ];
  return places.flatMap(({ at, of }) =>
    (['unmoved', 'tools'] as const).map((limit) => ({
      key: `${at}.${limit}`,
      ...lowest(of(user)?.[limit], of(project)?.[limit], Number.POSITIVE_INFINITY),
    })),
  );
}
