import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runtimeHere } from '../hook/runtime.ts';
import type { Environment } from '../store/environment.ts';
import { ensureHome } from '../store/home.ts';
import { bind } from '../store/sidecars.ts';
import type { Runtime } from './context.ts';
import {
  isDoubtful,
  refuseUnnamable,
  refuseUnreached,
  rootForNewRun,
  rootOfCommand,
} from './session-root.ts';
import type { RegistryEntry } from './workflow.ts';
import { NotNow } from './workflow-cli.ts';

const traces = ['.toy'];
let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-root-')));
  make('home');
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const at = (name: string): string => path.join(folder, name);
const make = (...names: readonly string[]): void => {
  for (const name of names) fs.mkdirSync(at(name), { recursive: true });
};

/** The environment in the shell of a session that was started in `start`; null: in a terminal. A new one each time. */
function startedIn(start: string | null, session = 's1'): Environment {
  if (start === null) return { HOME: at('home') };
  const transcripts = at(`home/.claude/projects/of-${session}`);
  fs.mkdirSync(transcripts, { recursive: true });
  const line = JSON.stringify({ type: 'user', cwd: at(start) });
  fs.writeFileSync(path.join(transcripts, `${session}.jsonl`), `${line}\n`);
  return { HOME: at('home'), CLAUDE_CODE_SESSION_ID: session };
}

/** Of a session whose client has written nothing down. */
const startedSomewhere = (): Environment => ({ HOME: at('home'), CODEX_SESSION_ID: 'c1' });

const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(NotNow);
    return (error as Error).message;
  }
  return 'not refused';
};

it('a folder whose name is no UTF-8 is refused, with what to do', () => {
  expect(refusal(() => refuseUnnamable('/no/caf\uFFFD'))).toBe(
    'the path of this folder, "/no/caf\uFFFD", has bytes in it that are no UTF-8, and no run can be kept there. Rename the folder, and start again in it.',
  );
  expect(refusal(() => refuseUnnamable('/no/cafe'))).toBe('not refused');
});

describe('a new run', () => {
  const rootIn = (cwd: string, env: Environment): string =>
    path.relative(folder, rootForNewRun(at(cwd), traces, env, 'holdfast toy start a'));

  it('goes where its command is run, in a terminal', () => {
    make('p/.git', 'q/.git/x');
    expect(rootIn('q', startedIn(null))).toBe('q');
  });

  it('goes where its command is run, for a session of which nothing tells where it was started', () => {
    make('q/.git');
    expect(rootIn('q', startedSomewhere())).toBe('q');
    // Its folder is gone since.
    expect(rootIn('q', startedIn('gone'))).toBe('q');
  });

  it('goes where the stops of its session look for it', () => {
    make('p/.git', 'p/a/b');
    expect(rootIn('p/a/b', startedIn('p'))).toBe('p');
    expect(rootIn('p/a/b', startedIn('p/a'))).toBe('p');
    expect(rootIn('p', startedIn('p/a'))).toBe('p');
    make('t/s');
    expect(rootIn('t', startedIn('t/s'))).toBe('t');
  });

  it('goes up to the session’s folder where the agent only went deeper, with no repository in between', () => {
    make('s/a/b');
    expect(rootIn('s/a/b', startedIn('s'))).toBe('s');
    make('s/a/.toy');
    expect(rootIn('s/a/b', startedIn('s'))).toBe('s');
  });

  it('finds its folder by a link as well', () => {
    make('p/.git', 'p/a');
    fs.symlinkSync(at('p/a'), at('link'));
    expect(rootIn('link', startedIn('p'))).toBe('p');
  });

  it('in another repository would never hold the session: it is refused, with where to start it', () => {
    make('p p/.git', 'p p/a', 'q/.git', 'q/a');
    expect(refusal(() => rootIn('q/a', startedIn('p p/a')))).toBe(
      `a run in ${at('q')} would never hold this session: it was started in ${at('p p/a')}, and its stops are looked for there. Start the run there: cd '${at('p p')}' && holdfast toy start a (or start the client in ${at('q')}).`,
    );
  });

  it.each([
    ['a repository below the session’s folder', ['s/in/.git', 's/in/a'], 's/in/a', 's'],
    ['a repository right where the agent is', ['s/in/.git'], 's/in', 's'],
    ['a folder beside the session’s', ['s', 't'], 't', 's'],
  ])('in %s is refused', (_, made, cwd, start) => {
    make(...made);
    expect(refusal(() => rootIn(cwd, startedIn(start)))).toMatch(
      /^a run in .* would never hold this session: it was started in /,
    );
  });
});

