// Holds CONFORMANCE.md to the requirements, and shows that each check can fail.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { registry } from '../../src/workflows/registry.ts';
import {
  checkRun,
  checkTable,
  hasTest,
  listRequirements,
  listSettled,
  parseTable,
  readReport,
  scanTitles,
} from './conformance.ts';
import requirementsJson from './requirements.json' with { type: 'json' };
import settledJson from './settled.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));
const requirements = listRequirements(requirementsJson);
const settled = listSettled(settledJson);
const document = readFileSync(join(root, 'CONFORMANCE.md'), 'utf8');

describe('CONFORMANCE.md', () => {
  it('has a true row for every requirement of every registered workflow', () => {
    const problems = checkTable({
      table: parseTable(document, Object.keys(requirementsJson)),
      requirements,
      settled: settled.map(({ key }) => key),
      registered: registry.map(({ name }) => name),
      readTest: (file) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : null),
    });
    expect(problems).toEqual([]);
  });

  it('lists every settled deviation with its reason', () => {
    const listed = document.split('\n').filter((line) => /^\| `\w+\/[\w-]+` \|/.test(line));
    expect(listed).toEqual(settled.map(({ key, reason }) => `| \`${key}\` | ${reason} |`));
  });
});

describe('the requirements', () => {
  it('have ids of their own and texts that fit a table cell', () => {
    const ids = requirements.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    // JSON.parse lets a repeated key win silently, so the lines are counted too.
    const json = readFileSync(join(root, 'test/conformance/requirements.json'), 'utf8');
    expect(json.match(/^ +"[^"]+": "/gm)).toHaveLength(ids.length);
    expect(requirements.filter(({ text }) => text.trim() !== text || /^$|[|\n]/.test(text))).toEqual([]);
  });

  // The sources' own counts: a requirement cannot drop out of the list unseen.
  it.each([
    ['claudex state machine: numbered items', /^C2\.\d+$/, 3],
    ['claudex lifecycle: numbered items', /^C3\.\d+$/, 12],
    ['claudex smoke test: assertions', /^C3\.12\.[a-z]$/, 8],
    ['idle: states', /^I-state-[a-z]+$/, 5],
    ['idle: transitions', /^I-transition-\d$/, 8],
    ['idle: invariants', /^I-invariant-\d$/, 4],
    ['idle: edge cases', /^I-edge-\d$/, 5],
    ['idle: exit codes', /^I-exit-\d$/, 2],
    ['idle: notes', /^I-note-\d$/, 6],
    ['taskie suite 1', /^T1\.\d+$/, 17],
    ['taskie suite 2', /^T2\.\d+$/, 15],
    ['taskie suite 3', /^T3\.\d+$/, 16],
    ['taskie suite 4', /^T4\.\d+$/, 14],
    ['taskie suite 5', /^T5\.\d+$/, 6],
    ['taskie suite 6', /^T6\.\d+$/, 12],
    ['taskie: criteria of subtask 3.1', /^T-accept-3\.1\.\d+$/, 5],
    ['taskie: criteria of subtask 3.2', /^T-accept-3\.2\.\d+$/, 12],
    ['taskie: criteria of subtask 3.3', /^T-accept-3\.3\.\d+$/, 6],
    ['taskie: criteria of subtask 3.4', /^T-accept-3\.4\.\d+$/, 9],
    ['taskie: criteria of subtask 3.5', /^T-accept-3\.5\.\d+$/, 8],
    ['taskie: risks', /^T-risk-\d$/, 9],
    ['taskie: changed actions', /^T-action-\d+$/, 12],
    ['taskie: ground rules', /^T-ground-\d$/, 4],
  ])('are complete in %s', (_part, pattern, count) => {
    expect(requirements.filter(({ id }) => pattern.test(id))).toHaveLength(count);
  });
});

