// What ships for taskie: the skills both clients load, the texts reviewers read, and how the suites are run.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACTIONS } from '../../src/workflows/taskie/cli/transitions.ts';
import { NEW_STATE } from '../../src/workflows/taskie/state-format.ts';
import { tempProject } from '../support/project.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => fs.readFileSync(path.join(repository, file), 'utf8');
const skill = (name: string): string => read(`plugins/taskie/skills/${name}/SKILL.md`);

const SKILLS = [
  ...[
    'new-plan',
    'create-tasks',
    'add-task',
    'next-task',
    'next-task-tdd',
    'complete-task',
    'complete-task-tdd',
  ],
  ...[
    'continue-task',
    'continue-plan',
    'plan-review',
    'post-plan-review',
    'tasks-review',
    'post-tasks-review',
  ],
  ...['code-review', 'post-code-review', 'all-code-review', 'post-all-code-review'],
];

describe('the skills of taskie', () => {
  it('are exactly the actions, beside what every workflow has', () => {
    expect(fs.readdirSync(path.join(repository, 'plugins/taskie/skills')).sort()).toEqual(
      [...SKILLS, 'cancel', 'status'].sort(),
    );
  });

  it.each(SKILLS)(
    '%s has a name, a description, the ground rules, and works in both clients',
    { tags: ['T-action-3.b'] },
    (name) => {
      const text = skill(name);
      expect(text).toMatch(new RegExp(`^---\nname: ${name}\ndescription: \\S.*\n`));
      expect(text).toContain('../../ground-rules.md');
      expect(text).toContain('../../bin/holdfast');
      // In Codex $ARGUMENTS stays literal, and in a shell line it would be an injection hole.
      if (text.includes('$ARGUMENTS'))
        expect(text).toMatch(/typed after this skill's name|after this skill's name/);
      const code = text.split('`').filter((_, index) => index % 2 === 1);
      expect(code.filter((piece) => piece.includes('ARGUMENTS'))).toEqual([]);
    },
  );

  it.each(SKILLS.filter((name) => name !== 'continue-plan'))(
    '%s runs its own record, once',
    { tags: ['T-action-5.c'] },
    (name) => {
      const records = skill(name).match(/taskie record [a-z-]+/g) ?? [];
      expect(records).toEqual([`taskie record ${name}`]);
      expect(ACTIONS).toContain(name);
    },
  );

  it('continue-plan runs next and does what it says', { tags: ['T-codex-2'] }, () => {
    expect(skill('continue-plan')).toContain('holdfast taskie next');
  });

  it('continue-plan takes only the name of a plan’s folder into its command', () => {
    expect(skill('continue-plan')).toContain(
      'counts as an id only if a folder in `.taskie/plans` has exactly that name',
    );
    expect(skill('continue-plan')).toContain('never put other text of theirs into a command');
  });

  it('continue-task sends an outstanding answer first', () => {
    expect(skill('continue-task')).toContain('While the answer to a review is outstanding it is refused');
  });

  it.each(['complete-task', 'complete-task-tdd', 'next-task', 'next-task-tdd'])(
    '%s takes only digits into its command',
    (name) => {
      expect(skill(name)).toContain('counts as an id only if it is digits and nothing else');
      expect(skill(name)).toContain('never put other text of theirs into a command');
    },
  );

  it.each([
    'new-plan',
    'create-tasks',
    'complete-task',
    'complete-task-tdd',
    'continue-task',
    'post-plan-review',
    'post-tasks-review',
    'post-code-review',
    'post-all-code-review',
  ])('%s says plainly how to leave the loop', { tags: ['T-action-2.b'] }, (name) => {
    expect(skill(name)).toContain('set `"next_phase": null` in the plan\'s `state.json`');
    expect(skill(name)).toContain('`"max_reviews": 0`');
  });

  it.each(['complete-task', 'complete-task-tdd', 'next-task', 'next-task-tdd', 'continue-task'])(
    '%s carries its own implementation instructions',
    { tags: ['T-action-5'] },
    (name) => {
      const text = skill(name);
      for (const part of [
        'must-run commands',
        'acceptance criteria',
        'commit',
        'push if the repository has a remote',
      ])
        expect(text).toContain(part);
    },
  );

  it.each(['complete-task-tdd', 'next-task-tdd'])('%s goes red, green, refactor, in that order', (name) => {
    expect(skill(name)).toMatch(/\*\*red\*\*[\s\S]*\*\*green\*\*[\s\S]*\*\*refactor\*\*/);
  });

  it.each(['complete-task', 'complete-task-tdd'])(
    '%s has no review loop and no cap of its own',
    { tags: ['T-action-5.d'] },
    (name) => {
      expect(skill(name)).toContain('`max_reviews` in `state.json`');
      expect(skill(name)).not.toMatch(/\b\d+ (reviews|cycles|rounds)\b/);
    },
  );

  it.each(['post-plan-review', 'post-tasks-review', 'post-code-review', 'post-all-code-review'])(
    '%s skips what would remove working functionality, and leaves the verdict to the reviewer',
    { tags: ['T-risk-7'] },
    (name) => {
      expect(skill(name)).toMatch(/remove functionality that works, skip, and say why/);
      expect(skill(name)).toContain('the reviewer, not you, decides');
    },
  );
});

