// The steps of the product that an attacker waits for, found and not listed: each is a call of the real hook or of a
// real command, played once under observation (plants.cjs); every call it makes about a path below the project's root is
// then a moment to plant something, there or in the place of a folder above it. A plant changes nothing before the next
// call that goes through its place, so these moments are all there are.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Bench, SESSION } from '../../crash/bench.ts';
import { fireHook, type Ran, runCli } from '../../support/hook.ts';
// @ts-expect-error a script, without types
import { seeded, shuffled } from '../../support/seeded.mjs';
import { SEED } from '../broken.ts';

export type Scene = {
  name: string;
  prepare(bench: Bench): Promise<void>;
  /** More for the payload of the stop that is attacked; null: it is no stop. */
  payload?(bench: Bench): object;
  /** The event of the client, where it is no stop. */
  event?: string;
  /** In the place of a stop: a command, in the agent's shell or, `person`, in a terminal of its own. */
  command?(bench: Bench): { args: readonly string[]; stdin?: string; person?: boolean };
  /** What a diligent agent does from there. */
  carryOn?(bench: Bench): Promise<unknown>;
};

export type Moment = {
  scene: string;
  /** A call of the product (`open .holdfast/lock`, the third of them), or of a program that it starts. */
  when: { key: string; occurrence: number } | 'while its program runs';
  /** What is planted on: the call's own path (0), or a folder so many levels above it. */
  place: string;
  up: number;
};

export type Attack = Moment & { attack: string; isBrief: boolean };

type Planted = { outside: Record<string, string> };
type Call = { kind: string; place: string; occurrence: number; site: string };

const plantsFile = path.resolve(import.meta.dirname, 'plants.cjs');
const plants: {
  ATTACKS: string[];
  REMOVAL: string;
  SECRET: string;
  makeOutside(root: string): void;
  normalized(place: string): string;
  snapshot(folder: string): Record<string, string>;
  undo(root: string): boolean;
  upwards(place: string, up: number): string;
} = createRequire(import.meta.url)(plantsFile);

/** What nothing disturbs runs inside this process, as in the fast suites; what is attacked never does. */
process.env.HOLDFAST_TEST_INSIDE ??= '1';

/** What hangs is ended; a busy machine takes ten times as long as a stop that waits for a lock. */
const PATIENCE_MS = 60_000;

/** A scene on its bench, ready to be played again and again. */
export class Player {
  readonly scene: Scene;
  readonly #bench: Bench;
  readonly #root: string;
  readonly #plugin: string | undefined;
  readonly #git: string;
  /** Could what an attacker put in the way be taken away again? What is lost with it is as if he had removed it. */
  #isWhole = true;

  private constructor(scene: Scene, bench: Bench, plugin: string | undefined) {
    this.scene = scene;
    this.#bench = bench;
    this.#root = bench.root;
    this.#plugin = plugin;
    this.#git = fs.readFileSync(bench.at('.git', 'config'), 'utf8');
  }

  static async of(scene: Scene, plugin?: string): Promise<Player> {
    const bench = new Bench(plugin);
    makePrograms(bench);
    await scene.prepare(bench);
    bench.remember();
    return new Player(scene, bench, plugin);
  }

  remove(): void {
    this.#bench.remove();
  }

