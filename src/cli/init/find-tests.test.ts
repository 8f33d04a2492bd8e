import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../../test/support/bare-project.ts';
import { findTests } from './find-tests.ts';

const SCRIPT = '{"scripts":{"test":"x"}}';
const NONE = '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}';

/** Small projects by their files; a name that ends in a slash is a folder. What is found: each check's command. */
const PROJECTS: readonly [what: string, files: Record<string, string>, found: Record<string, string>][] = [
  ['nothing that is known', { 'README.md': 'pytest' }, {}],
  ['npm', { 'package.json': SCRIPT }, { test: 'npm test' }],
  ['pnpm by its lock', { 'package.json': SCRIPT, 'pnpm-lock.yaml': '' }, { test: 'pnpm test' }],
  [
    'yarn by packageManager, beside another lock',
    { 'package.json': '{"packageManager":"yarn@4.9.0","scripts":{"test":"x"}}', 'package-lock.json': '{}' },
    { test: 'yarn test' },
  ],
  ['bun', { 'package.json': SCRIPT, 'bun.lock': '' }, { test: 'bun run test' }],
  ['what npm init writes', { 'package.json': NONE }, {}],
  ['a package.json that is no JSON', { 'package.json': '{' }, {}],
  [
    'a monorepo with a command at its root',
    { 'package.json': '{"workspaces":["a"],"scripts":{"test":"x"}}' },
    { test: 'npm test' },
  ],
  [
    'npm workspaces',
    { 'package.json': '{"workspaces":["a"]}' },
    { test: 'npm test --workspaces --if-present' },
  ],
  [
    'yarn workspaces',
    { 'package.json': '{"workspaces":["a"]}', 'yarn.lock': '' },
    { test: 'yarn workspaces run test' },
  ],
  [
    'workspaces of a newer yarn',
    { 'package.json': '{"workspaces":["a"]}', 'yarn.lock': '', '.yarnrc.yml': '' },
    { test: 'yarn workspaces foreach --all run test' },
  ],
  ['pnpm workspaces', { 'package.json': NONE, 'pnpm-workspace.yaml': '' }, { test: 'pnpm -r test' }],
  ['pytest', { 'pyproject.toml': '[tool.pytest.ini_options]' }, { test: 'python3 -m pytest' }],
  [
    'pytest in a virtual environment',
    { 'requirements-dev.txt': 'pytest==8\n', '.venv/': '' },
    { test: '.venv/bin/python -m pytest' },
  ],
  ['uv', { 'pyproject.toml': 'dev = ["pytest"]', 'uv.lock': '' }, { test: 'uv run pytest' }],
  ['poetry', { 'pyproject.toml': 'pytest = "^8"', 'poetry.lock': '' }, { test: 'poetry run pytest' }],
  ['unittest', { 'setup.py': '', 'tests/': '' }, { test: 'python3 -m unittest discover' }],
  ['python without tests', { 'pyproject.toml': '' }, {}],
  ['Django', { 'requirements.txt': 'Django', 'manage.py': '' }, { test: 'python3 manage.py test' }],
  ['cargo', { 'Cargo.toml': '[package]' }, { test: 'cargo test' }],
  ['a cargo workspace', { 'Cargo.toml': '[workspace]\nmembers = []' }, { test: 'cargo test --workspace' }],
  ['go', { 'go.mod': 'module x' }, { test: 'go test ./...' }],
  [
    'a go workspace',
    { 'go.work': 'go 1.24\nuse (\n\t./a // first\n\t./b\n)\n' },
    { test: 'go test ./a/... ./b/...' },
  ],
  [
    'a go workspace with a hostile name',
    { 'go.work': 'use ./a;id\n', 'go.mod': 'module x' },
    { test: 'go test ./...' },
  ],
  ['gradle by its wrapper', { 'build.gradle.kts': '', gradlew: '' }, { test: './gradlew test' }],
  ['gradle', { 'build.gradle': '' }, { test: 'gradle test' }],
  ['maven by its wrapper', { 'pom.xml': '', mvnw: '' }, { test: './mvnw test' }],
  ['maven', { 'pom.xml': '' }, { test: 'mvn test' }],
  ['.NET', { 'App.sln': '' }, { test: 'dotnet test' }],
  ['rspec', { Gemfile: '', 'spec/': '' }, { test: 'bundle exec rspec' }],
  ['Rails', { Gemfile: 'gem "rails"', 'config/': '' }, { test: 'bin/rails test' }],
  ['rake', { Gemfile: '', Rakefile: '' }, { test: 'bundle exec rake test' }],
  ['composer', { 'composer.json': SCRIPT }, { test: 'composer test' }],
  ['phpunit', { 'phpunit.xml.dist': '' }, { test: 'vendor/bin/phpunit' }],
  ['make alone', { Makefile: 'build:\n\ntest: build\n\tx\n' }, { test: 'make test' }],
  ['make check', { Makefile: 'check:\n\tx\n' }, { test: 'make check' }],
  ['a variable of make called test', { Makefile: 'test := 1\ntest ::= 2\n' }, {}],
  ['just', { justfile: "set shell := ['bash']\ntest filter='':\n  x\n" }, { test: 'just test' }],
  [
    'a target for what would be inferred',
    { 'go.mod': 'module x', Makefile: 'test:\n\tgo test -race ./...\n' },
    { test: 'make test' },
  ],
  [
    'a script for the only kind there is',
    { 'package.json': SCRIPT, Makefile: 'test:\n\tnpm test\n' },
    { test: 'npm test' },
  ],
  [
    'a target for several kinds',
    { 'package.json': SCRIPT, 'Cargo.toml': '', Makefile: 'test:\n\tx\n' },
    { test: 'make test' },
  ],
  // With a pattern that looks back at each line, these would take minutes.
  ['a hostile Cargo.toml', { 'Cargo.toml': '\n'.repeat(500_000) }, { test: 'cargo test' }],
  ['a hostile go.work', { 'go.work': 'use(\n'.repeat(150_000) }, {}],
  [
    'several kinds',
    { 'package.json': SCRIPT, 'Cargo.toml': '' },
    { test: 'npm test', 'test-rust': 'cargo test' },
  ],
];

describe('how a project is tested', () => {
  it.each(PROJECTS)('is found for %s', (_, files, found) => {
    const root = emptyFolder();
    for (const [name, text] of Object.entries(files))
      if (name.endsWith('/')) fs.mkdirSync(path.join(root, name));
      else fs.writeFileSync(path.join(root, name), text);
    expect(Object.fromEntries(findTests(root).map(({ name, run }) => [name, run]))).toEqual(found);
  });

  it('is not read through a link that leads out of the project', () => {
    const root = emptyFolder();
    const outside = path.join(emptyFolder(), 'package.json');
    fs.writeFileSync(outside, SCRIPT);
    fs.symlinkSync(outside, path.join(root, 'package.json'));
    expect(findTests(root)).toEqual([]);
  });
});
