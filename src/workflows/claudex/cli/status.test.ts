import fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { ID, putLoop, writeAt } from '../../../../test/fixtures/claudex/project.ts';
import { emptyFolder, NOW, projectIn } from '../../../../test/support/bare-project.ts';
import { called } from '../../../../test/support/call.ts';
import type { Project } from '../../../engine/project.ts';
import type { Call } from '../../../engine/workflow-cli.ts';
import { stateDirOf } from '../files.ts';
import { status } from './status.ts';

const OTHER = '20260131-092900-bbbbbb';
const THIRD = '20260131-092800-cccccc';

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root);
});
/** Loops on disk, each last changed so many minutes ago. */
const put = (id: string, minutes: number, fields: Record<string, string> = {}, topic = 'a cache') => {
  const { files } = putLoop(project, fields, { id, topic });
  fs.utimesSync(files.state, NOW / 1000 - minutes * 60, NOW / 1000 - minutes * 60);
  return files;
};
const show = (flags: Call['flags'] = {}) => called(status, project, { flags });
const idsIn = (said: readonly string[]) => said.flatMap((text) => /^id {10}(\S+)$/m.exec(text)?.[1] ?? []);
const more = (count: number): string => `${count} more; \`holdfast claudex status --all\` shows them too.`;

describe('claudex status', () => {
  it('is a command that reads only', () => {
    const { run: _, ...rest } = status;
    expect(rest).toEqual({
      name: 'status',
      summary: 'where the loop stands, round by round',
      usage: '[--all] [--json]',
      help: 'Shows the loop that goes on, or the last one; --all shows every one.',
      options: { all: { type: 'boolean' }, json: { type: 'boolean' } },
      ...{ writes: false, words: { least: 0, most: 0 } },
    });
  });

  it('says that there are no loops, with a project or without', async () => {
    const none = JSON.stringify({ loops: [], total: 0 }, null, 2);
    for (const place of [null, project]) {
      expect(await called(status, place)).toEqual(['0', 'no loops']);
      expect(await called(status, place, { flags: { json: true } })).toEqual(['0', none]);
    }
  });

  it('shows a loop line by line, and its rounds', async () => {
    const files = put(ID, 5, { phase: 'reviewing', round: '3', from_draft: 'true' });
    writeAt(files.findings(1), '## High\n- A (x)\n', NOW - 300_000);
    writeAt(files.exit(2), '127\n', NOW - 300_000);
    expect(await show()).toEqual([
      '0',
      [
        ...[`id          ${ID}`, 'mode        plan', 'phase       reviewing', 'round       3 of 3'],
        ...['topic       a cache', 'started     2026-01-31T09:30:00Z', 'elapsed     less than a minute'],
        ...[
          'signal      none',
          'interview   not used',
          'from_draft  true',
          'activity    last moved 5 min ago',
        ],
        'round 1 (Senior-engineer review): high=1 medium=0 low=0',
        'round 2 (Security and data-integrity review): not reviewed (exit code 127: codex was not found on PATH)',
        'round 3 (Ops and SRE review): not reviewed',
      ].join('\n'),
    ]);
  });

  it('names the reviewer that the user chose', async () => {
    const files = put(ID, 0, { phase: 'reviewing' });
    writeAt(files.exit(1), '127\n');
    const review = { ...project.config.review, claudex: 'qwen/' };
    const [, text] = await called(status, { ...project, config: { ...project.config, review } });
    expect(text).toMatch(/: not reviewed \(exit code 127: qwen was not found on PATH\)$/);
  });

  it.each([
    ['', '(the current diff)'],
    ['y'.repeat(200), 'y'.repeat(200)],
    ['y'.repeat(201), `${'y'.repeat(200)} …`],
  ])('shows of the topic %j at most 200 letters', async (topic, words) => {
    put(ID, 0, { interview_used: 'true' }, topic);
    expect((await show())[1]).toContain(`\ntopic       ${words}\n`);
    expect((await show())[1]).toContain('\ninterview   used\n');
  });

  it('shows those that go on, and counts the others', async () => {
    put(ID, 3, { phase: 'reviewing' });
    put(OTHER, 2, { phase: 'dreaming' });
    put(THIRD, 1, { phase: 'done' });
    const said = await show();
    expect([idsIn(said), said.at(-1)]).toEqual([[OTHER, ID], more(1)]);
    const all = await show({ all: true });
    expect([idsIn(all), all.length]).toEqual([[THIRD, OTHER, ID], 4]);
  });

  it('shows the last one where none goes on', async () => {
    put(ID, 3, { phase: 'done' });
    put(OTHER, 1, { phase: 'cancelled' });
    put(THIRD, 2, { phase: 'errored' });
    const said = await show();
    expect([idsIn(said), said.at(-1), said.length]).toEqual([[OTHER], more(2), 3]);
  });

  it('is the same as data', async () => {
    put(ID, 3, { phase: 'reviewing' });
    put(OTHER, 1, { phase: 'done' });
    const [code, text = '', ...rest] = await show({ json: true });
    expect([code, rest]).toEqual(['0', []]);
    expect(text).toMatch(/^\{\n {2}"loops": \[\n/);
    expect(JSON.parse(text)).toMatchObject({ loops: [{ id: ID, phase: 'reviewing' }], total: 2 });
  });

  it('says of a state that cannot be read how to get rid of it', async () => {
    const { state } = put(ID, 0);
    fs.rmSync(state);
    fs.mkdirSync(state);
    const trouble = `${state} is a folder where a file belongs; to fix it, run \`mv ${state} ${state}.aside\``;
    expect(await show()).toEqual([
      '0',
      `id          ${ID}\nits state cannot be read: ${trouble}, or move it to swept/: \`holdfast claudex cancel ${ID}\``,
    ]);
    expect(JSON.parse((await show({ json: true }))[1] ?? '')).toEqual({
      loops: [{ id: ID, unreadable: trouble }],
      total: 1,
    });
  });

  it('never fails', async () => {
    const place = stateDirOf(project).path;
    writeAt(place, 'x');
    expect(await show()).toEqual([
      '0',
      `The loops cannot be read: ${place} is a file where a folder belongs; to fix it, run \`mv ${place} ${place}.aside\``,
    ]);
  });
});
