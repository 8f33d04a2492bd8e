// A repository that brings waits along, and questions that would steer a terminal: real hooks and commands. Each scene
// answers with what was wrong, so that a proof can want something.

import fs from 'node:fs';
import path from 'node:path';
import { NO_WAITS } from '../../src/store/records.ts';
import { FULL_STATE } from '../fixtures/taskie/plan.ts';
import type { Fired, RunOptions } from '../support/hook.ts';
import { type Hostile, hostileProject, isAllowed } from './security/hostile.ts';
import { type Stage, stages } from './stage.ts';
import { DAY, FORGED, type Notes, SESSION, sidecarWith } from './waiting.ts';

export type WaitingScene = (plugin?: string) => Promise<string[]>;

const STRANGER = 'the-session-of-whoever-committed-this';
const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const HOSTILE = `Which${String.fromCharCode(27)}[2J${String.fromCharCode(27)}]0;owned\u0007 \u202e\u200b\u{e0041}\u2028one\u009b31m?`;

const under = (plugin: string | undefined): RunOptions => (plugin === undefined ? {} : { plugin });

export function stageOf(workflow: string): Stage {
  const stage = stages.find((each) => each.workflow === workflow);
  if (stage === undefined) throw new Error(`there is no stage for ${workflow}`);
  return stage;
}

/** A run of somebody's, with notes that say that it waits. */
function put(project: Hostile, stage: Stage, owner: string, known: Partial<Notes>, state?: string): void {
  project.put(stage, owner, {
    [`.holdfast/runs/${stage.run.replace(':', '-')}.json`]: sidecarWith(stage.run, owner, known),
    ...(state === undefined ? {} : { [stage.state]: state }),
  });
  if (owner === SESSION) return;
  fs.rmSync(path.join(project.root, '.holdfast/sessions'), { recursive: true });
}

const isHeld = ({ answer }: Fired): boolean => answer?.decision === 'block';
const clean = (said: string): boolean => !STEERING.test(said.replaceAll('\n', ''));

/** It is shown once, as any run of another session is, and then never again. */
export const clonedIsShownOnce =
  (stage: Stage, known: Notes): WaitingScene =>
  async (plugin) => {
    const project = hostileProject();
    put(project, stage, STRANGER, known);
    const first = await project.stop({}, under(plugin));
    const second = await project.stop({ prompt_id: 'p2' }, under(plugin));
    return [
      ...(isAllowed(first) && isAllowed(second) ? [] : [`held: ${first.stdout}${second.stdout}`]),
      ...(first.answer?.systemMessage?.includes('is unfinished here') ? [] : [`hidden: ${first.stdout}`]),
      ...(second.stdout === '' ? [] : [`said again: ${second.stdout}`]),
      ...(first.stdout.includes('Which') ? ['its question was shown'] : []),
      ...project.started().map((each) => `${each} was started`),
    ];
  };

/** Where an index names it for this session, too: its own notes say whose it is. */
export const clonedIsNotServed =
  (stage: Stage, known: Notes): WaitingScene =>
  async (plugin) => {
    const project = hostileProject();
    const file = `.holdfast/runs/${stage.run.replace(':', '-')}.json`;
    project.put(stage, STRANGER, { [file]: sidecarWith(stage.run, STRANGER, known) });
    const before = project.read(file);
    const fired = await project.stop({}, under(plugin));
    return [
      ...(isAllowed(fired) ? [] : [`held: ${fired.stdout}`]),
      ...(fired.stdout.includes('asks: ') ? ['its question was shown'] : []),
      ...(project.read(file) === before ? [] : ['its notes were changed']),
    ];
  };

