// What the hook does around the table: whose stop it is, what it reads and logs, and when it stays out of it. Fired
// by hand and in the sessions of both clients.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LoopProject, loopProject } from '../fixtures/claudex/loop.ts';
import { type Fired, fireHook, type RunOptions } from '../support/hook.ts';
import { type Way, ways } from '../support/ways.ts';

let project: LoopProject;
/** Is there a loop that was written by hand and that the session has yet to adopt? */
let unbound: string | null;
beforeEach(() => begin('by hand'));
afterEach(() => project.remove());

/** A suite in another way of firing begins again. */
function begin(way: Way): void {
  project?.remove();
  unbound = null;
  project = loopProject(undefined, way);
}

/** A stop in this way of firing. In a session it is the session's own loop that acts, so it is adopted first. */
async function fire(
  way: Way,
  payload: object = {},
  options: RunOptions & { cwd?: string } = {},
): Promise<Fired> {
  if (way === 'by hand') return project.byHand(payload, options);
  if (unbound !== null) await project.adopt(unbound);
  unbound = null;
  return project.stop(payload, options);
}

const ID = '20260131-093000-1a2b3c';

function handWritten(fields: Record<string, string>, id = ID, ending = '\n'): string {
  const text = Object.entries({ mode: 'plan', phase: 'reviewing', repo_root: project.root, ...fields })
    .map(([field, value]) => `${field}: ${value}${ending}`)
    .join('');
  unbound = id;
  return project.write(`.claude/claudex/${id}.state`, text);
}

const log = (): string => project.read('.claude/claudex/log');
const stateText = (id = ID): string => project.read(`.claude/claudex/${id}.state`);

describe.each(ways)('allowing and holding%s', (_where, way) => {
  beforeEach(() => begin(way));

  it('an allowed stop is answered with nothing, and logged with its UTC time and the reason', {
    tags: ['C3.1.a', 'C3.1.b'],
  }, async () => {
    handWritten({ phase: 'done' });
    const allowed = await fire(way);
    expect(allowed).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(log()).toMatch(/^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\] allow \S+: the loop is done\n$/);
  });

  it('a hold is one JSON object with decision and reason, whatever the topic holds', {
    tags: ['C3.1.d', 'C3.1.e'],
  }, async () => {
    const topic = 'quote " backslash \\ & | $(x) `y` \u2028 🙂';
    handWritten({ phase: 'drafting', topic: JSON.stringify(topic) });
    const held = await fire(way);
    expect(held).toMatchObject({ exitCode: 0, stderr: '' });
    expect(Object.keys(held.answer ?? {}).sort()).toEqual(['decision', 'reason']);
    expect(held.answer?.decision).toBe('block');
    expect(held.answer?.reason).toContain(topic.replace('\u2028', ' '));
  });

  it("a hold is logged with the reason's first 80 characters on one line", { tags: ['C3.1.c'] }, async () => {
    handWritten({ phase: 'drafting' });
    const held = await fire(way);
    const flat = (held.answer?.reason ?? '').replace(/\s+/g, ' ');
    expect(log()).toMatch(/^\[[^\]]+\] hold \S+: .{80}\n$/);
    expect(log()).toContain(flat.slice(0, 80));
    expect(log()).not.toContain(flat.slice(0, 81));
  });

  it('every branch logs one line for each decision', { tags: ['C3.1'] }, async () => {
    handWritten({ phase: 'drafting' });
    await fire(way);
    project.write('PLAN.md', '# Plan\n');
    for (let stops = 0; stops < 5; stops++) await fire(way);
    expect(log().trimEnd().split('\n')).toHaveLength(6);
  });

  it('every stop of the session after the end of its loop is logged', { tags: ['C3.1.b'] }, async () => {
    const id = await project.plan();
    await project.claudex(['cancel']);
    for (let stops = 0; stops < 3; stops++) expect((await project.stop()).stdout).toBe('');
    const cancelled = log().match(new RegExp(`allow ${id}: the loop was cancelled\\n`, 'g'));
    expect(cancelled).toHaveLength(3);
    const next = await project.plan('another', '--rounds', '1');
    project.write('PLAN.md', '# Plan\n');
    for (let stops = 0; stops < 5; stops++) await project.stop();
    const lines = log().trimEnd().split('\n');
    expect(lines.slice(-3).map((line) => line.replace(/^\[[^\]]+\] /, ''))).toEqual([
      `allow ${next}: the summary was given; the loop is done`,
      `allow ${next}: the loop is done`,
      `allow ${next}: the loop is done`,
    ]);
    expect(log().match(/the loop was cancelled/g)).toHaveLength(3);
  });

  it('no log and no folder appear in a project without a loop', { tags: ['C3.1.a', 'C3.4.a'] }, async () => {
    expect((await fire(way)).stdout).toBe('');
    expect((await project.stop()).stdout).toBe('');
    expect(fs.readdirSync(project.root)).toEqual(['.git']);
    fs.mkdirSync(project.ours(), { recursive: true });
    expect((await project.stop()).stdout).toBe('');
    expect(fs.readdirSync(project.ours())).toEqual([]);
  });
});