describe('the ground rules', () => {
  const rules = read('plugins/taskie/ground-rules.md');

  it('show state.json in the folder’s structure', { tags: ['T-ground-1'] }, () => {
    expect(rules).toMatch(/^\| `state\.json` \|/m);
  });

  it('ask for an update at every transition, by record', { tags: ['T-ground-2'] }, () => {
    expect(rules).toMatch(/updated at every transition/);
    expect(rules).toContain('holdfast taskie record <action>');
  });

  it('give the schema, field by field', { tags: ['T-ground-3'] }, () => {
    for (const field of Object.keys(NEW_STATE))
      expect(rules).toMatch(new RegExp(`^\\| \`${field}\` \\|`, 'm'));
  });

  it('name state.json as the truth, not the git history or the task files', { tags: ['T-ground-4'] }, () => {
    expect(rules).toMatch(/`state\.json` is the truth about where the plan is: not the git history/);
  });

  it('forbid estimates and dates, say how to skip all-code-review, and the most reviews there can be', {
    tags: ['T-advance-6', 'T-risk-9'],
  }, () => {
    expect(rules).toMatch(/No estimates of time, no dates/);
    expect(rules).toContain('set `"phase": "complete"` and `"next_phase": null`');
    expect(rules).toContain('24 + 8 N');
  });

  it('and the review texts are the same for reviewers and for skills', () => {
    for (const file of [
      'ground-rules.md',
      ...fs.readdirSync(path.join(repository, 'plugins/taskie/actions')).map((name) => `actions/${name}`),
    ])
      expect(read(`plugins/taskie/${file}`)).toBe(read(`dist/holdfast/taskie/${file}`));
  });
});

describe('the shim of the taskie plugin', () => {
  let place: ReturnType<typeof tempProject>;

  beforeEach(() => {
    place = tempProject('place with spaces');
  });

  afterEach(() => place.remove());

  const install = (file: string, content: string): string => {
    const written = place.write(file, content);
    fs.chmodSync(written, 0o755);
    return written;
  };
  const shim = (): string => read('dist/taskie/bin/holdfast');
  const says = (what: string): string => `#!/bin/sh\necho "${what} $1"\n`;

  it('finds holdfast beside it in a marketplace folder', () => {
    const file = install('taskie/bin/holdfast', shim());
    install('holdfast/bin/holdfast', says('beside'));
    expect(execFileSync(file, ['a b'], { encoding: 'utf8' })).toBe('beside a b\n');
  });

  it('finds its own version in a client’s cache, else the newest', () => {
    const file = install('cache/taskie/1.1.0/bin/holdfast', shim());
    install('cache/holdfast/1.0.0/bin/holdfast', says('old'));
    fs.utimesSync(path.join(place.root, 'cache/holdfast/1.0.0'), new Date(2020, 1), new Date(2020, 1));
    install('cache/holdfast/1.2.0/bin/holdfast', says('new'));
    expect(execFileSync(file, ['x'], { encoding: 'utf8' })).toBe('new x\n');
    install('cache/holdfast/1.1.0/bin/holdfast', says('same'));
    expect(execFileSync(file, ['x'], { encoding: 'utf8' })).toBe('same x\n');
  });

  it('says what is missing when there is none', () => {
    const file = install('taskie/bin/holdfast', shim());
    expect(() => execFileSync(file, ['x'], { encoding: 'utf8', stdio: 'pipe' })).toThrow(
      /not installed beside/,
    );
  });
});

describe('how taskie is tested', () => {
  const suites = [
    ['validation', 1, 17],
    ['auto-review', 2, 15],
    ['state', 3, 16],
    ['reviewer', 4, 14],
    ['auto-review', 5, 6],
    ['edge-cases', 6, 12],
  ] as const;

  it.each(suites)(
    'taskie.%s.test.ts holds suite %i with its %i tests',
    { tags: ['T-testing-8', 'T-accept-3.5.1', 'T-accept-3.5.2', 'T-accept-3.5.3', 'T-accept-3.5.7'] },
    (file, suite, count) => {
      const source = read(`test/conformance/taskie.${file}.test.ts`);
      const numbers = [...source.matchAll(/'(\d)\.(\d+) /g)].filter(([, of]) => of === String(suite));
      expect(numbers.map(([, , number]) => Number(number))).toEqual(
        Array.from({ length: count }, (_, index) => index + 1),
      );
    },
  );

  it('every suite shares the helpers, uses the fake reviewer and removes what it made', {
    tags: ['T-testing-7', 'T-accept-3.5.5', 'T-accept-3.5.6'],
  }, () => {
    for (const [file] of suites) {
      const source = read(`test/conformance/taskie.${file}.test.ts`);
      expect(source).toContain("from '../fixtures/taskie/plan.ts'");
      expect(source).toContain('afterEach(() => project.remove());');
    }
  });

  it('the fake reviewer prints recordings of the real client and calls nothing', {
    tags: ['T-testing-5', 'T-testing-6'],
  }, () => {
    const fake = read('test/fixtures/taskie/bin/claude');
    expect(fake).toMatch(/recorded\/.*claude-code/);
    expect(fake).not.toMatch(/fetch\(|node:http|node:net/);
  });

  it('npm has commands for all tests, for state and reviews, and for validation', () => {
    const { scripts } = JSON.parse(read('package.json'));
    expect(scripts.test).toContain('vitest run');
    expect(scripts['test:state']).toMatch(/vitest run .*test\/conformance\/taskie\.state\.test\.ts/);
    expect(scripts['test:validation']).toMatch(
      /vitest run .*test\/conformance\/taskie\.validation\.test\.ts/,
    );
  });
});
