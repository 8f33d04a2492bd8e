import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject } from '../../test/support/bare-project.ts';
import { runtimeIn } from '../../test/support/stop-here.ts';
import type { Environment } from '../store/environment.ts';
import { ensureHome } from '../store/home.ts';
import { bind } from '../store/sidecars.ts';
import { isDoubtful, refuseUnreached, rootForNewRun, rootOfCommand } from './session-root.ts';
import { NotNow } from './workflow-cli.ts';

let folder: string;
beforeEach(() => {
  folder = bareProject().root;
  make('home');
});
const at = (name: string): string => path.join(folder, name);
const make = (names: string): void => {
  for (const name of names.split(' ')) fs.mkdirSync(at(name), { recursive: true });
};

/** The environment of a session that was started there; null: in a terminal. `?`: its client has written nothing down. */
function startedIn(start: string | null, session = 's1'): Environment {
  if (start === null) return { HOME: at('home') };
  if (start === '?') return { HOME: at('home'), CODEX_SESSION_ID: 'c1' };
  const transcripts = at(`home/.claude/projects/of-${session}`);
  fs.mkdirSync(transcripts, { recursive: true });
  fs.writeFileSync(
    `${transcripts}/${session}.jsonl`,
    `${JSON.stringify({ type: 'user', cwd: at(start) })}\n`,
  );
  return { HOME: at('home'), CLAUDE_CODE_SESSION_ID: session };
}

const orRefusal = (work: () => string): string => {
  try {
    return path.relative(folder, work());
  } catch (error) {
    expect(error).toBeInstanceOf(NotNow);
    return `refused: ${(error as Error).message.replaceAll(`${folder}/`, '')}`;
  }
};
const refused = (root: string, start: string) =>
  expect.stringMatching(
    new RegExp(`^refused: a run in ${root} would never hold this session: it was started in ${start},`),
  );

describe('a run', () => {
  it.each<[string, string, string | null, unknown]>([
    ['p/.git q/.git', 'q', null, 'q'],
    ['p/.git q/.git', 'q', '?', 'q'],
    ['q/.git', 'q', 'gone', 'q'],
    ['p/.git p/a/b', 'p/a/b', 'p', 'p'],
    ['p/.git p/a/b', 'p', 'p/a', 'p'],
    ['t/s', 't', 't/s', 't'],
    ['s/a/b', 's/a/b', 's', 's'],
    ['s/a/b s/a/.toy', 's/a/b', 's', 's'],
    ['p/.git q/.git q/a', 'q/a', 'p', refused('q', 'p')],
    ['s/in/.git s/in/a', 's/in/a', 's', refused('s/in', 's')],
    ['s/in/.git', 's/in', 's', refused('s/in', 's')],
    ['s t', 't', 's', refused('t', 's')],
  ])(
    '(with %s, from %s in a session of %s) goes where its stops look for it, or is refused',
    (made, cwd, start, root) => {
      make(made);
      expect(
        orRefusal(() => rootForNewRun(at(cwd), ['.toy'], startedIn(start), 'holdfast toy start a')),
      ).toEqual(root);
    },
  );

  it('that is refused is told where to start it, and finds its folder by a link as well', () => {
    make('p/.git p/a q/.git');
    fs.symlinkSync(at('p/a'), at('link'));
    const start = (cwd: string) =>
      orRefusal(() => rootForNewRun(at(cwd), ['.toy'], startedIn('p'), 'holdfast toy start a'));
    expect(start('link')).toBe('p');
    expect(start('q')).toContain(
      'Start the run there: cd p && holdfast toy start a (or start the client in q).',
    );
  });

  it.each<[string, string | null, boolean]>([
    ['q', 'p', true],
    ['gone', 'p', true],
    ['p', 'p/a', false],
    ['link', 'p/a', false],
    ['q', null, false],
    ['q', '?', false],
  ])('that lies in %s already is refused to a session of %s: %s', (root, start, isRefused) => {
    make('p/.git p/a q/.git');
    fs.symlinkSync(at('p'), at('link'));
    const refuse = () => refuseUnreached(at(root), 'toy:a', startedIn(start));
    if (isRefused) expect(refuse).toThrow(`toy:a lies in ${at(root)} and would never hold this session`);
    else expect(refuse).not.toThrow();
  });
});

it.each<[string, string, string[], string | null, string | null]>([
  ['p/.toy q/.toy', 'q', [], null, 'q'],
  ['p/.toy q/.toy', 'q', [], 'p', 'q'],
  ['p/.toy q/.toy', 'q', [], '?', 'q'],
  ['p/.toy q/.toy', 'q', ['p'], 'p', 'p'],
  ['p/.toy q/.toy', 'q', ['p'], null, 'q'],
  ['p/.toy q/.toy', 'q', ['p', 'q'], 'p', 'q'],
  ['p/.toy q', 'q', [], 'p', 'p'],
  ['p/.toy q', 'q', [], null, null],
  ['p q', 'q', [], 'p', null],
])(
  'a command (with %s, from %s, runs of the session in %j, started in %s) is about %s',
  (made, cwd, own, start, root) => {
    make(`p/.git q/.git ${made}`);
    for (const place of own) {
      ensureHome(at(place));
      bind(at(place), 'toy:a', ['s1']);
    }
    const runtime = runtimeIn({ ...bareProject(), env: startedIn(start) });
    expect(rootOfCommand(at(cwd), null, runtime)).toBe(root === null ? null : at(root));
  },
);

it.each([
  ['p', 'p', false],
  ['p', '?', true],
  ['q', '?', false],
  ['q/a/in', '?', true],
])('whether the session was started in %s is doubtful, started in %s: %s', (root, start, doubtful) => {
  make('p q/.git q/a/in/.git');
  expect(isDoubtful(at(root), startedIn(start))).toBe(doubtful);
});