  /** Every moment of the scene, and what the product says when it is left alone. */
  async moments(): Promise<{ moments: (Moment & { site: string })[]; ran: Ran }> {
    this.#reset();
    const trace = this.#beside('trace');
    fs.rmSync(this.#beside('reviews', 'here'), { force: true });
    fs.writeFileSync(trace, '');
    const ran = await this.#act({ trace });
    const lines = fs.readFileSync(trace, 'utf8').trim().split('\n');
    const calls: Call[] = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
    const atCalls = calls.flatMap(({ kind, place, occurrence, site }) =>
      place.split('/').map((_, up) => ({
        scene: this.scene.name,
        when: { key: `${kind} ${plants.normalized(place)}`, occurrence },
        place: plants.normalized(plants.upwards(place, up)),
        up,
        site: `${site} ${kind}`,
      })),
    );
    // Each path once: a program that runs can plant on all of them.
    const isProgram = fs.existsSync(this.#beside('reviews', 'here'));
    const paths = isProgram ? new Map(atCalls.map(({ place, up }) => [place, up])) : [];
    const inProgram = [...paths].map(([place, up]) => ({
      ...{ scene: this.scene.name, when: 'while its program runs' as const, place, up, site: 'program' },
    }));
    return { moments: [...atCalls, ...inProgram], ran };
  }

  /** What was wrong; null where the moment did not come. */
  async strike(attack: Attack): Promise<string[] | null> {
    const ran = await this.#attacked(attack);
    if (ran.exitCode === null) this.#wakeReaders();
    const note = this.#beside('planted.json');
    if (!fs.existsSync(note)) return null;
    const { outside }: Planted = JSON.parse(fs.readFileSync(note, 'utf8'));
    const problems = [...this.#saidWrong(ran), ...this.#leftWrong(outside), ...(await this.#stopsWrong())];
    const end = await this.#endsWrong();
    return end.length > 0 && (await this.#endsWithout(attack)) ? [...problems, ...end] : problems;
  }

  #attacked({ when, place, up, attack, isBrief }: Attack): Promise<Ran> {
    this.#reset();
    if (when !== 'while its program runs') return this.#act({ strike: { ...when, up, attack, isBrief } });
    const during = { root: this.#root, during: { place, attack, isAbove: up > 0 } };
    fs.writeFileSync(this.#beside('reviews', 'plants.json'), JSON.stringify(during));
    return this.#act({});
  }

  /** What it started may hang as well, and does so on when it was ended itself. */
  #wakeReaders(): void {
    for (const { file, found } of entries(this.#root))
      if (found.isFIFO()) fs.closeSync(fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_NONBLOCK));
  }

  /** Does it come to its end where the place was removed, and nothing planted? */
  async #endsWithout(attack: Attack): Promise<boolean> {
    await this.#attacked({ ...attack, attack: plants.REMOVAL });
    if (fs.existsSync(this.#beside('planted.json'))) this.#isWhole = plants.undo(this.#root);
    await this.#stopsWrong();
    return (await this.#endsWrong()).length === 0;
  }

  #beside(...names: string[]): string {
    return path.join(path.dirname(this.#root), ...names);
  }

  #reset(): void {
    this.#bench.goBack();
    plants.makeOutside(this.#root);
  }

  /** In a process of its own: it may hang. */
  async #act(plan: object): Promise<Ran> {
    const { scene } = this;
    const bench = this.#bench;
    const file = this.#beside('plants.json');
    fs.writeFileSync(file, JSON.stringify({ root: this.#root, ...plan }));
    const env = {
      PATH: `${process.env.PATH}`,
      FAKE_REVIEWS: this.#beside('reviews'),
      ...bench.env,
      NODE_OPTIONS: `--require "${plantsFile}"`,
      HOLDFAST_PLANTS: file,
    };
    const options = {
      timeoutMs: PATIENCE_MS,
      ...(this.#plugin === undefined ? {} : { plugin: this.#plugin }),
    };
    return fireOrRun(scene, bench, env, options);
  }

  #saidWrong({ exitCode, stdout, stderr }: Ran): string[] {
    const isHook = this.scene.command === undefined;
    const problems = exitCode === null ? ['it hangs'] : [];
    if (isHook && exitCode !== null && exitCode > 1) problems.push(`it ended with ${exitCode}`);
    if (isHook && !isOneObject(stdout)) problems.push(`this is no answer: ${stdout}`);
    if (`${stdout}${stderr}`.includes(plants.SECRET)) problems.push(`the secret is told: ${stdout}${stderr}`);
    return problems;
  }

  /** Takes the plant away, wherever it is by now. */
  #leftWrong(before: Planted['outside']): string[] {
    const outside = this.#beside('outside');
    const problems = changed(before, plants.snapshot(outside));
    const inodes = new Set(Object.values(before).map((line) => Number(line.split(' ')[3])));
    this.#isWhole = plants.undo(this.#root);
    for (const { file, found } of entries(this.#root)) {
      const isPlant = found.isSymbolicLink() || found.isFIFO() || (found.isFile() && inodes.has(found.ino));
      if (isPlant) fs.unlinkSync(file);
      else if (found.isFile() && fs.readFileSync(file, 'latin1').includes(plants.SECRET))
        problems.push(`the secret is in ${path.relative(this.#root, file)}`);
    }
    const more = entries(outside).filter(({ found }) => found.isFile() && found.nlink > 1);
    problems.push(...more.map(({ file }) => `${file} has another name somewhere`));
    problems.push(...this.#gitWrong());
    return problems;
  }

  #gitWrong(): string[] {
    const config = this.#bench.at('.git', 'config');
    const hooks = this.#bench.at('.git', 'hooks');
    const is = fs.existsSync(config) ? fs.readFileSync(config, 'utf8') : 'gone';
    const names = fs.existsSync(hooks) ? fs.readdirSync(hooks) : [];
    const problems = [
      ...(is === this.#git ? [] : [`.git/config is now: ${is}`]),
      ...(names.length === 0 ? [] : [`.git/hooks has ${names.join(', ')}`]),
    ];
    if (problems.length > 0) fs.writeFileSync(config, this.#git);
    for (const name of names) fs.rmSync(path.join(hooks, name), { recursive: true });
    return problems;
  }

  /** The next stop, without the plant. */
  async #stopsWrong(): Promise<string[]> {
    const next = await this.#bench.stop().catch((error: Error) => error);
    if (next instanceof Error) return [`the next answer is no JSON: ${next.message}`];
    const { exitCode, stdout, stderr } = next;
    return [
      ...(exitCode === 0 ? [] : [`the next stop failed: ${stderr}`]),
      ...(`${stdout}${stderr}`.includes(plants.SECRET) ? [`the next stop tells the secret: ${stdout}`] : []),
    ];
  }

  /** And all that follows. */
  async #endsWrong(): Promise<string[]> {
    const { carryOn } = this.scene;
    if (!this.#isWhole || carryOn === undefined) return [];
    try {
      await carryOn(this.#bench);
      return [];
    } catch (error) {
      return [`it has no end: ${String(error).slice(0, 200)}`];
    }
  }
}

/**
 * Attacks the scenes at so many of their moments, with what the seed chooses; each place gets its share, and those
 * where the output of checks and reviews lies get more.
 */
export async function attackScenes(
  scenes: readonly Scene[],
  count: number,
  { plugin, only }: { plugin?: string; only?: (attack: Attack) => boolean } = {},
): Promise<{ problems: string[]; struck: number; missed: string[] }> {
  const players = new Map<string, Player>();
  const found: Found[] = [];
  try {
    for (const scene of scenes) {
      const player = await Player.of(scene, plugin);
      players.set(scene.name, player);
      found.push(...(await player.moments()).moments);
    }
    return await strikeAll(players, chosen(found, count, only));
  } finally {
    for (const player of players.values()) player.remove();
  }
}

async function strikeAll(
  players: ReadonlyMap<string, Player>,
  attacks: readonly Attack[],
): Promise<{ problems: string[]; struck: number; missed: string[] }> {
  const problems: string[] = [];
  const missed: string[] = [];
  for (const attack of attacks) {
    const wrong = await players.get(attack.scene)?.strike(attack);
    if (wrong === null) missed.push(described(attack));
    problems.push(...(wrong ?? []).map((each) => `${described(attack)}: ${each}`));
  }
  return { problems, struck: attacks.length - missed.length, missed };
}

function described({ scene, when, place, attack, isBrief }: Attack): string {
  const moment = typeof when === 'string' ? when : `before ${when.key} (${when.occurrence})`;
  return `${scene}: ${attack} at ${place}, ${moment}${isBrief ? ', for that call alone' : ''}`;
}

type Found = Moment & { site: string };

/** The same call from the same place in the code, in another scene, is the same moment. */
function chosen(
  found: readonly Found[],
  count: number,
  only: (attack: Attack) => boolean = () => true,
): Attack[] {
  const random = seeded(SEED);
  const mixed = <Value>(list: readonly Value[]): Value[] => shuffled(list, random);
  const unique = new Map(mixed(found).map((each) => [`${each.site} ${each.place}`, each]));
  const attacks = [...unique.values()].flatMap(({ site: _, ...moment }) =>
    plants.ATTACKS.flatMap((attack) =>
      (moment.when === 'while its program runs' ? [false] : [false, true]).map((isBrief) => ({
        ...moment,
        attack,
        isBrief,
      })),
    ),
  );
  // In turns, place by place.
  const queues = new Map<string, Attack[]>();
  for (const attack of mixed(attacks.filter(only))) {
    const name = `${attack.place} ${typeof attack.when === 'string' || OUTPUTS.test(attack.place) ? attack.attack : ''}`;
    queues.set(name, [...(queues.get(name) ?? []), attack]);
  }
  const all: Attack[] = [];
  for (let turn = 0; all.length < Math.min(count, attacks.filter(only).length); turn++)
    all.push(...[...queues.values()].flatMap((queue) => queue[turn] ?? []));
  return all.slice(0, count);
}

const OUTPUTS = /\/(attempts|checks)\/|review-/;

type Options = { timeoutMs: number; plugin?: string };

async function fireOrRun(
  { command, event, payload }: Scene,
  bench: Bench,
  env: Record<string, string>,
  options: Options,
): Promise<Ran> {
  if (command === undefined) {
    const sent = { session_id: SESSION, cwd: bench.root, ...payload?.(bench) };
    const stop = event === undefined ? { hook_event_name: 'Stop', ...sent } : sent;
    const fire = { ...options, env, ...(event === undefined ? {} : { args: [event] }) };
    try {
      return await fireHook(bench.root, stop, fire);
    } catch (error) {
      return { exitCode: 0, stdout: `no JSON: ${error}`, stderr: '' };
    }
  }
  const { args, stdin = '', person = false } = command(bench);
  const session = person ? {} : { CLAUDE_CODE_SESSION_ID: SESSION };
  return runCli(bench.root, args, { ...options, stdin, env: { ...env, ...session } });
}

function isOneObject(stdout: string): boolean {
  if (stdout === '') return true;
  try {
    const value: unknown = JSON.parse(stdout);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

type Snapshot = Readonly<Record<string, string>>;

function changed(before: Snapshot, after: Snapshot): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((place) => {
    if (before[place] === after[place]) return [];
    const how = before[place] === undefined ? 'made' : after[place] === undefined ? 'removed' : 'changed';
    return [`${place.replace(/.*\/outside\//, '')}, which is outside, was ${how}`];
  });
}

function entries(folder: string): { file: string; found: fs.Stats }[] {
  return fs.readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name);
    const found = fs.lstatSync(file);
    return [{ file, found }, ...(found.isDirectory() && name !== 'objects' ? entries(file) : [])];
  });
}

/** The reviewer of the crash suite, which plants when it has said its review. It looks where it writes: that is its own matter. */
function makePrograms(bench: Bench): void {
  const bin = path.join(path.dirname(bench.root), 'bin');
  fs.mkdirSync(bin);
  const reviewer = path.resolve(import.meta.dirname, '../../crash/bin/claude');
  const lines = [
    '#!/bin/sh',
    'for prompt; do :; done',
    `file=$(printf '%s\\n' "$prompt" | sed -n 's/^Write your review to this exact file[^:]*: //p')`,
    '[ "$(realpath -m "$file")" = "$file" ] && [ ! -e "$file" ] || exit 1',
    `'${reviewer}' "$@" >"$FAKE_REVIEWS/said"; code=$?`,
    PLANT,
    'cat "$FAKE_REVIEWS/said"; exit $code',
  ];
  fs.writeFileSync(path.join(bin, 'claude'), `${lines.join('\n')}\n`, { mode: 0o755 });
  bench.env = { ...bench.env, PATH: `${bin}:${process.env.PATH}` };
}

/** A line of sh that plants, where the test wants it of the program that it stands in. */
export const PLANT = `: >"$FAKE_REVIEWS/here"; [ ! -e "$FAKE_REVIEWS/plants.json" ] || { '${process.execPath}' '${plantsFile}' "$FAKE_REVIEWS/plants.json"; rm "$FAKE_REVIEWS/plants.json"; }`;
