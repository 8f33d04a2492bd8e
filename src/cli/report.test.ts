import { afterEach, beforeEach, expect, it } from 'vitest';
import { callIn } from '../../test/support/call.ts';
import { runCli } from '../../test/support/hook.ts';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { type Call, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { report } from './report.ts';

let project: TempProject;

beforeEach(() => {
  project = tempProject();
});
afterEach(() => project.remove());

async function reported(flags: Call['flags'], ...words: string[]): Promise<string> {
  const { call, printed } = callIn(project.root, { flags, words });
  expect(await report.run(call)).toBe(0);
  expect(printed).toHaveLength(1);
  return printed[0] ?? '';
}

async function loop(task: string): Promise<string> {
  const { stdout, stderr } = await runCli(project.root, ['idle', 'loop', task], {
    env: { CLAUDE_CODE_SESSION_ID: 's1' },
  });
  const [run] = /idle:[\w-]+/.exec(stdout) ?? [];
  if (run === undefined) throw new Error(stderr);
  return run;
}

const nameIn = (json: string): string => JSON.parse(json).run.name;

it('a report is about the run that something happened to last, or the one that is named', async () => {
  project.write('.taskie/plans/p/plan.md', '# Plan\n');
  const run = await loop('a task');
  expect(nameIn(await reported({ json: true }))).toBe(run);
  expect(nameIn(await reported({ json: true }, 'p'))).toBe('taskie:p');
  expect(nameIn(await reported({ json: true }, run))).toBe(run);
  expect(nameIn(await reported({ json: true }, run.slice('idle:'.length)))).toBe(run);
  await runCli(project.root, ['cancel', run]);
  const before = Date.now();
  const data = JSON.parse(await reported({ json: true }));
  expect(data).toMatchObject({
    schema: 1,
    project: { name: 'project', root: project.root, readBackTo: null },
    run: { name: run, live: false },
  });
  expect(data.at).toBeGreaterThanOrEqual(before);
  expect(Object.keys(data.project)).toEqual(['id', 'name', 'root', 'readBackTo']);
});

it('a report has one form: markdown, HTML or JSON', async () => {
  const run = await loop('a task');
  const markdown = await reported({});
  expect(markdown).toMatch(/^#/);
  expect(await reported({ markdown: true })).toBe(markdown);
  expect(await reported({ html: true })).toMatch(/^<!doctype html>/i);
  expect(nameIn(await reported({ json: true }))).toBe(run);
  for (const flags of [
    { html: true, json: true },
    { markdown: true, json: true },
    { markdown: true, html: true },
  ])
    await expect(reported(flags)).rejects.toThrow(
      new WrongUsage('report: one of --html, --markdown and --json, not several.'),
    );
});

it('a report is refused where there is no such run, or several', async () => {
  await expect(reported({})).rejects.toThrow(
    new NotNow('there are no runs here, so there is nothing to report.'),
  );
  const run = await loop('a task');
  await expect(reported({}, 'nobody')).rejects.toThrow(
    new NotNow('there is no run "nobody" in this project. `holdfast status --all` lists them.'),
  );
  const id = run.slice('idle:'.length);
  project.write(`.taskie/plans/${id}/plan.md`, '# Plan\n');
  await expect(reported({}, id)).rejects.toThrow(NotNow);
  await expect(reported({}, id)).rejects.toThrow(
    new RegExp(
      `^"${id}" could be (idle:${id} or taskie:${id}|taskie:${id} or idle:${id}); name it in full\\.$`,
    ),
  );
  expect(nameIn(await reported({ json: true }, run))).toBe(run);
});
