// Which tests prove which requirement, by the tags in vitest's reports. Lists and reports come in as values, and
// nothing is imported, so that scripts/check-conformance.mjs can load this very file in any Node.

export type Requirement = { id: string; workflow: string; source: string; text: string };
export type Deviation = { key: string; text: string; requirements: Readonly<Record<string, string>> };
export type Ran = { file: string; line: number; title: string; status: string; tags: readonly string[] };

/** Every requirement has a test that ran and passed, and no test anywhere failed or was left out. */
export function checkRun(requirements: readonly Requirement[], ran: readonly Ran[]): string[] {
  if (ran.length === 0) return ['the reports hold no test'];
  const notPassed = ran
    .filter(({ status }) => status !== 'passed')
    .map(({ file, title, status }) => `${status}: ${file}${separator}${title}`);
  const proven = new Set(ran.filter(({ status }) => status === 'passed').flatMap(({ tags }) => tags));
  const unproven = requirements
    .filter(({ id }) => !proven.has(id))
    .map(({ id, text }) => `${id}: no test with this tag passed: ${text}`);
  return [...notPassed, ...unproven];
}

/** A deviation changes requirements of its own workflow, and no requirement is changed twice. */
export function checkDeviations(
  requirements: readonly Requirement[],
  deviations: readonly Deviation[],
): string[] {
  const changed = new Map<string, string>();
  const problems: string[] = [];
  for (const { key, requirements: reasons } of deviations)
    for (const [id, reason] of Object.entries(reasons)) {
      const requirement = requirements.find((one) => one.id === id);
      if (requirement === undefined) problems.push(`${key} changes ${id}, which is no requirement`);
      else if (!key.startsWith(`${requirement.workflow}/`))
        problems.push(`${key} changes ${id}, which is ${requirement.workflow}'s`);
      if (changed.has(id)) problems.push(`${key} changes ${id}, as ${changed.get(id)} does`);
      if (reason.trim() === '') problems.push(`${key} changes ${id} without a reason`);
      changed.set(id, key);
    }
  return problems;
}

/** The table for people: each requirement with its tests, and whether it is kept as written. */
export function renderTable(
  requirements: readonly Requirement[],
  deviations: readonly Deviation[],
  ran: readonly Ran[],
): string {
  const workflows = [...new Set(requirements.map(({ workflow }) => workflow))];
  const sections = workflows.map((workflow) => {
    const rows = requirements.filter((one) => one.workflow === workflow).map(renderRow);
    return [`## ${workflow}`, row(['id', 'requirement', 'tests', 'kept or changed']), row(dashes), ...rows];
  });
  return ['# Requirements and their tests', ...sections.flatMap((lines) => ['', ...lines]), ''].join('\n');

  function renderRow({ id, text }: Requirement): string {
    const tests = namesOf(ran.filter(({ tags }) => tags.includes(id)));
    const deviation = deviations.find((one) => one.requirements[id] !== undefined);
    const outcome = deviation ? `changed: ${deviation.key}: ${deviation.requirements[id]}` : 'kept';
    return row([id, text, tests.join('<br>'), outcome]);
  }
}

const separator = ' › ';
const dashes = ['---', '---', '---', '---'];

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** The cases of one test stand on one line of its file: the first is named, the others are counted. */
function namesOf(tests: readonly Ran[]): string[] {
  const cases = new Map<string, Ran[]>();
  for (const test of tests) {
    const place = `${test.file}:${test.line}`;
    cases.set(place, [...(cases.get(place) ?? []), test]);
  }
  return [...cases].map(([place, [first, ...others]]) => {
    const title = first?.title.replaceAll('<', '&lt;').replaceAll('\n', ' ');
    return `${place}${separator}${title}${others.length === 0 ? '' : ` (${others.length + 1} cases)`}`;
  });
}

/** The tests in a report of vitest's JSON reporter. What failed or waits outside any test gets a line of its own. */
export function readReport(json: string, root: string): Ran[] {
  const { testResults, numPendingTestSuites = 0 }: Report = JSON.parse(json);
  if (testResults === undefined) throw new Error('not a report of vitest --reporter=json');
  const tests = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name;
    const ran = assertionResults.map(({ ancestorTitles, title, status, location, tags = [] }) => ({
      file,
      line: location?.line ?? 0,
      title: [...ancestorTitles, title].join(separator),
      status,
      tags,
    }));
    const failedOutside = status !== 'passed' && !ran.some((test) => test.status === 'failed');
    return failedOutside ? [...ran, outside(file, 'the file itself', status)] : ran;
  });
  if (numPendingTestSuites === 0) return tests;
  return [...tests, outside('somewhere', `suites: ${numPendingTestSuites}`, 'todo')];
}

function outside(file: string, title: string, status: string): Ran {
  return { file, line: 0, title, status, tags: [] };
}

type Report = {
  testResults?: readonly {
    name: string;
    status: string;
    assertionResults: readonly {
      ancestorTitles: readonly string[];
      title: string;
      status: string;
      location?: { line: number } | null;
      tags?: readonly string[];
    }[];
  }[];
  numPendingTestSuites?: number;
};

/** requirements.json is workflow → source → id → text: one line per requirement. */
export function listRequirements(
  json: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>,
): Requirement[] {
  return Object.entries(json).flatMap(([workflow, sources]) =>
    Object.entries(sources).flatMap(([source, texts]) =>
      Object.entries(texts).map(([id, text]) => ({ id, workflow, source, text })),
    ),
  );
}

/** settled.json is workflow → name → text, and the requirements it changes, each with the reason. */
export function listDeviations(
  json: Readonly<Record<string, Readonly<Record<string, Omit<Deviation, 'key'>>>>>,
): Deviation[] {
  return Object.entries(json).flatMap(([workflow, settled]) =>
    Object.entries(settled).map(([name, deviation]) => ({ key: `${workflow}/${name}`, ...deviation })),
  );
}
