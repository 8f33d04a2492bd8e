// A loop's docket.json: taken up at the stop that leaves a round behind, with what its findings file holds and the
// answers in PLAN.md's changelog.

import { addFindings } from '../../engine/docket/add.ts';
import { answersIn, withAnswers } from '../../engine/docket/answers.ts';
import { type DocketPlace, keepDocket, openDocket, type ReviewText } from '../../engine/docket/keep.ts';
import { readFindings } from '../../engine/docket/review-file.ts';
import { readLines } from '../../engine/docket/review-lines.ts';
import type { Docket } from '../../engine/docket/types.ts';
import type { Write } from '../../store/writes.ts';
import { type LoopFiles, type StateDir, shown } from './files.ts';
import { readPlan, readQuietly } from './review-progress.ts';

/** The docket as it is when a round is left behind. */
export type TakenUp = {
  docket: Docket;
  /** The findings file that was taken up last. */
  review: string;
  writes: readonly Write[];
  notice: string | null;
  /** Why it can be neither read nor written; left out: it can. */
  refused?: string;
};

export type LoopDocket = {
  id: string;
  dir: StateDir;
  files: LoopFiles;
  /** The rounds that were reviewed. */
  rounds: ReadonlyMap<number, unknown>;
  /** The round that is left behind. */
  round: number;
  /** The reviewer's name. */
  by: string;
};

export function takeUp(loop: LoopDocket): TakenUp {
  const { dir, files } = loop;
  // `codex/` means its default model.
  const by = loop.by.replace(/\/$/, '');
  const reviewed = [...loop.rounds.keys()].filter((round) => round <= loop.round);
  const textOf = (round: number): ReviewText => ({
    ...{ review: findingsName(round), round, by },
    text: readQuietly(files.findings(round), dir.within) ?? '',
  });
  const place: DocketPlace = { folder: files.folder, root: dir.within, shown: shown(dir, files.folder) };
  const opened = openDocket(place, () => reviewed.map(textOf));
  // Before the first finding there is nothing to answer, and the plan may be long.
  const isAnswerable = reviewed.length > 0 || opened.docket.findings.length > 0;
  const answers = isAnswerable ? answersIn(changelogOf(readPlan(dir) ?? '')) : [];
  let docket = withAnswers(opened.docket, answers);
  // The round itself once more: a stop that died after writing this is repeated.
  const known = docket.findings.reduce((highest, { round }) => Math.max(highest, round ?? 0), 0);
  for (const round of reviewed.filter((each) => each > known || each === loop.round)) {
    const { text, ...review } = textOf(round);
    docket = addFindings(docket, { list: readFindings(text) ?? [] }, { ...review, root: dir.root });
  }
  // An agent that looked up the ids has answered this round already.
  docket = withAnswers(docket, answers);
  const kept = keepDocket(opened, docket, place, `Claudex loop ${loop.id}`);
  return { docket, review: findingsName(loop.round), ...kept };
}

const findingsName = (round: number): string => `findings-round-${round}.md`;

/** The section `## Changelog`, whatever its level; without fenced code. */
function changelogOf(plan: string): string {
  const lines = readLines(plan);
  const start = lines.findIndex((line) => /^ {0,3}#{1,6}\s*change ?log\b/i.test(line));
  if (start < 0) return '';
  const level = levelOf(lines[start] ?? '') ?? 1;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => (levelOf(line) ?? 7) <= level);
  return (end < 0 ? rest : rest.slice(0, end)).join('\n');
}

function levelOf(line: string): number | null {
  return /^ {0,3}(#{1,6})\s/.exec(line)?.[1]?.length ?? null;
}
