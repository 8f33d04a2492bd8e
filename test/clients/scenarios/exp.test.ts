import fs from 'node:fs';
import { describe, it } from 'vitest';
import { codexExec, run, say, stageFor } from '../scenario.ts';
import { claudeTerminal, codexTerminal } from '../clients/terminal.ts';
import { run as runProgram } from '../clients/program.ts';
import { codexProgram } from '../clients/place.ts';
describe('exp', () => {
  it('codex notice', async () => {
    const stage = await stageFor();
    codexExec.cli(stage);
    fs.writeFileSync(`${stage.home}/answer`, '{"systemMessage":"NOTICE-TEXT"}');
    stage.agent(run('ls -a'), say('There is nothing here.'), say('resumed'), say('forked'));
    const p = await runProgram({ program: codexProgram, args: ['exec', '--dangerously-bypass-hook-trust', 'hi'], cwd: stage.root, env: stage.env });
    console.log(p.stdout, '-----', p.stderr);
  });
  it('codex tui', async () => {
    const stage = await stageFor();
    stage.agent(run('ls -a'), say('There is nothing here.'), say('resumed'), say('forked'));
    const t = codexTerminal(stage);
    await t.shows('Trust all');
    t.press('2');
    await t.shows('? for shortcuts', 8000).catch(() => console.log(t.screen()));
    fs.writeFileSync(`${stage.home}/answer`, '{"systemMessage":"NOTICE-TEXT"}');
    await t.enter('What is in this folder?');
    await new Promise((r) => setTimeout(r, 3000));
    console.log(t.screen());
  });
  it('claude tui', async () => {
    const stage = await stageFor();
    stage.agent(run('ls -a'), say('There is nothing here.'), say('resumed'), say('forked'));
    const t = claudeTerminal(stage);
    await t.shows('bypass permissions on');
    fs.writeFileSync(`${stage.home}/answer`, '{"systemMessage":"NOTICE-TEXT"}');
    await t.enter('What is in this folder?');
    await t.shows('nothing here');
    await new Promise((r) => setTimeout(r, 1500));
    console.log(t.screen());
  });
});
