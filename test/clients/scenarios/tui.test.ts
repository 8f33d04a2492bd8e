import { describe, expect, it } from 'vitest';
import { run, say, stageFor } from '../scenario.ts';
import { claudeTerminal, codexTerminal } from '../clients/terminal.ts';

describe('tui', () => {
  it('claude', async () => {
    const stage = await stageFor();
    stage.agent(run('ls -a'), say('There is nothing here.'));
    const t = claudeTerminal(stage);
    await new Promise((r) => setTimeout(r, 4000));
    console.log(t.screen());
    await t.enter('What is in this folder?');
    await new Promise((r) => setTimeout(r, 3000));
    console.log(t.screen());
  });
  it('codex', async () => {
    const stage = await stageFor();
    stage.agent(run('ls -a'), say('There is nothing here.'));
    const t = codexTerminal(stage);
    await new Promise((r) => setTimeout(r, 4000));
    console.log(t.screen());
    await t.enter('What is in this folder?');
    await new Promise((r) => setTimeout(r, 3000));
    console.log(t.screen());
  });
});