/** A start does not replace a run that waits, whoever says so; it names the command that ends it, and that is all. */
export const startNamesTheWayOut =
  (stage: Stage, known: Notes): WaitingScene =>
  async (plugin) => {
    const project = hostileProject();
    put(project, stage, STRANGER, known);
    const start = stage.workflow === 'idle' ? ['idle', 'loop', 'mine'] : ['claudex', 'plan', 'mine'];
    const refused = await project.cli(start, under(plugin));
    const problems: string[] = [];
    if (refused.exitCode !== 0) {
      const [, cancel] = /holdfast (\w+ cancel\b[^\n`.]*)/.exec(refused.stderr) ?? [];
      if (cancel === undefined) return [`no way out: ${refused.stderr}`];
      await project.cli(cancel.trim().split(' '), under(plugin));
      const again = await project.cli(start, under(plugin));
      if (again.exitCode !== 0) problems.push(`refused again: ${again.stderr}`);
    }
    const fired = await project.stop({}, under(plugin));
    return isHeld(fired) ? problems : [...problems, `not held: ${fired.stdout}`];
  };

/** A session's own loop is held beside it, at every turn. */
export const ownRunIsHeld =
  (stage: Stage, known: Notes): WaitingScene =>
  async (plugin) => {
    const project = hostileProject();
    put(project, stage, STRANGER, known);
    const own = stage.workflow === 'idle' ? ['claudex', 'plan'] : ['idle', 'loop'];
    const started = await project.cli([...own, 'a task'], under(plugin));
    if (started.exitCode !== 0) return [`it could not be started: ${started.stderr}`];
    const fired = [
      await project.stop({}, under(plugin)),
      await project.stop({ prompt_id: 'p2' }, under(plugin)),
    ];
    return fired.every(isHeld) ? [] : [`not held: ${fired.map(({ stdout }) => stdout).join(' / ')}`];
  };

/** Whoever adopts it goes on with it: within two turns it holds, or its review is asked for. */
export const adoptedGoesOn =
  (stage: Stage, known: Notes): WaitingScene =>
  async (plugin) => {
    const project = hostileProject();
    const due = JSON.stringify({ ...FULL_STATE, phase: 'new-plan', next_phase: 'plan-review' });
    put(project, stage, STRANGER, known, stage.workflow === 'taskie' ? due : undefined);
    const adopted = await project.cli(['adopt', stage.run], under(plugin));
    if (adopted.exitCode !== 0) return [`it could not be adopted: ${adopted.stderr}`];
    const fired: Fired[] = [];
    for (const prompt_id of ['p1', 'p2', 'p3']) fired.push(await project.stop({ prompt_id }, under(plugin)));
    const isOn =
      stage.workflow === 'taskie' ? project.started().includes('claude') : fired.slice(1).every(isHeld);
    return isOn ? [] : [`parked: ${fired.map(({ stdout }) => stdout).join(' / ')}`];
  };

/** The list of runs has it, and says what it is said to wait for, cut and without codes. */
export const listed: WaitingScene = async (plugin) => {
  const problems: string[] = [];
  for (const [name, known] of [...FORGED, LONG_WORDS]) {
    const project = hostileProject();
    put(project, stageOf('idle'), STRANGER, known);
    for (const command of [['status'], ['status', '--json'], ['doctor']]) {
      const ran = await project.cli(command, under(plugin));
      const said = ran.stdout + ran.stderr;
      if (ran.exitCode !== 0 && ran.exitCode !== 1)
        problems.push(`${name}: ${command[0]} ends with ${ran.exitCode}`);
      if (!clean(said))
        problems.push(`${name}: ${command.join(' ')} steers: ${JSON.stringify(said.slice(0, 400))}`);
      if (command.length === 1 && said.length > 20_000) problems.push(`${name}: ${said.length} characters`);
      if (command[0] === 'status' && !said.includes('idle:loop-1')) problems.push(`${name}: it is hidden`);
    }
  }
  return problems;
};

const LONG_WORDS: readonly [string, Notes] = [
  'long and hostile words',
  {
    waiting: {
      ...{ for: 'limit', since: Date.now() - 1000, until: Date.now() + DAY },
      ...{ what: HOSTILE.repeat(20_000), reviewer: HOSTILE.repeat(20_000) },
    },
    waits: NO_WAITS,
  },
];

/** A question as hostile as an agent can make it: shown, listed, explained, answered. */
export const hostileQuestion: WaitingScene = async (plugin) => {
  const project = hostileProject();
  await project.cli(['idle', 'loop', 'a task'], under(plugin));
  const asked = await project.cli(['ask', HOSTILE.repeat(400), '$(touch pwned)'], under(plugin));
  const shown = await project.stop({}, under(plugin));
  const listed = await project.cli(['status'], under(plugin));
  const why = await project.cli(['why'], under(plugin));
  const answered = await project.stop({ prompt_id: 'p2' }, under(plugin));
  const journal = project.read('.holdfast/journal.jsonl');
  const said: Record<string, string> = {
    asked: asked.stdout + asked.stderr,
    shown: shown.answer?.systemMessage ?? '',
    listed: listed.stdout + listed.stderr,
    why: why.stdout + why.stderr,
    answered: answered.answer?.reason ?? '',
  };
  return [
    ...(asked.exitCode === 0 ? [] : [`refused: ${asked.stderr}`]),
    ...(said.shown?.includes('Which') ? [] : [`not shown: ${shown.stdout}`]),
    ...(isHeld(answered) && said.answered?.includes('was answered')
      ? []
      : [`not answered: ${answered.stdout}`]),
    ...Object.entries(said).flatMap(([where, text]) => [
      ...(clean(text) ? [] : [`${where} steers: ${JSON.stringify(text.slice(0, 300))}`]),
      ...(text.length < 6000 ? [] : [`${where} has ${text.length} characters`]),
    ]),
    ...(journal.includes('Which') ? ['its words are in the journal'] : []),
    ...project.started().map((each) => `${each} was started`),
  ];
};

/** Notes of the session's own run that nobody of us wrote: the words have an end, and ten megabytes are refused. */
export const endlessWords: WaitingScene = async (plugin) => {
  const problems: string[] = [];
  for (const size of [3_000_000, 10_000_000]) {
    const project = hostileProject();
    const waiting = {
      for: 'person',
      since: Date.now(),
      until: Date.now() + DAY,
      what: 'W'.repeat(size),
      shown: null,
    };
    put(project, stageOf('idle'), SESSION, { waiting });
    const fired = await project.stop({}, under(plugin));
    if (fired.exitCode !== 0 || isHeld(fired)) problems.push(`${size}: ${fired.exitCode} ${fired.stderr}`);
    if (fired.stdout.length > 10_000)
      problems.push(`${size}: an answer of ${fired.stdout.length} characters`);
    if (fired.stdout === '') problems.push(`${size}: let go without a word`);
  }
  return problems;
};

/** An agent that asks whenever it is held is refused at the fourth question, and held. */
export const asksForEver: WaitingScene = async (plugin) => {
  const project = hostileProject();
  await project.cli(['idle', 'loop', 'a task'], under(plugin));
  const codes: (number | null)[] = [];
  for (let turn = 1; turn <= 4; turn++) {
    await project.stop({ prompt_id: `held-${turn}` }, under(plugin));
    codes.push((await project.cli(['ask', `Question ${turn}?`], under(plugin))).exitCode);
    if (codes.at(-1) === 0) await project.stop({ prompt_id: `asked-${turn}` }, under(plugin));
  }
  const last = await project.stop({ prompt_id: 'last' }, under(plugin));
  return [
    ...(codes.join() === '0,0,0,1' ? [] : [`asked with ${codes.join()}`]),
    ...(isHeld(last) ? [] : [`not held: ${last.stdout}`]),
  ];
};

/** One that only rewords what nobody was shown yet asks once. */
export const rewords: WaitingScene = async (plugin) => {
  const project = hostileProject();
  await project.cli(['idle', 'loop', 'a task'], under(plugin));
  const codes: (number | null)[] = [];
  for (let time = 1; time <= 5; time++)
    codes.push((await project.cli(['ask', `Wording ${time}?`], under(plugin))).exitCode);
  const shown = await project.stop({}, under(plugin));
  return [
    ...(codes.join() === '0,0,0,0,0' ? [] : [`asked with ${codes.join()}`]),
    ...(shown.answer?.systemMessage?.includes('Wording 5?') ? [] : [`shown: ${shown.stdout}`]),
  ];
};

/** `holdfast wait` calls that end at once, or after the time is used up, do not hold an idle agent for ever. */
export const waitsForEver: WaitingScene = async (plugin) => {
  const project = hostileProject();
  await project.cli(['claudex', 'plan', 'a task'], under(plugin));
  const file = path.join(
    project.root,
    '.holdfast/runs',
    fs.readdirSync(path.join(project.root, '.holdfast/runs'))[0] ?? '',
  );
  const transcript_path = path.join(project.outside, 'transcript.jsonl');
  fs.writeFileSync(
    transcript_path,
    `${JSON.stringify({ uuid: 'u1', type: 'user', message: { content: 'go' } })}\n`,
  );
  const held: boolean[] = [];
  // As if it had been called for a moment before each stop.
  for (let stops = 0; stops < 130 && held.at(-1) !== false; stops++) {
    const sidecar = JSON.parse(fs.readFileSync(file, 'utf8'));
    const waits = sidecar.waits ?? NO_WAITS;
    const calls = waits.calls + 25;
    fs.writeFileSync(file, JSON.stringify({ ...sidecar, waits: { ...waits, calls, called: calls } }));
    held.push(isHeld(await project.stop({ transcript_path }, under(plugin))));
    if (held.length > 15) break;
  }
  return held.at(-1) === false ? [] : [`held ${held.length} times`];
};

/** What runs, and is nothing that wakes the agent for good: a shell, a subagent that ended, a timer that never ends. */
export const nothingToWaitFor: WaitingScene = async (plugin) => {
  const project = hostileProject();
  await project.cli(['idle', 'loop', 'a task'], under(plugin));
  const running: Record<string, object> = {
    'a shell': { background_tasks: [{ id: 'b', type: 'shell', status: 'running', command: 'npm start' }] },
    'one that ended': { background_tasks: [{ id: 'a', type: 'subagent', status: 'completed' }] },
    'a recurring timer': { session_crons: [{ id: 'c', recurring: true, prompt: 'x' }] },
    'a timer of nobody': { session_crons: [{ id: 'c', prompt: 'x' }] },
  };
  const env = { CLAUDE_CODE_SESSION_ATTENDED: '1' };
  const problems: string[] = [];
  for (const [name, payload] of Object.entries(running))
    if (!isHeld(await project.stop(payload, { ...under(plugin), env })))
      problems.push(`not held beside ${name}`);
  return problems;
};
