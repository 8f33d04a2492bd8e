// How a run ended, and what its checks took: status, the report in all its forms and the model say the same.

import { expect, it } from 'vitest';
import { appendToJournal } from '../../src/store/journal.ts';
import type { JournalEntry } from '../../src/store/journal-lines.ts';
import { describeEnd } from '../../src/view/run-state.ts';
import { runCli } from '../support/hook.ts';
import { viewScene } from './scene.ts';

const fact = (name: string, end: string, from: string) => ({ name, end, code: 0, milliseconds: 5, from });
const claims = [
  {
    outcome: 'completed',
    proof: 'proven',
    checks: [fact('test', 'passed', 'run'), fact('lint', 'passed', 'receipt')],
  },
  { outcome: 'completed', proof: 'unproven', why: ['failed'], checks: [fact('test', 'failed', 'run')] },
  { outcome: 'completed', checks: [] },
  {
    outcome: 'released',
    proof: 'unproven',
    why: ['refused-too-often'],
    checks: [fact('test', 'failed', 'receipt')],
  },
  { outcome: 'released', checks: [] },
  { outcome: 'limit', checks: [] },
  { outcome: 'stuck', checks: [] },
  { outcome: 'cancelled', checks: [] },
];

it('every view says the same of the same run', async () => {
  const scene = viewScene();
  await scene.done(['idle', 'loop', 'one that goes on']);
  claims.forEach(({ checks, ...end }, index) => {
    const time = new Date(Date.now() - (index + 1) * 60_000).toISOString();
    const line = { schema: 2, time, session: 's1', workflow: 'idle', run: `loop-${index}` };
    const nothing = { turn: null, state: null, guard: null, step: null, notice: false, error: null };
    const stop = {
      ...line,
      ...nothing,
      event: 'stop',
      client: 'claude-code',
      answer: 'allow',
      milliseconds: 1,
    };
    const lines = [
      { ...line, event: 'start', task: `task ${index}` },
      { ...stop, facts: { proof: { checks } } },
      { ...line, event: 'end', ...end },
    ];
    appendToJournal(scene.root, ...(lines as unknown as JournalEntry[]));
  });
  const all = (await scene.view()).model().projects[0]?.runs ?? [];
  const runs = all.filter(({ end }) => end !== null);
  expect(runs).toHaveLength(claims.length);
  const { stdout: status } = await runCli(scene.root, ['status', '--all']);
  for (const run of runs) {
    const words = run.end === null ? '' : describeEnd(run.end);
    expect(status).toMatch(
      new RegExp(`${run.name} {2}${words.replace(/[()]/g, '\\$&')} .*\\n {2}${run.asked}\\n`),
    );
    const report = async (...form: string[]) =>
      (await runCli(scene.root, ['report', run.name, ...form])).stdout;
    const [markdown, html, json] = [
      await report(),
      await report('--html'),
      JSON.parse(await report('--json')),
    ];
    for (const text of [markdown.replaceAll('\\', ''), html]) {
      expect(text.toLowerCase()).toContain(`${words}.`);
      expect(text.includes('1 check run')).toBe(run.counts.checks === 1);
      expect(text.includes('1 receipt used')).toBe(run.counts.receipts === 1);
    }
    expect(json.run).toMatchObject({ end: run.end, counts: run.counts, asked: run.asked });
  }
  expect(runs.map(({ end }) => end && describeEnd(end)).join('\n')).toMatchFileSnapshot('snapshots/ends.txt');
});
