// How a project's tests are run, as far as the files at its root tell: one row per kind of project.

import fs from 'node:fs';
import { readInside } from '../../store/files.ts';
import { isObject, parseJson } from '../../store/json.ts';
import { below } from '../../store/paths.ts';

/** `from`: the files that say so, for the person who decides. `script`: what the command runs, as far as it is read. */
export type FoundTests = { name: string; run: string; from: string; script?: string };

/** What a row finds. `explicit`: the project itself names a command for its tests; nothing was inferred. */
type Finding = Omit<FoundTests, 'name'> & { explicit?: boolean };

/**
 * Several kinds of project in one repository: its own root command, where a task runner has one for all of them, else a
 * check for each kind.
 */
export function findTests(root: string): FoundTests[] {
  const files = filesIn(root);
  const tasks = inTaskRunner(files);
  const found = Object.entries(KINDS).flatMap(([kind, find]) => {
    const finding = find(files);
    return finding === null ? [] : [{ kind, ...finding }];
  });
  const [only] = found;
  if (tasks !== null && !(found.length === 1 && only?.explicit === true)) return [{ name: 'test', ...tasks }];
  return found.map(({ kind, explicit: _, ...finding }, position) => ({
    name: position === 0 ? 'test' : `test-${kind}`,
    ...finding,
  }));
}

/** What is looked for, in words. */
export const LOOKED_FOR =
  'package.json, pyproject.toml and pytest, Cargo.toml, go.mod, Makefile and justfile, Gradle, Maven, .NET, Gemfile, composer.json';

type Files = {
  names: readonly string[];
  has(name: string): boolean;
  /** '' where there is none. */
  text(name: string): string;
};

const READ_AT_MOST = 1024 * 1024;

function filesIn(root: string): Files {
  const names = fs.readdirSync(root);
  const has = (name: string): boolean => names.includes(name);
  return { names, has, text: (name) => (has(name) ? textOf(below(root, name), root) : '') };
}

/** What cannot be read tells nothing. */
function textOf(file: string, root: string): string {
  try {
    return readInside(file, root, READ_AT_MOST) ?? '';
  } catch {
    return '';
  }
}

const KINDS: Readonly<Record<string, (files: Files) => Finding | null>> = {
  node: inNode,
  python: inPython,
  rust: ({ has, text }) =>
    has('Cargo.toml')
      ? {
          run: /^[ \t]*\[workspace\]/m.test(text('Cargo.toml')) ? 'cargo test --workspace' : 'cargo test',
          from: 'Cargo.toml',
        }
      : null,
  go: inGo,
  gradle: ({ has }) => {
    const script = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'].find(has);
    if (script === undefined) return null;
    return has('gradlew') ? { run: './gradlew test', from: 'gradlew' } : { run: 'gradle test', from: script };
  },
  maven: ({ has }) => {
    if (!has('pom.xml')) return null;
    return has('mvnw') ? { run: './mvnw test', from: 'mvnw' } : { run: 'mvn test', from: 'pom.xml' };
  },
  dotnet: ({ names }) => {
    const project = names.find((name) => /\.(?:slnx?|csproj|fsproj)$/.test(name));
    return project === undefined ? null : { run: 'dotnet test', from: project };
  },
  ruby: inRuby,
  php: inPhp,
};

/** Only the first recipe of that name counts, and no variable (`test := …`). */
function inTaskRunner({ names, has, text }: Files): Finding | null {
  const justfile = names.find((name) => /^\.?justfile$/i.test(name));
  if (justfile !== undefined && /^@?test(?!\s*:=)(?:\s[^\n]*)?:(?!=)/m.test(text(justfile)))
    return { run: 'just test', from: `the recipe test in ${justfile}` };
  const makefile = ['GNUmakefile', 'makefile', 'Makefile'].find(has);
  const target =
    makefile === undefined
      ? null
      : /^(test|check)\s*::?(?![:=])[^\n]*((?:\n\t[^\n]*)*)/m.exec(text(makefile));
  return target === null
    ? null
    : { run: `make ${target[1]}`, from: `the target ${target[1]} in ${makefile}`, script: target[2] ?? '' };
}

/** What `npm init` puts there is no test. */
const NO_TEST = /no test specified/;

type PackageManager = { name: string; lock: string; run: string; all: string };

/** `all`: of a monorepo whose root has no command of its own. In the order in which they are looked for. */
const PACKAGE_MANAGERS: readonly PackageManager[] = [
  { name: 'pnpm', lock: 'pnpm-lock.yaml', run: 'pnpm test', all: 'pnpm -r test' },
  { name: 'yarn', lock: 'yarn.lock', run: 'yarn test', all: 'yarn workspaces run test' },
  { name: 'bun', lock: 'bun.lock', run: 'bun run test', all: "bun run --filter '*' test" },
  { name: 'bun', lock: 'bun.lockb', run: 'bun run test', all: "bun run --filter '*' test" },
  {
    name: 'npm',
    lock: 'package-lock.json',
    run: 'npm test',
    all: 'npm test --workspaces --if-present',
  },
];

