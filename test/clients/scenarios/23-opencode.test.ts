// Group 23: opencode, with Holdfast as `holdfast install` puts it there.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudexScenario, idleScenarios, sessionScenarios } from '../basics.ts';
import { configFile, drivenOpencode, enterOpencode, opencodeRun } from '../clients/opencode.ts';
import { drivenScenarios } from '../driven-plays.ts';
import { startLoop, TASK } from '../loop.ts';
import { reviewedByScenario } from '../reviewed-by.ts';
import { answers, journal, runCli, type Stage, saw, say, stageFor } from '../scenario.ts';

async function open(name?: string): Promise<Stage> {
  const stage = await stageFor(name);
  await enterOpencode(stage, true);
  return stage;
}

const pluginOf = (stage: Stage): string =>
  path.join(path.dirname(configFile(stage)), 'plugins', 'holdfast.js');

describe('23. opencode', () => {
  const played = { host: opencodeRun, open };
  const { mode } = opencodeRun;
  idleScenarios(played);
  sessionScenarios(played);
  claudexScenario(played);
  drivenScenarios({ driven: drivenOpencode, mode, open, edits: true });
  reviewedByScenario(played, {
    title: 'opencode',
    models: ['opencode/', 'opencode/scripted/m2'],
    asked: ['m1', 'm2'],
  });

  it(`installed and taken out again (${mode})`, async (context) => {
    const stage = await stageFor();
    await enterOpencode(stage, false);
    const before = fs.readFileSync(configFile(stage), 'utf8');
    expect(runCli(stage, 'install', '--client', 'opencode', '--dry-run')).toMatch(/would be written/);
    expect(runCli(stage, 'install', '--client', 'opencode')).toMatch(/installed holdfast, .*idle/);
    expect(runCli(stage, 'install', '--client', 'opencode')).toMatch(/installed already/);
    expect(runCli(stage, 'uninstall', '--client', 'opencode')).toMatch(/removed holdfast/);
    expect(fs.readFileSync(configFile(stage), 'utf8')).toBe(before);
    expect(fs.existsSync(path.dirname(pluginOf(stage)))).toBe(false);
    saw(
      context,
      mode,
      '`holdfast install` twice is once; after `uninstall` its file is gone, and the settings are as they were',
    );
  });

  it(`its files are gone: nobody is trapped (${mode})`, async (context) => {
    const stage = await open();
    const text = fs.readFileSync(pluginOf(stage), 'utf8');
    const folder = path.resolve(opencodeRun.cli(stage).slice(1, -1), '..', '..', '..');
    fs.writeFileSync(pluginOf(stage), text.replaceAll(folder, '/nonexistent'));
    stage.agent(startLoop(opencodeRun.cli(stage)), say('One.'), say('Not asked for.'));
    const { result } = await opencodeRun.play(stage, TASK);
    expect(result).toBe('One.');
    expect(answers(stage.root)).toEqual([]);
    expect(journal(stage.root)).toEqual([]);
    saw(
      context,
      mode,
      'the folder it was installed from is gone: the client works as if there were no plugin',
    );
  });
});