describe('the table check', () => {
  const good = row('X1', 'one', 'a.test.ts › suite › first', 'kept');

  it('accepts a complete, true table', () => {
    const tests = '`a.test.ts › second`<br>a.test.ts › third 3';
    expect(problemsOf([good])).toEqual([]);
    expect(problemsOf([row('X1', 'one', tests, 'changed: x/why: because')])).toEqual([]);
  });

  it.each([
    ['a missing row', [], 'x: no row for X1'],
    ['a row twice', [good, good], 'X1 has a row already'],
    ['an unknown id', [good, good.replace('X1', 'X9')], "X9 is not in x's requirements"],
    ['another wording', [good.replace('one', 'uno')], 'X1 is worded otherwise in the requirements: one'],
    [
      'a test file that does not exist',
      [good.replace('a.test', 'b.test')],
      'X1 names b.test.ts, which does not',
    ],
    [
      'a title that is not in the file',
      [good.replace('first', 'last')],
      'no test "suite › last" in a.test.ts',
    ],
    ['a title without its suite', [good.replace('suite › ', '')], 'no test "first" in a.test.ts'],
    [
      'a deviation nobody settled',
      [good.replace('kept', 'changed: x/whim: so')],
      'x/whim, which is not settled',
    ],
    ["another workflow's deviation", [good.replace('kept', 'changed: y/why: so')], 'not settled for x'],
    ['a deviation without a reason', [good.replace('kept', 'changed: x/why')], 'the last cell is "kept" or'],
    ['a last cell in other words', [good.replace('kept', 'mostly kept')], 'the last cell is "kept" or'],
    ['a row of three cells', ['| X1 | one | kept |'], 'a row is | id | requirement |'],
    ['an empty cell', [good.replace('one', '')], 'no cell is empty'],
    ['a test without a title', [good.replace(' › suite › first', '')], 'a test is written path/to/file'],
  ])('reports %s', (_what, rows, problem) => {
    expect(problemsOf(rows).join('\n')).toContain(problem);
  });

  it('names the line', () => {
    expect(problemsOf([good, good])).toContain('line 6: X1 has a row already');
  });

  it('asks nothing of a workflow that is not registered, and still checks its rows', () => {
    expect(problemsOf([], [])).toEqual([]);
    expect(problemsOf([good, good], [])).toEqual(['line 6: X1 has a row already']);
  });

  it('leaves the tables of other sections alone and reads an escaped bar', () => {
    const table = parseTable('## other\n| a | b |\n## x\n| X1 | one | a.test.ts › a \\| b | kept |', ['x']);
    expect(table.problems).toEqual([]);
    expect(table.rows.map(({ tests }) => tests)).toEqual([[{ file: 'a.test.ts', title: 'a | b' }]]);
  });

  const source = `describe('suite', () => {\n  it('first', run);\n});\nit('second', run);\nit('third %i', run);`;

  function problemsOf(rows: readonly string[], registered = ['x']): string[] {
    const head = ['## x', '', '| id | requirement | test | kept or changed |', '| --- | --- | --- | --- |'];
    return checkTable({
      table: parseTable([...head, ...rows].join('\n'), ['x', 'y']),
      requirements: [{ id: 'X1', workflow: 'x', source: 'x document', text: 'one' }],
      settled: ['x/why', 'y/why'],
      registered,
      readTest: (file) => (file === 'a.test.ts' ? source : null),
    });
  }

  function row(...cells: string[]): string {
    return `| ${cells.join(' | ')} |`;
  }
});

describe('the title scan', () => {
  it('nests titles by indentation and leaves comments alone', () => {
    const source = [
      "describe('outer', () => {",
      "  describe('inner', () => {",
      "    it('deep', () => {});",
      '  });',
      "  // it('gone', () => {});",
      `  for (const one of all) it(\`of $\{one}\`, () => {});`,
      "  expect(/a/.test('not a title')).toBe(true);",
      '});',
      'test("it\\"s", () => {});',
    ].join('\n');
    expect(scanTitles(source)).toEqual(['outer › inner › deep', `outer › of $\{one}`, 'it"s']);
  });

  it('finds the title behind the cases of each', () => {
    const source = [
      "it.each([['a (', 1], // (",
      "])('takes %s', run);",
      "test.for<{ a: string }>([{ a: ')' }])(",
      "  'likes $a',",
      ');',
      `describe.each\`a\n$\{1}\`("under $a", () => {`,
      "  it.concurrent('works', run);",
      '});',
    ].join('\n');
    expect(scanTitles(source)).toEqual(['takes %s', 'likes $a', 'under $a › works']);
  });

  it.each([
    ['the template itself', 'takes %s apart', 'takes %s apart', true],
    ['a title made from it', 'takes %s apart', 'takes a clock apart', true],
    ['another title', 'takes %s apart', 'takes a clock along', false],
    ['regular expression signs', 'takes (a+) %s', 'takes aa 1', false],
    ['words of a case, for placeholders alone', '$id $name', '1.2 broken input', true],
    ['words of no case, for placeholders alone', '$id $name', '1.3 unheard of', false],
  ])('matches %s', (_what, template, title, found) => {
    expect(hasTest(`it.each([['1.2', 'broken input']])('${template}', run);`, title)).toBe(found);
  });
});