describe.each(ways)('plan mode%s', (_where, way) => {
  beforeEach(() => begin(way));

  it('drafting without a PLAN.md holds and asks for the draft', { tags: ['C3.9.a'] }, async () => {
    handWritten({ phase: 'drafting' });
    expect((await fire(way)).answer?.reason).toContain('There is no `PLAN.md` yet.');
    expect(stateText()).toContain('phase: drafting\n');
  });

  it('drafting with an empty PLAN.md holds and asks for the draft', { tags: ['C3.9.b'] }, async () => {
    handWritten({ phase: 'drafting' });
    project.write('PLAN.md', '');
    expect((await fire(way)).answer?.reason).toContain('`PLAN.md` is empty.');
    expect(stateText()).toContain('phase: drafting\n');
  });

  it('drafting with a PLAN.md from before the start holds until it is changed', {
    tags: ['C3.9.c'],
  }, async () => {
    project.write('PLAN.md', '# Last month\n');
    await project.plan();
    expect((await project.stop()).answer?.reason).toContain('still what it was before this loop began');
    project.write('PLAN.md', '# Now\n');
    expect((await project.stop()).answer?.reason).toContain('### Claudex round 1 of 3');
  });

  it('drafting with --from-draft goes straight to the review', async () => {
    project.write('PLAN.md', '# Plan\n');
    await project.plan('x', '--from-draft');
    expect((await project.stop()).answer?.reason).toContain('### Claudex round 1 of 3');
  });

  it('done cleans up what is left', { tags: ['C3.9.l'] }, async () => {
    handWritten({ phase: 'done' });
    for (const left of ['-runner.sh', '-prompt.txt', '.lock', '/findings-round-1.md'])
      project.write(`.claude/claudex/${ID}${left}`, 'x\n');
    expect((await fire(way)).stdout).toBe('');
    expect(fs.readdirSync(project.ours()).sort()).toEqual([ID, `${ID}.state`, 'log']);
    expect(project.exists(`.claude/claudex/${ID}/findings-round-1.md`)).toBe(true);
  });

  it.each(['cancelled', 'errored'])('%s is allowed', async (phase) => {
    handWritten({ phase });
    expect((await fire(way)).stdout).toBe('');
    expect(stateText()).toContain(`phase: ${phase}\n`);
  });

  it('an unknown phase is logged and allowed, and left as it is', { tags: ['C3.9.m'] }, async () => {
    const file = handWritten({ phase: 'dreaming' });
    const before = fs.readFileSync(file, 'utf8');
    expect((await fire(way)).stdout).toBe('');
    expect(log()).toContain('the state names no known phase');
    expect(fs.readFileSync(file, 'utf8')).toBe(before);
  });
});

describe.each(ways)('review mode%s', (_where, way) => {
  beforeEach(() => begin(way));

  it('done is allowed and cleaned up', { tags: ['C3.10.d'] }, async () => {
    handWritten({ mode: 'review', phase: 'done' });
    project.write(`.claude/claudex/${ID}-runner.sh`, 'x\n');
    expect((await fire(way)).answer?.decision).toBeUndefined();
    expect(project.exists(`.claude/claudex/${ID}-runner.sh`)).toBe(false);
  });
});

describe('review mode, in a session', () => {
  it('says once that the review is missing, and logs every stop after it', async () => {
    expect((await project.claudex(['review'])).exitCode).toBe(0);
    expect((await project.stop()).answer?.reason).toContain('review starting');
    const missing = await project.stop();
    expect(missing.answer?.systemMessage).toContain('was not written');
    for (let stops = 0; stops < 2; stops++) expect((await project.stop()).stdout).toBe('');
    expect(log().match(/allow \S+: the loop is done\n/g)).toHaveLength(2);
  });
});