function inNode({ has, text }: Files): Finding | null {
  const manifest = parseJson(text('package.json'));
  if (!isObject(manifest)) return null;
  const named = /^[a-z]+/.exec(textIn(manifest.packageManager))?.[0];
  const npm = PACKAGE_MANAGERS.at(-1);
  const manager =
    PACKAGE_MANAGERS.find(({ name }) => name === named) ??
    PACKAGE_MANAGERS.find(({ lock }) => has(lock)) ??
    npm;
  if (manager === undefined) return null;
  const script = isObject(manifest.scripts) ? textIn(manifest.scripts.test) : '';
  if (script !== '' && !NO_TEST.test(script))
    return { run: manager.run, from: 'the script test in package.json', script, explicit: true };
  if (has('pnpm-workspace.yaml')) return { run: 'pnpm -r test', from: 'pnpm-workspace.yaml' };
  if (manifest.workspaces === undefined) return null;
  const all = has('.yarnrc.yml') ? 'yarn workspaces foreach --all run test' : manager.all;
  return { run: all, from: 'the workspaces in package.json' };
}

/** By the tool that keeps its environment. */
const PYTHON_TOOLS: readonly { lock: string; run: string }[] = [
  { lock: 'uv.lock', run: 'uv run pytest' },
  { lock: 'poetry.lock', run: 'poetry run pytest' },
  { lock: 'pdm.lock', run: 'pdm run pytest' },
  { lock: 'Pipfile.lock', run: 'pipenv run pytest' },
];

function inPython({ names, has, text }: Files): Finding | null {
  const isPython =
    ['pyproject.toml', 'setup.py', 'setup.cfg', 'pytest.ini', 'tox.ini', 'Pipfile'].some(has) ||
    names.some((name) => /^requirements.*\.txt$/.test(name));
  if (!isPython) return null;
  if (has('manage.py') && !usesPytest({ names, text }))
    return { run: 'python3 manage.py test', from: 'manage.py' };
  const tool = PYTHON_TOOLS.find(({ lock }) => has(lock));
  if (usesPytest({ names, text }))
    return tool === undefined
      ? { run: `${has('.venv') ? '.venv/bin/python' : 'python3'} -m pytest`, from: 'its use of pytest' }
      : { run: tool.run, from: tool.lock };
  return has('tests') || has('test')
    ? { run: 'python3 -m unittest discover', from: has('tests') ? 'tests/' : 'test/' }
    : null;
}

function usesPytest({ names, text }: Pick<Files, 'names' | 'text'>): boolean {
  const declaring = names.filter((name) =>
    /^(?:pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|Pipfile|requirements.*\.txt)$/.test(name),
  );
  return (
    names.includes('pytest.ini') ||
    names.includes('conftest.py') ||
    declaring.some((name) => text(name).includes('pytest'))
  );
}

const LONGEST_BLOCK = 16 * 1024;

function inGo({ has, text }: Files): Finding | null {
  if (has('go.work')) {
    const work = text('go.work');
    const from = work.search(/^use\s*\(/m);
    const block = from < 0 ? '' : (/\(([^)]*)\)/.exec(work.slice(from, from + LONGEST_BLOCK))?.[1] ?? '');
    const single = Array.from(work.matchAll(/^use\s+([^\s(]+)/gm), (match) => match[1] ?? '');
    const modules = [...block.split('\n'), ...single]
      .map((line) => line.replace(/\/\/.*/, '').trim())
      .filter((module) => /^\.?[\w./-]*$/.test(module) && module !== '');
    if (modules.length > 0)
      return { run: `go test ${modules.map((module) => `${module}/...`).join(' ')}`, from: 'go.work' };
  }
  return has('go.mod') ? { run: 'go test ./...', from: 'go.mod' } : null;
}

function inRuby({ has, text }: Files): Finding | null {
  if (!has('Gemfile')) return null;
  if (has('.rspec') || has('spec') || /\brspec\b/.test(text('Gemfile')))
    return { run: 'bundle exec rspec', from: has('.rspec') ? '.rspec' : has('spec') ? 'spec/' : 'Gemfile' };
  if (has('config') && /\brails\b/.test(text('Gemfile'))) return { run: 'bin/rails test', from: 'Gemfile' };
  return has('Rakefile') ? { run: 'bundle exec rake test', from: 'Rakefile' } : null;
}

function inPhp({ has, text }: Files): Finding | null {
  const manifest = parseJson(text('composer.json'));
  if (isObject(manifest) && isObject(manifest.scripts) && manifest.scripts.test !== undefined)
    return { run: 'composer test', from: 'the script test in composer.json', explicit: true };
  const settings = ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'].find(has);
  return settings === undefined ? null : { run: 'vendor/bin/phpunit', from: settings };
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