describe('the run check', () => {
  const { rows } = parseTable('## x\n| X1 | one | a.test.ts › suite › takes %s | kept |', ['x']);

  it('accepts a named test that passed', () => {
    expect(checkRun(rows, [ran('takes one', 'passed'), ran('takes two', 'passed')])).toEqual([]);
  });

  it('reports a named test that did not run', () => {
    const missing = ['line 2: X1: did not run: a.test.ts › suite › takes %s'];
    expect(checkRun(rows, [ran('leaves one', 'passed')])).toEqual(missing);
    expect(checkRun(rows, [{ ...ran('takes one', 'passed'), file: 'b.test.ts' }])).toEqual(missing);
  });

  it.each(['failed', 'skipped', 'pending', 'todo'])('reports a test that is %s, named or not', (status) => {
    const other = ran('other', status);
    expect(checkRun(rows, [ran('takes one', 'passed'), other])).toEqual([
      `${status}: a.test.ts › suite › other`,
    ]);
  });

  it('reports a run without tests', () => {
    expect(checkRun([], [])).toEqual(['the reports hold no test']);
  });

  it('reads a file that could not be loaded and suites left to do', () => {
    const broken = { name: '/repo/a.test.ts', status: 'failed', assertionResults: [] };
    expect(readReport(JSON.stringify({ testResults: [broken], numPendingTestSuites: 1 }), '/repo')).toEqual([
      { file: 'a.test.ts', title: 'the file itself', status: 'failed' },
      { file: 'somewhere', title: 'suites: 1', status: 'todo' },
    ]);
  });

  function ran(title: string, status: string) {
    return { file: 'a.test.ts', title: `suite › ${title}`, status };
  }
});

describe('check-conformance.mjs', () => {
  const folders: string[] = [];

  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  it('ends with 0 and one line when every named test passed', () => {
    const { status, stdout, stderr } = check('passed');
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: 'conformance: 1 rows, 1 tests in 1 reports, 0 problems\n',
      stderr: '',
    });
  });

  it('ends with 1 and says what was skipped', () => {
    const { status, stderr } = check('skipped');
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'skipped: a.test.ts › suite › first\n' });
  });

  it('ends with 1 on a file that is no report, and with 2 without one', () => {
    expect(runScript(repository('{}'), ['report.json'])).toMatchObject({
      status: 1,
      stderr: 'report.json: not a report of vitest --reporter=json\n',
    });
    expect(runScript(repository('{}'), []).status).toBe(2);
  });

  function check(status: string) {
    const test = { ancestorTitles: ['suite'], title: 'first', status };
    const folder = repository('');
    const file = { name: join(folder, 'a.test.ts'), status: 'passed', assertionResults: [test] };
    writeFileSync(join(folder, 'report.json'), JSON.stringify({ testResults: [file] }));
    return runScript(folder, ['report.json']);
  }

  function repository(report: string): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-conformance-')));
    folders.push(folder);
    writeFileSync(
      join(folder, 'CONFORMANCE.md'),
      '## idle\n| X1 | one | a.test.ts › suite › first | kept |\n',
    );
    writeFileSync(join(folder, 'report.json'), report);
    return folder;
  }

  function runScript(cwd: string, args: string[]) {
    const script = join(root, 'scripts/check-conformance.mjs');
    return spawnSync(process.execPath, [script, ...args], { cwd, encoding: 'utf8' });
  }
});
