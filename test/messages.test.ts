// Words cost money: no text that an agent, a reviewer or a user is given says the same sentence twice. The texts are
// rendered by the workflows' own code, and every message file must turn up in one of them.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Changes } from '../src/engine/changes/types.ts';
import type { RunContext } from '../src/engine/context.ts';
import type { Project } from '../src/engine/project.ts';
import type { Message } from '../src/engine/step.ts';
import type { Call, Command } from '../src/engine/workflow-cli.ts';
import { plan } from '../src/workflows/claudex/cli/plan.ts';
import { review } from '../src/workflows/claudex/cli/review.ts';
import { say as sayClaudex, sayAgain as sayClaudexAgain } from '../src/workflows/claudex/messages.ts';
import { observe as observeClaudex } from '../src/workflows/claudex/observe.ts';
import { planPrompt, reviewPrompt } from '../src/workflows/claudex/prompts.ts';
import { start as startFlow } from '../src/workflows/flow/cli/start.ts';
import { say as sayFlow, sayAgain as sayFlowAgain } from '../src/workflows/flow/messages.ts';
import { observe as observeFlow } from '../src/workflows/flow/observe.ts';
import { reviewCall as flowReviewCall } from '../src/workflows/flow/review-call.ts';
import { ANCHOR_TOPIC, giveAnchorBack } from '../src/workflows/idle/anchor.ts';
import { grind } from '../src/workflows/idle/cli/grind.ts';
import { issue } from '../src/workflows/idle/cli/issue.ts';
import { loop } from '../src/workflows/idle/cli/loop.ts';
import { say as sayIdle, sayAgain as sayIdleAgain } from '../src/workflows/idle/messages.ts';
import { observe as observeIdle } from '../src/workflows/idle/observe.ts';
import { HOOK_REACH, latestOf, post } from '../src/workflows/idle/topic-log.ts';
import { instruct } from '../src/workflows/taskie/cli/instructions.ts';
import type { Todo } from '../src/workflows/taskie/cli/todo.ts';
import { readPlan } from '../src/workflows/taskie/cli/which-plan.ts';
import { look } from '../src/workflows/taskie/look.ts';
import { say as sayTaskie, sayAgain as sayTaskieAgain } from '../src/workflows/taskie/messages.ts';
import { observe as observeTaskie } from '../src/workflows/taskie/observe.ts';
import { REVIEWS } from '../src/workflows/taskie/phases.ts';
import { reviewCall } from '../src/workflows/taskie/review-call.ts';
import { ID, projectAt, putLoop, sceneAt, writeAt } from './fixtures/claudex/project.ts';
import { postState, RUN } from './fixtures/idle/loops.ts';
import { planProject } from './fixtures/taskie/plan.ts';
import { carryOutAll, sceneIn } from './model/scene.ts';
import { type TempProject, tempProject } from './support/project.ts';

const repository = path.resolve(import.meta.dirname, '..');
const workflows = path.join(repository, 'src/workflows');
const forReviewers = path.join(repository, 'plugins/taskie');

/** Every text by a name that says when it is given. */
const texts = new Map<string, string>();
const projects: TempProject[] = [];

beforeAll(async () => {
  await renderClaudex();
  await renderIdle();
  await renderTaskie();
  await renderFlow();
});

afterAll(() => {
  for (const project of projects) project.remove();
});

describe('a review that no reviewer began', () => {
  it.each(['review-failed', 'review-given-up'])(
    'is said with the log, but not that a reviewer said anything where none ran (%s)',
    (name) => {
      const temp = planProject();
      projects.push(temp);
      const of = (cause: string): string =>
        sayTaskie(
          {
            name,
            slots: {
              ...{ plan: temp.plan, title: 'plan review', failures: 1, cause },
              ...(name === 'review-failed' ? { log: '.taskie/plans/my-plan/.review-1.log' } : {}),
            },
          },
          sceneIn(temp, temp.plan),
        );
      expect(of('missing')).toContain('was not found on PATH, so no review ran');
      expect(of('missing')).not.toMatch(/the reviewer said/i);
      for (const cause of ['missing', 'timed-out']) expect(of(cause)).toMatch(/\.log/);
    },
  );
});

