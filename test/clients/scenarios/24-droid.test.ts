// Group 24: Droid, with Holdfast as `holdfast install` puts it there.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudexScenario, idleScenarios, sessionScenarios, taskieScenario } from '../basics.ts';
import { drivenDroid, droidExec, enterDroid, settingsFile } from '../clients/droid.ts';
import { drivenScenarios } from '../driven-plays.ts';
import { startLoop, TASK } from '../loop.ts';
import { answers, run, runCli, type Stage, saw, say, stageFor } from '../scenario.ts';

async function open(name?: string): Promise<Stage> {
  const stage = await stageFor(name);
  await enterDroid(stage, true);
  return stage;
}

describe('24. Droid', () => {
  const played = { host: droidExec, open };
  const { mode } = droidExec;
  idleScenarios(played);
  sessionScenarios(played);
  claudexScenario(played);
  taskieScenario(played);
  drivenScenarios({ driven: drivenDroid, mode, open, edits: false });

  it(`an API error is let go, though the client would try again for ever (${mode})`, async (context) => {
    const stage = await open();
    const broken = { fails: { status: 400, type: 'invalid_request_error', message: 'a scripted failure' } };
    stage.agent(startLoop(droidExec.cli(stage)), say('One.'), ...Array.from({ length: 12 }, () => broken));
    await droidExec.play(stage, TASK);
    expect(answers(stage.root)).toEqual(['hold']);
    expect(stage.cast.left('agent')).toBeGreaterThan(6);
    saw(context, mode, 'it fires its hook after an error too; that stop was let go and not counted');
  });

  it(`installed and taken out again (${mode})`, async (context) => {
    const stage = await stageFor();
    await enterDroid(stage, false);
    const before = fs.readFileSync(settingsFile(stage), 'utf8');
    expect(runCli(stage, 'install', '--client', 'droid', '--dry-run')).toMatch(/would be changed by:/);
    expect(runCli(stage, 'install', '--client', 'droid')).toMatch(/installed holdfast, .*idle/);
    expect(runCli(stage, 'install', '--client', 'droid')).toMatch(/brought up to date holdfast/);
    expect(runCli(stage, 'uninstall', '--client', 'droid')).toMatch(/removed .*idle/);
    expect(fs.readFileSync(settingsFile(stage), 'utf8')).toBe(before);
    expect(fs.existsSync(path.join(stage.home, '.local', 'state', 'holdfast'))).toBe(false);
    stage.agent(run('ls'), say('Nothing to do.'), say('Not asked for.'));
    expect((await droidExec.play(stage, 'Look.')).result).toBe('Nothing to do.');
    saw(
      context,
      mode,
      'after `uninstall` its plugins are gone, and the settings are as they were, comments included',
    );
  });
});