describe.each(ways)('the state file%s', (_where, way) => {
  beforeEach(() => begin(way));

  it('written by hand with CRLF and an unknown field is continued, and the field survives', async () => {
    const fields = {
      phase: 'drafting',
      topic: '"by hand"',
      round: '1',
      max_rounds: '2',
      owner: 'me: myself',
      decision_signal: 'none',
    };
    handWritten(fields, ID, '\r\n');
    project.write('PLAN.md', '# Plan\n');
    expect((await fire(way)).answer?.reason).toContain('### Claudex round 1 of 2');
    expect((await fire(way)).answer?.reason).toContain('### Claudex round 2 of 2');
    expect((await fire(way)).answer?.reason).toContain('stopped at max rounds');
    expect((await fire(way)).stdout).toBe('');
    expect(stateText()).toContain('owner: me: myself\r\n');
    expect(stateText()).toContain('phase: done\r\n');
    expect(stateText()).toContain('round: 2\r\n');
    expect(stateText()).toContain('decision_signal: max-reached\r\n');
  });

  it('written by hand goes on in a session once that adopts it', async () => {
    handWritten({ phase: 'drafting' });
    const notice = await project.stop();
    expect(notice.answer?.decision).toBeUndefined();
    expect(notice.answer?.systemMessage).toContain(`adopt claudex:${ID}`);
    await project.adopt(ID);
    expect((await project.stop()).answer?.decision).toBe('block');
  });

  it('with garbage in round counts as round 1', { tags: ['C3.7.a'] }, async () => {
    handWritten({ round: 'x', max_rounds: '3' });
    expect((await fire(way)).answer?.reason).toContain('### Claudex round 2 of 3');
  });

  it('with garbage in max_rounds counts as the default', { tags: ['C3.7.b'] }, async () => {
    handWritten({ round: '1', max_rounds: 'x' });
    expect((await fire(way)).answer?.reason).toContain('### Claudex round 2 of 3');
    const env = { CLAUDEX_MAX_PLAN_ROUNDS: '9' };
    expect((await fire(way, {}, { env })).answer?.reason).toContain('### Claudex round 3 of 9');
  });

  it('with a malformed id is moved to swept/, and the stop allowed', { tags: ['C3.4.b'] }, async () => {
    handWritten({ phase: 'drafting' }, 'not-an-id');
    expect((await project.byHand()).stdout).toBe('');
    expect(fs.readdirSync(project.ours()).sort()).toEqual(['log', 'swept']);
    const [kept = ''] = fs.readdirSync(project.ours('swept'));
    expect(fs.readFileSync(project.ours(path.join('swept', kept)), 'utf8')).toContain('phase: drafting');
    expect((await project.byHand()).stdout).toBe('');
  });

  it('with a malformed id is moved to swept/ in a session too, and the stop allowed', {
    tags: ['C3.4.b'],
  }, async () => {
    handWritten({ phase: 'drafting' }, 'not-an-id');
    expect((await project.stop()).stdout).toBe('');
    expect(fs.readdirSync(project.ours()).sort()).toEqual(['log', 'swept']);
    const [kept = ''] = fs.readdirSync(project.ours('swept'));
    expect(fs.readFileSync(project.ours(path.join('swept', kept)), 'utf8')).toContain('phase: drafting');
    expect(log()).toMatch(
      /^\[[^\]]+\] set aside "\.claude\/claudex\/not-an-id\.state": the name of this state file is no id; it was moved to swept\/\n$/,
    );
  });

  it("with a malformed id costs a session neither its own loop nor a notice of another's", async () => {
    const id = await project.plan();
    handWritten({ phase: 'drafting' }, 'not-an-id');
    expect((await project.stop()).answer?.reason).toContain('draft the plan first');
    const other = await project.stop({ session_id: 's2' });
    expect(other.answer?.systemMessage).toContain(`claudex:${id}`);
    expect(project.exists('.claude/claudex/not-an-id.state')).toBe(false);
    expect((await project.stop()).answer?.reason).toContain('draft the plan first');
  });

  it('that cannot be read lets the stop through, with a notice', { tags: ['C3.2'] }, async () => {
    const file = handWritten({ phase: 'drafting' });
    expect((await fire(way)).answer?.decision).toBe('block');
    fs.rmSync(file);
    fs.mkdirSync(file);
    const allowed = await fire(way);
    expect(allowed.exitCode).toBe(0);
    expect(allowed.answer?.decision).toBeUndefined();
    expect(allowed.answer?.systemMessage).toContain('is not a regular file');
  });

  it('that cannot be written lets the stop through, with a notice', { tags: ['C3.2'] }, async () => {
    handWritten({ phase: 'drafting' });
    project.write('PLAN.md', '# Plan\n');
    fs.mkdirSync(project.ours(`${ID}-runner.sh/x`), { recursive: true });
    const allowed = await fire(way);
    expect(allowed.answer?.decision).toBeUndefined();
    expect(allowed.answer?.systemMessage).toContain('hit an error, so this stop was allowed');
    expect(stateText()).toContain('phase: drafting\n');
  });
});

