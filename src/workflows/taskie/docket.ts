// A plan's docket.json: taken up at every verdict, with the answers of the post-reviews that are there and the findings
// that the review listed. The stop that writes it is the only one that reads it.

import type { RunContext } from '../../engine/context.ts';
import { addFindings } from '../../engine/docket/add.ts';
import { answersIn, withAnswers } from '../../engine/docket/answers.ts';
import { numberOf } from '../../engine/docket/ids.ts';
import {
  DOCKET,
  type DocketPlace,
  keepDocket,
  type OpenedDocket,
  openDocket,
  type ReviewText,
} from '../../engine/docket/keep.ts';
import type { Answer, Docket } from '../../engine/docket/types.ts';
import type { Project } from '../../engine/project.ts';
import type { Write } from '../../store/writes.ts';
import { type PlanFolder, readPlanFile } from './files.ts';
import {
  byReview,
  inText,
  type NamedReview,
  planFolder,
  planInText,
  readReviewName,
  reviewFile,
} from './names.ts';
import type { RememberedReview } from './types.ts';

/** The docket as a verdict leaves it. */
export type TakenUp = {
  docket: Docket;
  /** The review that was taken up. */
  review: string;
  /** How many more it listed than are read. */
  cut: number;
  writes: readonly Write[];
  notice: string | null;
  /** Why it can be neither read nor written; left out: it can. */
  refused?: string;
};

export function takeUp(review: RememberedReview, folder: PlanFolder, context: RunContext): TakenUp | null {
  const { project, run, findings } = context;
  if (findings === undefined && !folder.files.includes(DOCKET)) return null;
  const place = placeOf(project, run, folder);
  const opened = openedIn(project, run, folder);
  const name = reviewFile(review.kind, review.task, review.number);
  const reviewed = { review: name, round: review.iteration, by: review.by ?? null, root: project.root };
  const answered = withAnswers(opened.docket, answersTo(opened.docket, project, folder));
  const docket = addFindings(answered, findings ?? { list: [] }, reviewed);
  return {
    docket,
    review: name,
    cut: findings?.cut ?? 0,
    ...keepDocket(opened, docket, place, `Plan ${planInText(run)}`),
  };
}

/** As it is now, with answers that no stop has taken up yet. Null: there is none. */
export function docketNow(project: Project, plan: string, folder: PlanFolder): Docket | null {
  if (!folder.files.includes(DOCKET)) return null;
  const { docket } = openedIn(project, plan, folder);
  return withAnswers(docket, answersTo(docket, project, folder));
}

function placeOf({ root }: Project, plan: string, folder: PlanFolder): DocketPlace {
  return { folder: folder.path, root, shown: inText(plan, planFolder(folder.name)) };
}

function openedIn(project: Project, plan: string, folder: PlanFolder): OpenedDocket {
  return openDocket(placeOf(project, plan, folder), () => reviewTexts(project, folder));
}

/** Of all post-reviews, in their order. A finding that came after one cannot have been answered in it. */
function answersTo(docket: Docket, { root }: Project, folder: PlanFolder): Answer[] {
  if (docket.findings.length === 0) return [];
  const found = docket.findings.map(({ id, review }) => ({
    number: numberOf(id) ?? 0,
    named: readReviewName(review),
  }));
  return namedIn(folder, true).flatMap(({ file, named }) => {
    const before = found.filter((each) => each.named === null || byReview(each.named, named) <= 0);
    const last = before.reduce((highest, { number }) => Math.max(highest, number), 0);
    const answers = answersIn(readPlanFile(root, folder, file) ?? '');
    return answers.filter(({ id }) => (numberOf(id) ?? 0) <= last);
  });
}

function reviewTexts({ root }: Project, folder: PlanFolder): ReviewText[] {
  return namedIn(folder, false).map(({ file, named }) => ({
    ...{ review: file, round: named.number, by: null },
    text: readPlanFile(root, folder, file) ?? '',
  }));
}

function namedIn({ files }: PlanFolder, answers: boolean): { file: string; named: NamedReview }[] {
  return files
    .flatMap((file) => {
      const named = readReviewName(file);
      return named === null || named.isAnswer !== answers ? [] : { file, named };
    })
    .sort((left, right) => byReview(left.named, right.named));
}