describe('a plan whose name is a plain word', () => {
  it('stands in every text as it always did', async () => {
    const folder = /\/[^\s"']*\/project\//g;
    const plugin = /\/[^\s"']*\/taskie\/(ground-rules|actions)/g;
    const all = [...texts]
      .filter(([name]) => name.startsWith('taskie '))
      .map(([name, text]) => `=== ${name}\n${text.split('\n\n# ')[0]}`);
    const said = all.join('\n\n').replaceAll(folder, '/project/').replaceAll(plugin, '/plugin/taskie/$1');
    await expect(said).toMatchFileSnapshot('fixtures/taskie/texts-of-a-plain-plan.txt');
  });
});

describe('no text says the same sentence twice', () => {
  it('as it is given', () => {
    expect(texts.size).toBeGreaterThan(80);
    expect(repetitionsIn(texts)).toEqual([]);
  });

  it('in any message file by itself', () => {
    expect(repetitionsIn(new Map([...templates(), ...templates(forReviewers)]))).toEqual([]);
  });

  it('and no message file is left out', () => {
    const said = [...texts.values()].map(plainly);
    const unsaid = [...templates()].filter(([, template]) => {
      const longest = template.split(/\{\{\w+\}\}/).reduce((a, b) => (b.length > a.length ? b : a));
      return !said.some((text) => text.includes(plainly(longest)));
    });
    expect(unsaid.map(([file]) => file)).toEqual([]);
  });
});

describe('a sentence', () => {
  it.each([
    ['word for word', 'Go on with the task now. So be it. Go on with the task now.'],
    ['in another case', 'Go on with the task now. So be it: go on with the task now.'],
    [
      'with and without backticks',
      'Look at `PLAN.md` once more today.\n\n- Look at PLAN.md once more today.',
    ],
    ['broken in another place', 'Go on with\nthe task now. So be it. Go on\nwith the task now.'],
  ])('said twice is found: %s', (_, text) => {
    expect(repetitionsIn(new Map([['text', text]]))).toHaveLength(1);
  });

  it('of four words may come back, and so may a row of dashes', () => {
    const text =
      'Then end your turn. It ran.\nThen end your turn.\n\n| a | b |\n| --- | --- |\n\n| c |\n| --- | --- |\n';
    expect(repetitionsIn(new Map([['text', text]]))).toEqual([]);
  });
});

function repetitionsIn(given: ReadonlyMap<string, string>): string[] {
  return [...given].flatMap(([name, text]) => {
    const sentences = sentencesOf(text);
    const again = sentences.filter((sentence, index) => sentences.indexOf(sentence) < index);
    return again.map((sentence) => `${name}: ${sentence}`);
  });
}

/** Of five words or more. A paragraph, an item of a list and a line after a colon begin again. */
function sentencesOf(text: string): string[] {
  return text
    .split(/\n\s*\n|\n(?=\s*(?:[-|#]|\d+\.)\s?)|(?<=:)\n/)
    .flatMap((paragraph) => plainly(paragraph).split(/(?<=[.:;?!])\s+/))
    .map((sentence) => sentence.replace(/[.:;?!]$/, ''))
    .filter((sentence) => sentence.split(' ').filter((word) => /[\p{L}\d]/u.test(word)).length >= 5);
}

/** Without list marks, backticks, capitals and line breaks. */
function plainly(text: string): string {
  const unmarked = text.replace(/^\s*(?:[-#]+|\d+\.)\s/gm, '').replaceAll('`', '');
  return unmarked.toLowerCase().replace(/\s+/g, ' ').trim();
}

function templates(folder = workflows): Map<string, string> {
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const markdown = files.filter((file) => file.endsWith('.md')).sort();
  return new Map(markdown.map((file) => [file, fs.readFileSync(path.join(folder, file), 'utf8')]));
}

const slotsIn = (template: string): string[] =>
  [...template.matchAll(/\{\{(\w+)\}\}/g)].flatMap(([, slot]) => slot ?? []);

function newProject(): TempProject {
  const project = tempProject();
  projects.push(project);
  return project;
}

/** What a command prints. */
async function printed(
  command: Command,
  project: Project,
  words: string,
  flags: Call['flags'] = {},
): Promise<string> {
  const lines: string[] = [];
  await command.run({
    flags,
    words: words.split(' '),
    env: project.env,
    cwd: project.root,
    now: project.now,
    stdin: () => '',
    print: (line) => lines.push(line),
    existing: () => Promise.resolve(project),
    forNewRun: () => Promise.resolve(project),
  });
  return lines.join('\n');
}

async function renderClaudex(): Promise<void> {
  const { root, home } = newProject();
  const project = projectAt(root, { env: { HOME: home, CLAUDE_CODE_SESSION_ID: 's1' } });
  const { files } = putLoop(project, { phase: 'reviewing', round: '4', max_rounds: '5' });
  const speak = (name: string, slots: Message['slots'], client: string = 'claude-code'): void => {
    const scene = sceneAt(project, { client });
    const key = `claudex ${name} ${JSON.stringify(slots)} ${client}, ${observed(scene).rounds.size} reviewed`;
    texts.set(key, sayClaudex({ name, slots }, observed(scene), scene));
    texts.set(`${key}, again`, sayClaudexAgain({ name, slots }, observed(scene), scene)?.text ?? '');
  };
  const speakAll = (): void => {
    for (const why of ['missing', 'empty', 'unchanged']) speak('draft', { plan: why });
    for (const client of ['claude-code', 'codex', 'generic'] as const) {
      for (const round of [1, 2, 5]) speak('round', { round, max: 5 }, client);
      speak('review', {}, client);
    }
    for (const name of ['wait', 'still-running']) speak(name, { round: 2 });
    for (const name of ['complete', 'stopped', 'review-running', 'review-missing']) speak(name, {});
    for (const phase of ['drafting', 'reviewing'])
      speak('released', { phase, round: 2, max: 5, holds: '3 holds' });
    speak('variables', { names: 'CLAUDEX_STATE_DIR CLAUDEX_MAX_PLAN_ROUNDS CLAUDEX_STALE_MINUTES' });
    const world = observed(sceneAt(project));
    for (const [round, owedFrom] of [
      [1, 1],
      [2, 1],
      [2, 2],
      [3, 1],
      [3, 2],
      [3, 3],
      [4, 1],
      [4, 3],
      [4, 4],
      [5, 5],
    ] as const)
      texts.set(
        `claudex prompt ${round}, ${owedFrom}, ${world.rounds.size}`,
        planPrompt(world, round, owedFrom),
      );
    texts.set('claudex prompt of a review', reviewPrompt(world));
  };
  speakAll();
  writeAt(files.findings(1), '## High\n- x\n');
  speakAll();
  for (const round of [2, 3, 4]) writeAt(files.findings(round), '## Low\n- x\n');
  speakAll();

  const start = (command: Command, flags: Call['flags'] = {}): Promise<string> => {
    const fresh = newProject();
    fresh.write('PLAN.md', '# A plan\n');
    return printed(
      command,
      projectAt(fresh.root, { env: { ...project.env, HOME: fresh.home } }),
      'a cache',
      flags,
    );
  };
  texts.set('claudex plan', await start(plan));
  texts.set('claudex plan --from-draft', await start(plan, { 'from-draft': true }));
  texts.set('claudex review', await start(review));
}

function observed(scene: RunContext) {
  const seen = observeClaudex(scene);
  if (seen === null) throw new Error(`the loop ${ID} is gone`);
  return seen.world;
}

async function renderIdle(): Promise<void> {
  const configured = { list: 'gh issue list --state open', show: 'gh issue view ID' };
  for (const issues of [configured, { list: null, show: null }]) {
    const temp = newProject();
    const own = sceneIn(temp, RUN).project;
    const env = { ...own.env, CLAUDE_CODE_SESSION_ID: 'session' };
    const project = { ...own, env, now: Date.now(), config: { ...own.config, issues } };
    const about = `idle, tracker ${issues.list}`;
    texts.set(`${about}: grind`, await printed(grind, project, 'label bug'));
    texts.set(`${about}: issue`, await printed(issue, project, '42'));
    texts.set(`${about}: loop`, await printed(loop, project, 'Make the failing tests pass.'));
    const scene = { ...sceneIn(temp, RUN), project };
    for (const position of [0, 1, 2]) texts.set(`${about}: hold at ${position}`, hold(scene, position));
  }

  const temp = newProject();
  const scene = sceneIn(temp, RUN);
  const frame = { id: 'f1', mode: 'loop', iter: 3, max: 10, prompt_file: '.holdfast/task.txt' };
  const updated_at = new Date(scene.project.now).toISOString();
  postState(temp, [frame], { updated_at });
  texts.set('idle: hold without a task', hold(scene, 0));
  postState(temp, [{ ...frame, until: 'test' }], { updated_at });
  texts.set('idle: hold until a check passes', hold(scene, 0));
  postState(temp, [frame], { updated_at });
  temp.write('.holdfast/task.txt', 'Make the failing tests pass.');
  for (const [index, files] of [null, [], ['a.ts', 'b.ts']].entries()) {
    const anchor = { run_id: RUN, mode: 'loop', iteration: 3, max: 10, modified_files: files };
    const goal = 'The task:\n\nMake the failing tests pass.';
    const next_step =
      'look at the files as they are, see what of the task is still missing, and go on with it.';
    const body = JSON.stringify({ ...anchor, goal, next_step });
    const { log } = latestOf(ANCHOR_TOPIC, temp.root, null, HOOK_REACH);
    const writes = [post(temp.root, ANCHOR_TOPIC, log, body, scene.project.now)];
    carryOutAll({ writes, stateHash: '', saved: undefined });
    texts.set(`idle: anchor ${index}`, giveAnchorBack(scene) ?? '');
  }
  temp.write('.holdfast/task.txt', `Make the failing tests pass: ${'x'.repeat(3000)}`);
  texts.set('idle: hold with a long task', hold(scene, 0));
  for (const nearMiss of ['place', 'code', 'spelling'])
    texts.set(`idle: hold after a near miss, ${nearMiss}`, hold(scene, 0, { nearMiss }));
  const slots = { iteration: 3, max: 10 };
  texts.set('idle: stale', speakIdle(scene, { name: 'stale', slots }));
  texts.set('idle: released', speakIdle(scene, { name: 'released', slots: { ...slots, holds: '6 holds' } }));
  for (const name of ['maximum', 'maximum-inner', 'corrupt', 'unknown-mode', 'unreadable', 'lost'])
    texts.set(`idle: ${name}`, speakIdle(scene, { name, slots: { max: 10, kept: 1 } }));
}

function hold(scene: RunContext, position: number, more: Message['slots'] = {}): string {
  const message = { name: 'continue', slots: { iteration: 4, max: 10, position, ...more } };
  const again = sayIdleAgain(message, observeIdle(scene).world, scene)?.text ?? '';
  texts.set(`idle: hold again ${texts.size}`, again);
  return speakIdle(scene, message);
}

const speakIdle = (scene: RunContext, message: Message): string =>
  sayIdle(message, observeIdle(scene).world, scene);

async function renderTaskie(): Promise<void> {
  const temp = planProject();
  projects.push(temp);
  const scene = sceneIn(temp, temp.plan);
  temp.setState({ current_task: '1', next_phase: 'code-review' });

  const values: Readonly<Record<string, string | number>> = {
    plan: temp.plan,
    task: '1',
    iteration: 2,
    max: 8,
    clean: 1,
    review: 'task-1-review-2.md',
    post: 'task-1-post-review-2.md',
    action: 'post-code-review',
    file: 'task-1.md',
    title: 'code review of task 1',
    next: 'post-code-review',
    log: '.taskie/plans/my-plan/.review-2.log',
    failures: 2,
    holds: '3 holds',
    rows: 3,
    fields: 'tdd, review_model',
    severity: 'medium',
    program: 'codex',
    model: 'codex/a-model',
    pair: 'opus and sonnet',
    violations: 'Missing required file: plan.md; Invalid filename: notes.md; tasks.md has no table rows',
  };
  // The files of the folder, so that a new message is rendered without being listed.
  for (const [file, template] of templates(path.join(workflows, 'taskie/messages'))) {
    const name = path.basename(file, '.md');
    const wanted = slotsIn(template).filter((slot) => slot !== 'cli' && slot !== 'folder');
    const slots = Object.fromEntries(
      wanted.flatMap((slot) => (slot in values ? [[slot, values[slot] ?? '']] : [])),
    );
    texts.set(`taskie ${name}`, sayTaskie({ name, slots }, scene));
    const again = sayTaskieAgain({ name, slots }, scene);
    if (again !== null) texts.set(`taskie ${name}, again`, again.text);
    if (!/^(passed|reviews-off)/.test(name)) continue;
    for (const warning of [
      { warning: 'table-plain' },
      { warning: 'table-rows-left-out', rows: 3 },
      { warning: 'table-status-unclear table-subtasks-pending' },
    ])
      texts.set(
        `taskie ${name}, ${warning.warning}`,
        sayTaskie({ name, slots: { ...slots, ...warning } }, scene),
      );
  }

  const found = readPlan(scene.project, temp.plan);
  for (const todo of Object.values(ROUTES).flat())
    for (const unmarked of [null, '1']) {
      const stated = { phase: 'code-review', next: 'none' };
      const key = `taskie next ${JSON.stringify(todo)} ${unmarked}`;
      texts.set(key, instruct(todo, found, scene.project, stated, unmarked));
    }

  // A reviewer reads its prompt and the two texts it names.
  for (const kind of REVIEWS) {
    const seen = observeTaskie(scene);
    if (seen === null) throw new Error('the plan is gone');
    const facts = { ...seen.facts, ...(await look('tasks', scene, seen.world)) };
    const request = {
      reviewer: 'claude',
      kind,
      number: 1,
      file: `.taskie/plans/my-plan/${kind}-1.md`,
      model: 'opus',
    };
    const { prompt, changes } = reviewCall(request, seen.world, scene, facts);
    const named = [...prompt.matchAll(/\/taskie\/((?:actions\/)?[a-z-]+\.md)/g)].flatMap(
      ([, file]) => file ?? [],
    );
    const read = named.map((file) => fs.readFileSync(path.join(forReviewers, file), 'utf8'));
    expect(read).toHaveLength(2);
    const about = changes === undefined ? [''] : CHANGES.map(changes.say);
    for (const [at, said] of about.entries())
      texts.set(`taskie reviewer, ${kind} ${at}`, [prompt, said, ...read].join('\n\n'));
  }
}

const CHANGED = { top: '/a/project', count: 2, lines: ['a.ts (+1 -0)'] };
const CHANGES: readonly Changes[] = [
  {
    ...CHANGED,
    since: { kind: 'commit', commit: 'a'.repeat(40) },
    file: { kind: 'patch', path: '/a/project/changes.patch', bytes: 12_000 },
  },
  {
    ...CHANGED,
    since: { kind: 'no-commit-yet' },
    file: { kind: 'list', path: '/a/project/changes.txt', bytes: 12 },
  },
  { ...CHANGED, since: { kind: 'uncommitted' }, file: null },
];
async function renderFlow(): Promise<void> {
  const temp = newProject();
  const own = sceneIn(temp, 'none').project;
  const project = { ...own, env: { ...own.env, CLAUDE_CODE_SESSION_ID: 'session' } };
  const state = (say: string, more = ''): string =>
    `{ say: "${say}", leave: [ { when: { signal: on, review: critic }, to: end } ] ${more} }`;
  temp.write(
    'holdfast.flows/sample.yaml',
    [
      'flow: sample',
      'start: work',
      'reviews: { critic: { prompt: "Look closely at {{task}}", files: [src] } }',
      'states:',
      `  work: ${state('Do {{task}} {{checks}} {{findings}}', ', holds: 2, otherwise: rest')}`,
      '  rest: { pause: true, say: Have a look at it, leave: [ { when: { signal: on }, to: lost } ] }',
      '  lost: { end: let-go, say: It was not found anywhere. }',
      '  end: { end: completed, say: Well done by all of you. }',
    ].join('\n'),
  );
  texts.set('flow start', await printed(startFlow, project, 'sample a parser for numbers'));
  const run = fs.readdirSync(path.join(temp.root, '.holdfast/flow'))[0] ?? '';
  const scene = { ...sceneIn(temp, run), project };
  const speak = (name: string, slots: Message['slots'] = {}, more: Partial<RunContext> = {}): void => {
    const seen = observeFlow(scene);
    if (seen === null) throw new Error('the run is gone');
    const key = `flow ${name} ${JSON.stringify(slots)} ${Object.keys(more)}`;
    texts.set(key, sayFlow({ name, slots }, seen.world, { ...scene, ...more }));
    texts.set(`${key}, again`, sayFlowAgain({ name, slots }, seen.world, scene)?.text ?? '');
  };
  const held = { state: 'work', visits: 1, hold: 2, most: 100 };
  speak('say', held);
  for (const nearMiss of ['place', 'code', 'spelling']) speak('say', { ...held, nearMiss });
  speak('say', held, { printed: [{ name: 'test', tail: 'one is red', log: '.holdfast/checks/test.log' }] });
  temp.write(`.holdfast/flow/${run}/review-1-critic.md`, 'A name is unclear in this file.');
  speak('say', { ...held, review: 'critic', number: 1 });
  temp.write(`.holdfast/flow/${run}/task.md`, `Write a parser: ${'x'.repeat(3000)}`);
  speak('say', held);
  speak('paused', { state: 'rest', visits: 1 });
  speak('completed', { state: 'end' });
  speak('let-go', { state: 'lost' });
  speak('limit', { state: 'work', most: 100 });
  speak('differs');
  speak('no-time', { check: 'test' });
  for (const end of ['untrusted', 'cannot-run']) speak('check-lost', { check: 'test', end });
  for (const name of ['review-failed', 'review-given-up'])
    speak(name, { review: 'critic', failures: 2, cause: 'missing' });
  for (const what of ['state', 'definition']) speak('unreadable', { what });
  speak('released', { state: 'work', holds: '6 holds' });
  const seen = observeFlow(scene);
  if (seen === null) throw new Error('the run is gone');
  const file = `.holdfast/flow/${run}/review-2-critic.md`;
  const request = { reviewer: 'claude', kind: 'critic', number: 2, file, model: 'opus' };
  texts.set('flow reviewer', flowReviewCall(request, seen.world, scene).prompt);
}

const ROUTES: { [Kind in Todo['kind']]: readonly (Todo & { kind: Kind })[] } = {
  'post-review': [{ kind: 'post-review', action: 'post-code-review', review: 'code-review', number: 2 }],
  'review-lost': [{ kind: 'review-lost', action: 'post-code-review', review: 'code-review' }],
  stop: [{ kind: 'stop', review: 'code-review' }],
  'stop-at-limit': [{ kind: 'stop-at-limit', review: 'all-code-review' }],
  'continue-task': [{ kind: 'continue-task', task: '1' }],
  'task-unknown': [{ kind: 'task-unknown', next: 'code-review' }],
  'finish-plan': [{ kind: 'finish-plan' }],
  'create-tasks': [{ kind: 'create-tasks' }],
  implement: [{ kind: 'implement', action: 'complete-task', task: '2' }],
  'nothing-pending': [{ kind: 'nothing-pending', next: 'complete-task' }],
  unnumbered: [{ kind: 'unnumbered', rows: ['T2'] }],
  'still-pending': [{ kind: 'still-pending', rows: ['2', 'T2'] }],
  complete: [{ kind: 'complete' }],
  done: [{ kind: 'done' }],
  ask: [{ kind: 'ask' }],
  rebuild: [
    { kind: 'rebuild', broken: true },
    { kind: 'rebuild', broken: false },
  ],
};