describe.each(ways)('whose stop it is%s', (_where, way) => {
  beforeEach(() => begin(way));

  it('acts, fired by hand, on the state file changed last', { tags: ['C3.4'] }, async () => {
    const older = handWritten({ phase: 'drafting' });
    fs.utimesSync(older, 1, 1);
    handWritten({ phase: 'done' }, '20260131-093001-aaaaaa');
    expect((await project.byHand()).stdout).toBe('');
    fs.utimesSync(older, Date.now() / 1000 + 60, Date.now() / 1000 + 60);
    expect((await project.byHand()).answer?.decision).toBe('block');
  });

  it('another session in the same project is never held', { tags: ['C3.4'] }, async () => {
    const id = await project.plan();
    const first = await project.stop({ session_id: 's2' });
    expect(first.answer?.decision).toBeUndefined();
    expect(first.answer?.systemMessage).toContain(`claudex:${id}`);
    expect((await project.stop({ session_id: 's2' })).stdout).toBe('');
    expect((await project.stop()).answer?.decision).toBe('block');
  });

  it('a state that came with a cloned repository holds nobody, whatever session it names', async () => {
    handWritten({ phase: 'drafting', session_id: 's1' });
    expect((await project.stop()).answer?.decision).toBeUndefined();
    expect((await project.stop()).answer?.decision).toBeUndefined();
  });

  it('a cd into a subfolder keeps the loop', { tags: ['C3.6'] }, async () => {
    await project.plan();
    fs.mkdirSync(path.join(project.root, 'src/deep'), { recursive: true });
    const held = await project.stop({}, { cwd: path.join(project.root, 'src/deep') });
    expect(held.answer?.reason).toContain('draft the plan first');
  });

  it('a symlinked path keeps the loop', { tags: ['C3.6'] }, async () => {
    await project.plan();
    const link = path.join(path.dirname(project.root), 'link');
    fs.symlinkSync(project.root, link);
    expect((await project.stop({}, { cwd: link })).answer?.reason).toContain('draft the plan first');
  });

  it('a repo_root that is not the folder of the stop allows, with a log line', {
    tags: ['C3.6'],
  }, async () => {
    const beside = `${project.root}-beside`;
    fs.mkdirSync(beside);
    for (const repo_root of ['/somewhere/else', project.home, beside]) {
      handWritten({ phase: 'drafting', repo_root });
      expect((await fire(way)).stdout).toBe('');
      expect(log().trimEnd().split('\n').at(-1)).toContain('outside of repo_root');
      expect(stateText()).toContain('phase: drafting\n');
    }
    expect(log().trimEnd().split('\n')).toHaveLength(3);
  });
});

describe.each(ways)('failing open%s', (_where, way) => {
  beforeEach(() => begin(way));

  it('allows when the code of the workflow cannot be loaded', { tags: ['C3.3'] }, async () => {
    await project.plan();
    const plugin =
      process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../dist/holdfast');
    const broken = path.join(path.dirname(project.root), 'holdfast');
    fs.cpSync(plugin, broken, { recursive: true });
    fs.rmSync(path.join(broken, 'lib/workflows-claudex.cjs'));
    const allowed = await project.stop({}, { plugin: broken });
    expect(allowed.answer?.decision).toBeUndefined();
    expect(allowed.exitCode).not.toBe(2);
  });

  it('allows on input that is no JSON, and says so', { tags: ['C3.2'] }, async () => {
    await project.plan();
    const held = await fire(way, {}, { env: { CLAUDE_PROJECT_DIR: '/nowhere' } });
    expect(held.answer?.decision).toBe('block');
    const broken = await fireHook(project.root, 'not json', { env: { HOME: project.home } });
    expect(broken).toMatchObject({ exitCode: 1, stdout: '' });
    expect(broken.stderr).toContain('Invalid JSON');
  });
});
