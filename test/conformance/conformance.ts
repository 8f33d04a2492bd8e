// Reads CONFORMANCE.md and says what is wrong with it. Files, lists and reports come in as values.
// It imports nothing, so that scripts/check-conformance.mjs can load this very file in any Node.

export type Requirement = { id: string; workflow: string; source: string; text: string };
export type Ran = { file: string; title: string; status: string };
export type TestName = { file: string; title: string };
export type Row = {
  line: number;
  workflow: string;
  id: string;
  text: string;
  tests: readonly TestName[];
  /** The settled deviation's key; null when the requirement is kept. */
  deviation: string | null;
};
export type Table = { rows: readonly Row[]; problems: readonly string[] };

/** What `npm test` demands: complete for each registered workflow, and every row true. */
export function checkTable(input: {
  table: Table;
  requirements: readonly Requirement[];
  settled: readonly string[];
  registered: readonly string[];
  /** A test file's source by its path in the repository; null when there is none. */
  readTest: (file: string) => string | null;
}): string[] {
  const { table, requirements, settled, registered, readTest } = input;
  const missing = requirements
    .filter(({ workflow }) => registered.includes(workflow))
    .filter(({ id }) => !table.rows.some((row) => row.id === id))
    .map(({ id, workflow }) => `${workflow}: no row for ${id}`);
  return [...table.problems, ...missing, ...table.rows.flatMap(checkRow)];

  function checkRow(row: Row): string[] {
    const requirement = requirements.find(({ id, workflow }) => id === row.id && workflow === row.workflow);
    const problems: string[] = [];
    if (requirement === undefined) problems.push(`${row.id} is not in ${row.workflow}'s requirements`);
    if (requirement !== undefined && requirement.text !== row.text)
      problems.push(`${row.id} is worded otherwise in the requirements: ${requirement.text}`);
    if (table.rows.find(({ id }) => id === row.id) !== row) problems.push(`${row.id} has a row already`);
    if (row.deviation !== null && !isSettled(row.deviation, row.workflow))
      problems.push(`${row.id} deviates by ${row.deviation}, which is not settled for ${row.workflow}`);
    for (const { file, title } of row.tests) {
      const source = readTest(file);
      if (source === null) problems.push(`${row.id} names ${file}, which does not exist`);
      else if (!hasTest(source, title)) problems.push(`${row.id}: no test "${title}" in ${file}`);
    }
    return problems.map((problem) => `line ${row.line}: ${problem}`);
  }

  function isSettled(key: string, workflow: string): boolean {
    return key.startsWith(`${workflow}/`) && settled.includes(key);
  }
}

/** What `.ci/run` demands: every named test ran, and every test that there is passed. */
export function checkRun(rows: readonly Row[], ran: readonly Ran[]): string[] {
  const notPassed = ran
    .filter(({ status }) => status !== 'passed')
    .map(({ file, title, status }) => `${status}: ${file}${separator}${title}`);
  const unseen = rows.flatMap(({ line, id, tests }) =>
    tests
      .filter((test) => !ran.some((one) => one.file === test.file && covers(test.title, one.title)))
      .map(({ file, title }) => `line ${line}: ${id}: did not run: ${file}${separator}${title}`),
  );
  return ran.length === 0 ? ['the reports hold no test', ...unseen] : [...notPassed, ...unseen];
}

const separator = ' › ';
const columns = ['id', 'requirement', 'test', 'kept or changed'];

/** The rows under each `## <workflow>` heading. Other sections may hold tables of their own. */
export function parseTable(markdown: string, workflows: readonly string[]): Table {
  const rows: Row[] = [];
  const problems: string[] = [];
  let workflow: string | undefined;
  for (const [index, text] of markdown.split('\n').entries()) {
    const heading = /^##\s+(.+?)\s*$/.exec(text)?.[1];
    if (heading !== undefined) workflow = workflows.find((name) => name === heading);
    if (workflow === undefined || !text.trimStart().startsWith('|')) continue;
    const cells = splitCells(text);
    if (isHead(cells)) continue;
    const row = readRow(cells, workflow, index + 1);
    if (typeof row === 'string') problems.push(`line ${index + 1}: ${row}`);
    else rows.push(row);
  }
  return { rows, problems };
}