describe('the project of a command', () => {
  const toy: RegistryEntry = {
    ...{ name: 'toy', description: '', begin: '', traces },
    load: () => Promise.reject(new Error('not loaded')),
    cli: () => Promise.reject(new Error('not loaded')),
  };
  const rootIn = (cwd: string, env: Environment): string | null => {
    const runtime: Runtime = { ...runtimeHere(env), registry: [toy] };
    const root = rootOfCommand(at(cwd), null, runtime);
    return root === null ? null : path.relative(folder, root);
  };
  const bindIn = (root: string, session: string): void => {
    ensureHome(at(root));
    bind(at(root), 'toy:a', [session]);
  };

  it('is where it is run', () => {
    make('p/.git', 'p/.toy', 'q/.git', 'q/.toy');
    expect(rootIn('q', startedIn(null))).toBe('q');
    expect(rootIn('q', startedIn('p'))).toBe('q');
    expect(rootIn('q', startedSomewhere())).toBe('q');
  });

  it('is where the session was started, where its own runs lie there', () => {
    make('p/.git', 'p/.toy', 'q/.git', 'q/.toy');
    bindIn('p', 's1');
    expect(rootIn('q', startedIn('p'))).toBe('p');
    expect(rootIn('q', startedIn(null))).toBe('q');
    expect(rootIn('q', startedIn('p', 's2'))).toBe('q');
  });

  it('is where it is run, where runs of the session lie there as well', () => {
    make('p/.git', 'p/.toy', 'q/.git', 'q/.toy');
    bindIn('p', 's1');
    bindIn('q', 's1');
    expect(rootIn('q', startedIn('p'))).toBe('q');
  });

  it('is where the session was started, where there is none here', () => {
    make('p/.git', 'p/.toy', 'q/.git');
    expect(rootIn('q', startedIn('p'))).toBe('p');
    expect(rootIn('q', startedIn(null))).toBeNull();
  });

  it('is nowhere where neither has runs', () => {
    make('p/.git', 'q/.git');
    expect(rootIn('q', startedIn('p'))).toBeNull();
  });
});

describe('a run that lies somewhere already', () => {
  const refused = (root: string, env: Environment): string =>
    refusal(() => refuseUnreached(at(root), 'toy:a', env));

  it('is refused where the stops of the session would never find it', () => {
    make('p/.git', 'q q/.git');
    expect(refused('q q', startedIn('p'))).toBe(
      `toy:a lies in ${at('q q')} and would never hold this session: it was started in ${at('p')}, and its stops are looked for there. To go on with it, start the client where it lies: cd '${at('q q')}'`,
    );
  });

  it('is not where they find it, or nothing tells', () => {
    make('p/.git', 'p/a', 'q/.git');
    fs.symlinkSync(at('p'), at('link'));
    expect(refused('p', startedIn('p/a'))).toBe('not refused');
    expect(refused('link', startedIn('p/a'))).toBe('not refused');
    expect(refused('q', startedIn(null))).toBe('not refused');
    expect(refused('q', startedSomewhere())).toBe('not refused');
  });

  it('that is gone is not where they look', () => {
    make('p/.git');
    expect(refused('gone', startedIn('p'))).toMatch(/^toy:a lies in /);
  });
});

describe('whether the session was started in the project', () => {
  it('is certain where its client wrote it down', () => {
    make('p');
    expect(isDoubtful(at('p'), startedIn('p'))).toBe(false);
  });

  it('is doubtful where the project is no repository, and certain enough where it is', () => {
    make('p', 'q/.git');
    expect(isDoubtful(at('p'), startedSomewhere())).toBe(true);
    expect(isDoubtful(at('q'), startedSomewhere())).toBe(false);
    expect(isDoubtful('/', startedSomewhere())).toBe(!fs.existsSync('/.git'));
  });

  it('is doubtful in a repository that lies in another', () => {
    make('p/.git', 'p/a/in/.git');
    expect(isDoubtful(at('p/a/in'), startedSomewhere())).toBe(true);
    expect(isDoubtful(at('p'), startedSomewhere())).toBe(false);
  });
});
