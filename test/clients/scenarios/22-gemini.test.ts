// Group 22: Gemini CLI, with Holdfast as `holdfast install` puts it there.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudexScenario, idleScenarios, sessionScenarios } from '../basics.ts';
import { drivenGemini, enterGemini, geminiPrompt } from '../clients/gemini.ts';
import { drivenScenarios } from '../driven-plays.ts';
import { geminiStages } from '../gemini-stages.ts';
import { startLoop, TASK } from '../loop.ts';
import { reviewedByScenario } from '../reviewed-by.ts';
import { journal, runCli, type Stage, saw, say, stageFor } from '../scenario.ts';

const open = geminiStages();

const settingsFile = (stage: Stage): string => path.join(stage.home, '.gemini', 'settings.json');

describe('22. Gemini CLI', () => {
  const played = { host: geminiPrompt, open };
  const { mode } = geminiPrompt;
  idleScenarios(played);
  sessionScenarios(played);
  claudexScenario(played);
  drivenScenarios({ driven: drivenGemini, mode, open, edits: true });
  reviewedByScenario(played, {
    title: 'Gemini CLI',
    models: ['gemini/gemini-2.5-pro', 'gemini/gemini-2.5-flash'],
    asked: ['gemini-2.5-pro', 'gemini-2.5-flash'],
  });

  it(`installed and taken out again (${mode})`, async (context) => {
    const stage = await stageFor();
    await enterGemini(stage, null);
    const before = fs.readFileSync(settingsFile(stage), 'utf8');
    expect(runCli(stage, 'install', '--client', 'gemini', '--dry-run')).toMatch(/would be changed by:/);
    expect(runCli(stage, 'install', '--client', 'gemini', '--workflow', 'idle')).toMatch(/all of it loaded/);
    expect(runCli(stage, 'install', '--client', 'gemini', '--workflow', 'idle')).toMatch(/installed already/);
    expect(runCli(stage, 'uninstall', '--client', 'gemini')).toMatch(/removed holdfast, idle/);
    expect(fs.readFileSync(settingsFile(stage), 'utf8')).toBe(before);
    const left = fs.readdirSync(path.join(stage.home, '.gemini', 'extensions'));
    expect(left).toEqual(['extension-enablement.json']);
    expect(fs.existsSync(path.join(stage.home, '.gemini', 'trustedFolders.json'))).toBe(false);
    saw(
      context,
      mode,
      '`holdfast install` twice is once; after `uninstall` no extension is left, and the settings are as they were',
    );
  });

  it(`its files are gone: nobody is trapped (${mode})`, async (context) => {
    const stage = await open();
    const hook = path.join(stage.home, '.gemini', 'extensions', 'holdfast', 'hooks', 'stop');
    stage.agent(
      startLoop(geminiPrompt.cli(stage)),
      () => {
        fs.rmSync(hook);
        return say('One.');
      },
      say('Not asked for.'),
    );
    const { result, notices } = await geminiPrompt.play(stage, TASK);
    expect(result).toBe('One.');
    expect(notices).toContainEqual(expect.stringMatching(/its own files are gone/));
    expect(journal(stage.root)).toEqual([]);
    saw(context, mode, 'the hook removed under an open session: let go, with a line that says so');
  });
});
