// Holds the requirements and their deviations together, and shows that each check of a run can fail.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { registry } from '../../src/workflows/registry.ts';
import {
  checkDeviations,
  checkRun,
  listDeviations,
  listRequirements,
  type Ran,
  readReport,
  renderTable,
} from './conformance.ts';
import requirementsJson from './requirements.json' with { type: 'json' };
import settledJson from './settled.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));
const requirements = listRequirements(requirementsJson);

describe('the requirements', () => {
  // It was specified by its contract alone (docs/contracts/flows.md), which its own tests follow.
  const withoutSpecification = ['flow'];

  it('are those of every registered workflow that has a specification', () => {
    const names = registry.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(withoutSpecification));
    const specified = names.filter((name) => !withoutSpecification.includes(name));
    expect(Object.keys(requirementsJson).sort()).toEqual(specified.sort());
  });

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

const one = { id: 'X1', workflow: 'x', source: 'x document', text: 'one' };
const two = { id: 'X2', workflow: 'x', source: 'x document', text: 'a | b' };

describe('the settled deviations', () => {
  it('change requirements that there are, each once and with its reason', () => {
    expect(checkDeviations(requirements, listDeviations(settledJson))).toEqual([]);
  });

  it.each([
    ['an unknown id', { 'x/why': { X9: 'so' } }, 'x/why changes X9, which is no requirement'],
    ["another workflow's requirement", { 'y/why': { X1: 'so' } }, "y/why changes X1, which is x's"],
    ['a change twice', { 'x/why': { X1: 'so' }, 'x/how': { X1: 'so' } }, 'x/how changes X1, as x/why does'],
    ['a change without a reason', { 'x/why': { X1: ' ' } }, 'x/why changes X1 without a reason'],
  ])('are checked for %s', (_what, changes, problem) => {
    const deviations = Object.entries(changes).map(([key, reasons]) => ({
      key,
      text: 'so',
      requirements: reasons,
    }));
    expect(checkDeviations([one], deviations)).toEqual([problem]);
  });
});

describe('the run check', () => {
  it('accepts a run with a passed test for each requirement', () => {
    expect(checkRun([one, two], [ran('first', 'passed', 'X1'), ran('second', 'passed', 'X2')])).toEqual([]);
    expect(checkRun([one, two], [ran('both', 'passed', 'X1', 'X2'), ran('other', 'passed')])).toEqual([]);
  });

  it('reports a requirement that no test proves', () => {
    const problem = 'X2: no test with this tag passed: a | b';
    expect(checkRun([one, two], [ran('first', 'passed', 'X1')])).toEqual([problem]);
    const left = [ran('first', 'passed', 'X1'), ran('second', 'skipped', 'X2')];
    expect(checkRun([one, two], left)).toEqual(['skipped: a.test.ts › suite › second', problem]);
  });

  it.each(['failed', 'skipped', 'pending', 'todo'])('reports a test that is %s, tagged or not', (status) => {
    const proof = ran('first', 'passed', 'X1');
    for (const other of [ran('other', status), ran('other', status, 'X1')])
      expect(checkRun([one], [proof, other])).toEqual([`${status}: a.test.ts › suite › other`]);
  });

  it('reports a run without tests', () => {
    expect(checkRun([], [])).toEqual(['the reports hold no test']);
  });

  it('reads a file that could not be loaded and suites left to do', () => {
    const broken = { name: '/repo/a.test.ts', status: 'failed', assertionResults: [] };
    const read = readReport(JSON.stringify({ testResults: [broken], numPendingTestSuites: 1 }), '/repo');
    expect(read).toMatchObject([
      { file: 'a.test.ts', title: 'the file itself', status: 'failed' },
      { file: 'somewhere', title: 'suites: 1', status: 'todo' },
    ]);
  });
});

describe('the table', () => {
  it('has each requirement with its tests, the cases of one counted, and what was changed', () => {
    const tests = [
      ran('<a>', 'passed', 'X1', 'X2'),
      ran('<b>', 'passed', 'X1', 'X2'),
      { ...ran('alone', 'passed', 'X1'), line: 9 },
    ];
    const deviation = { key: 'x/why', text: 'so', requirements: { X2: 'because' } };
    expect(renderTable([one, two], [deviation], tests)).toBe(
      [
        '# Requirements and their tests\n\n## x',
        '| id | requirement | tests | kept or changed |',
        '| --- | --- | --- | --- |',
        '| X1 | one | a.test.ts:7 › suite › &lt;a> (2 cases)<br>a.test.ts:9 › suite › alone | kept |',
        '| X2 | a \\| b | a.test.ts:7 › suite › &lt;a> (2 cases) | changed: x/why: because |\n',
      ].join('\n'),
    );
  });
});

describe('check-conformance.mjs', () => {
  const folders: string[] = [];
  const ids = requirements.map(({ id }) => id);

  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  it('ends with 0, one line and the table when every requirement is proven', () => {
    const folder = repository({ status: 'passed', tags: ids });
    expect(runScript(folder, ['report.json'])).toMatchObject({
      status: 0,
      stdout: `conformance: ${ids.length} requirements, 1 of 1 tests tagged, 0 problems; .test-build/conformance.md has the table\n`,
      stderr: '',
    });
    const table = readFileSync(join(folder, '.test-build/conformance.md'), 'utf8');
    expect(table.match(/ \| a\.test\.ts:7 › suite › first \| /g)).toHaveLength(ids.length);
    expect(table.match(/ \| changed: [a-z]+\/[\w-]+: .+ \|$/gm)?.length).toBeGreaterThan(50);
  });

  it('ends with 1 and says which requirement is not proven', () => {
    const folder = repository({ status: 'passed', tags: ids.slice(1) });
    const { status, stderr } = runScript(folder, ['report.json']);
    expect(status).toBe(1);
    expect(stderr).toBe(`${ids[0]}: no test with this tag passed: ${requirements[0]?.text}\n`);
  });

  it('ends with 1 on a file that is no report, and with 2 without one', () => {
    const folder = repository({ status: 'passed', tags: [] });
    writeFileSync(join(folder, 'other.json'), '{}');
    expect(runScript(folder, ['other.json'])).toMatchObject({
      status: 1,
      stderr: 'other.json: not a report of vitest --reporter=json\n',
    });
    expect(runScript(folder, []).status).toBe(2);
  });

  function repository(result: { status: string; tags: readonly string[] }): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-conformance-')));
    folders.push(folder);
    const test = { ancestorTitles: ['suite'], title: 'first', location: { line: 7 }, ...result };
    const file = { name: join(folder, 'a.test.ts'), status: 'passed', assertionResults: [test] };
    writeFileSync(join(folder, 'report.json'), JSON.stringify({ testResults: [file] }));
    return folder;
  }

  function runScript(cwd: string, args: string[]) {
    const script = join(root, 'scripts/check-conformance.mjs');
    return spawnSync(process.execPath, [script, ...args], { cwd, encoding: 'utf8' });
  }
});

function ran(title: string, status: string, ...tags: string[]): Ran {
  return { file: 'a.test.ts', line: 7, title: `suite › ${title}`, status, tags };
}
