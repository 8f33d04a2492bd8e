import fs from 'node:fs';
import { describe, it } from 'vitest';
import { claudePrint, codexExec, converse, run, say, stageFor } from '../scenario.ts';
const log = (s: {home: string}) => { console.log(fs.existsSync(`${s.home}/hook.log`) ? fs.readFileSync(`${s.home}/hook.log`, 'utf8') : 'none'); };
describe('exp', () => {
  it('codex notice', async () => {
    const stage = await stageFor();
    fs.writeFileSync(`${stage.home}/answer`, '{"systemMessage":"NOTICE-TEXT"}');
    stage.agent(run('ls -a'), say('There is nothing here.'), say('resumed'), say('forked'));
    const p = await codexExec.play(stage, 'What is in this folder?');
    console.log(p.stdout, p.stderr);
    const q = await codexExec.play(stage, 'And now?', { resume: p.session });
    console.log(q.stdout, q.stderr);
    const r = await codexExec.play(stage, 'And now forked?', { args: [] , resume: p.session});
    console.log(r.session);
    log(stage);
  });
  it('claude clear, resume, fork', async () => {
    const stage = await stageFor();
    stage.agent(say('one'), say('two'), say('three'), say('four'), say('five'));
    const c = converse(stage);
    console.log(await c.say('first'), c.session());
    console.log(await c.say('/clear'), c.session());
    console.log(await c.say('after clear'), c.session());
    const p = await c.end();
    const q = await claudePrint.play(stage, 'again', { resume: p.session });
    console.log(q.session, q.result);
    const f = await claudePrint.play(stage, 'forked', { resume: p.session, args: ['--fork-session'] });
    console.log(f.session, f.result);
    log(stage);
  });
  it('claude interrupt', async () => {
    const stage = await stageFor();
    fs.writeFileSync(`${stage.home}/slow`, '');
    stage.agent(say('one'), say('two'), say('three'), say('four'), say('five'));
    const c = converse(stage);
    c.send('first');
    await new Promise((r) => setTimeout(r, 3000));
    c.interrupt();
    console.log(await c.turn());
    fs.rmSync(`${stage.home}/slow`);
    console.log(await c.say('more'));
    console.log((await c.end()).stdout.split('\n').map((l) => l.slice(0, 300)).join('\n'));
    log(stage);
  });
  it('codex compaction', async () => {
    const stage = await stageFor();
    stage.agent({ ...run('ls -a'), tokens: 250000 }, say('After compaction.'));
    const p = await codexExec.play(stage, 'What is in this folder?', { args: ['-c', 'model_auto_compact_token_limit=100000'] });
    console.log(p.stdout, stage.cast.heard.map((h) => h.last.slice(0, 300)), stage.models.responses.background);
    log(stage);
  });
});
