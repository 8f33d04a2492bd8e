// The structure a plan folder must have (pure), rules 1 to 7: every violation, one sentence each. Line ends and
// spaces never matter. Rule 8, about state.json, only ever warns and is the reader's business (state.ts).

export type Structure = {
  /** Names of the markdown files right in the folder. */
  files: readonly string[];
  nested: boolean;
  /** The text of tasks.md; null when there is none. */
  tasks: string | null;
};

export function findViolations({ files, nested, tasks }: Structure): string[] {
  const present = new Set(files);
  return [
    ...(present.has('plan.md') ? [] : ['Missing required file: plan.md']),
    ...files.filter((file) => !isKnownName(file)).map((file) => `Invalid filename: ${file}`),
    ...(nested ? ['Files found in nested directories'] : []),
    ...files.flatMap((file) => requirement(file, present)),
    ...(files.some(isTaskFile) && tasks === null ? ['Task files exist but tasks.md is missing'] : []),
    ...(tasks === null ? [] : tableViolations(tasks)),
  ];
}

/** Is this line of tasks.md read as a row of its table? */
export const isTableLine = (line: string): boolean => line.trimStart().startsWith('|');

const KNOWN = [
  /^(plan|design|tasks)\.md$/,
  /^task-[A-Za-z0-9_-]+\.md$/,
  /^(plan|design|tasks|all-code)-(post-)?review-\d+\.md$/,
];

const isKnownName = (file: string): boolean => KNOWN.some((pattern) => pattern.test(file));

const isTaskFile = (file: string): boolean =>
  /^task-[A-Za-z0-9_-]+\.md$/.test(file) && !/-review-\d+\.md$/.test(file);

/** A review needs what it reviews, a post-review the review it answers. */
function requirement(file: string, present: ReadonlySet<string>): string[] {
  const answered = /^(plan|design|tasks|all-code|task-[A-Za-z0-9_-]+)-post-review-(\d+)\.md$/.exec(file);
  const reviewed = /^(plan|design|tasks)-review-\d+\.md$/.exec(file);
  const needed = answered ? `${answered[1]}-review-${answered[2]}.md` : reviewed ? `${reviewed[1]}.md` : null;
  return needed === null || present.has(needed) ? [] : [`${file} requires ${needed}`];
}

/** Read it is without its closing pipe, too; sound it is only with one. */
const isWholeRow = (line: string): boolean => /^\|.*\|$/.test(line.trim());

function tableViolations(tasks: string): string[] {
  const lines = tasks
    .replace(/^\uFEFF/, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [
    ...(lines.every(isWholeRow) ? [] : ['tasks.md contains non-table content']),
    ...(lines.some(isTableLine) ? [] : ['tasks.md has no table rows']),
  ];
}