function splitCells(line: string): string[] {
  const cells = line.trim().split(/(?<!\\)\|/);
  return cells.slice(1, -1).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function isHead(cells: readonly string[]): boolean {
  return cells.join('|') === columns.join('|') || cells.every((cell) => /^:?-+:?$/.test(cell));
}

function readRow(cells: readonly string[], workflow: string, line: number): Row | string {
  const [id, text, testCell, outcome] = cells;
  if (cells.length !== columns.length || !id || !text || !testCell || !outcome)
    return `a row is | ${columns.join(' | ')} |, and no cell is empty`;
  const tests = testCell.split('<br>').map(readTestName);
  if (tests.some(({ file, title }) => file === '' || title === ''))
    return `${id}: a test is written path/to/file.test.ts${separator}full title`;
  const deviation = /^changed: ([a-z]+\/[a-z0-9-]+): \S/.exec(outcome)?.[1] ?? null;
  if (outcome !== 'kept' && deviation === null)
    return `${id}: the last cell is "kept" or "changed: <settled key>: reason"`;
  return { line, workflow, id, text, tests, deviation };
}

/** Backticks around the whole name keep a title with `<tags>` readable; they are no part of it. */
function readTestName(cell: string): TestName {
  const name = cell.trim().replace(/^`(.*)`$/, '$1');
  const [file = '', ...titles] = name.split(separator);
  return { file: file.trim(), title: titles.join(separator).trim() };
}

/**
 * Is there a test with this full title? A static scan: it knows calls of describe, it and test whose title is
 * a literal, nests them by indentation (biome formats every file) and takes placeholders for any text. Whether
 * such a case really runs is seen in the run's report.
 */
export function hasTest(source: string, title: string): boolean {
  return scanTitles(source).some((template) => {
    if (template === title) return true;
    if (!covers(template, title)) return false;
    if (/[a-z]{3}/i.test(ownTitle(template).replace(placeholder, ''))) return true;
    // A title of placeholders alone fits everything: then its words must at least stand in the file.
    return ownTitle(title)
      .split(/\s+/)
      .every((word) => source.includes(word));
  });
}

function ownTitle(title: string): string {
  return title.split(separator).at(-1) ?? '';
}

export function scanTitles(source: string): string[] {
  const titles: string[] = [];
  let open: { indent: number; title: string }[] = [];
  for (const call of source.matchAll(/^([ \t]*)(?![ \t/*])(?:.*?[^\w.$'"`])??(describe|it|test)(?=[.(])/gm)) {
    const title = readTitle(source, call.index + call[0].length);
    if (title === null) continue;
    const indent = call[1]?.length ?? 0;
    open = open.filter((suite) => suite.indent < indent);
    if (call[2] === 'describe') open.push({ indent, title });
    else titles.push([...open.map((suite) => suite.title), title].join(separator));
  }
  return titles;
}

/** Reads on after `it`: modifiers, the cases of each or for, then the title. */
function readTitle(source: string, start: number): string | null {
  const modifiers = /^(?:\.\w+)*/.exec(source.slice(start))?.[0] ?? '';
  let at = start + modifiers.length;
  if (/\.(each|for|skipIf|runIf)$/.test(modifiers)) {
    const cases = source[at] === '<' ? source.indexOf('>(', at) + 1 : at;
    at = endOfGroup(source, cases);
  }
  const literal = /^\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/s.exec(source.slice(at));
  return literal?.[2]?.replace(/\\(.)/g, '$1') ?? null;
}

/** The end of a bracketed group or a tagged template, brackets in strings and comments left out. */
function endOfGroup(source: string, start: number): number {
  const token = /(['"`])(?:\\.|(?!\1)[^\\])*\1|\/\/.*|\/\*[\s\S]*?\*\/|[([{]|[)\]}]/g;
  token.lastIndex = start;
  let depth = 0;
  for (let found = token.exec(source); found !== null; found = token.exec(source)) {
    if (/^[([{]/.test(found[0])) depth += 1;
    if (/^[)\]}]/.test(found[0])) depth -= 1;
    if (depth === 0) return token.lastIndex;
  }
  return source.length;
}

/** `%s` and `$name` of each, `${…}` of a template literal. */
const placeholder = /%[sdifjoOc#$%]|\$\{[^}]*\}|\$[A-Za-z_#][\w.]*/g;

/** A title as written covers itself and, where it has placeholders, each title made from it. */
function covers(template: string, title: string): boolean {
  if (template === title) return true;
  const literals = template.split(placeholder).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return literals.length > 1 && new RegExp(`^${literals.join('.*')}$`, 's').test(title);
}

/** The tests in a report of vitest's JSON reporter. What failed or waits outside any test gets a line of its own. */
export function readReport(json: string, root: string): Ran[] {
  const { testResults, numPendingTestSuites = 0 }: Report = JSON.parse(json);
  if (testResults === undefined) throw new Error('not a report of vitest --reporter=json');
  const tests = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name;
    const ran = assertionResults.map((test) => ({
      file,
      title: [...test.ancestorTitles, test.title].join(separator),
      status: test.status,
    }));
    const failedOutside = status !== 'passed' && !ran.some((test) => test.status === 'failed');
    return failedOutside ? [...ran, { file, title: 'the file itself', status }] : ran;
  });
  if (numPendingTestSuites === 0) return tests;
  return [...tests, { file: 'somewhere', title: `suites: ${numPendingTestSuites}`, status: 'todo' }];
}

type Report = {
  testResults?: readonly {
    name: string;
    status: string;
    assertionResults: readonly { ancestorTitles: readonly string[]; title: string; status: string }[];
  }[];
  numPendingTestSuites?: number;
};

/** requirements.json is workflow → source → id → text: one line per requirement. */
export function listRequirements(
  json: Record<string, Record<string, Record<string, string>>>,
): Requirement[] {
  return Object.entries(json).flatMap(([workflow, sources]) =>
    Object.entries(sources).flatMap(([source, texts]) =>
      Object.entries(texts).map(([id, text]) => ({ id, workflow, source, text })),
    ),
  );
}

/** settled.json is workflow → name → reason; a key is workflow/name. */
export function listSettled(json: Record<string, Record<string, string>>): { key: string; reason: string }[] {
  return Object.entries(json).flatMap(([workflow, reasons]) =>
    Object.entries(reasons).map(([name, reason]) => ({ key: `${workflow}/${name}`, reason })),
  );
}
