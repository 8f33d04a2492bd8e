// `holdfast report` in its three forms.

import { describe, expect, it } from 'vitest';
import { viewScene } from './scene.ts';

const HOSTILE = '<script>alert(1)</script> ![x](http://evil) @someone **bold** "quoted" & more';

async function endedRun() {
  const scene = viewScene();
  await scene.done(['idle', 'loop', HOSTILE]);
  await scene.stop();
  await scene.stop('<loop-done>COMPLETE</loop-done>');
  return scene;
}

describe('a report', () => {
  it('is Markdown in which nothing of others is markup', async () => {
    const scene = await endedRun();
    const { stdout } = await scene.done(['report']);
    expect(stdout).toContain('**Done, nothing to prove it.**');
    expect(stdout).toContain('\\<script\\>');
    expect(stdout).not.toContain('![x]');
    expect(stdout).not.toContain('@someone');
    expect(stdout).toContain('2 stops, 1 held');
  });

  it('is one HTML file without script and without a request', async () => {
    const scene = await endedRun();
    const { stdout } = await scene.done(['report', '--html']);
    expect(stdout).toMatch(/^<!doctype html>/);
    expect(stdout).toContain("default-src 'none'");
    expect(stdout).not.toMatch(/<script|<img|<link|src=|href=|url\(/i);
    expect(stdout).toContain('&#60;script&#62;');
    expect(stdout).toContain('<circle class="held"');
  });

  it('is JSON with the whole run', async () => {
    const scene = await endedRun();
    const { run, schema } = JSON.parse((await scene.done(['report', '--json'])).stdout);
    expect(schema).toBe(1);
    expect(run).toMatchObject({ workflow: 'idle', end: { kind: 'done' }, counts: { stops: 2 } });
    const again = await scene.done(['report', '--json', run.run]);
    expect(JSON.parse(again.stdout).run.name).toBe(run.name);
  });

  it('says in one line what is wrong', async () => {
    const scene = viewScene();
    expect(await scene.cli(['report'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no runs here'),
    });
    await scene.done(['idle', 'loop', 'a task']);
    expect(await scene.cli(['report', 'nothing'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('there is no run "nothing"'),
    });
    expect(await scene.cli(['report', '--html', '--json'])).toMatchObject({ exitCode: 2 });
  });
});
