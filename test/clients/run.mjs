#!/usr/bin/env node
// The client suite from nothing: checks what it needs, installs the pinned clients, builds Holdfast, plays
// every scenario, and writes test/clients/seen.md from what was seen.
//   node test/clients/run.mjs [--all] [--check] [--report FILE] [part of a file's name …]
// --all also plays the scenarios of with-all/; without it the page keeps what it says of them. --check fails instead of
// writing when test/clients/seen.md is out of date. With names only those files run, and the page is left alone.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { renderPage, sectionOf } from './page.mjs';

const { values: options, positionals: names } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    report: { type: 'string', default: '.test-build/report-clients.json' },
  },
  allowPositionals: true,
});
const suite = import.meta.dirname;
const others = path.join(suite, 'others');
const repository = path.resolve(suite, '../..');
const report = path.resolve(options.report);
const playsAll = options.all || names.length > 0;
const installLog = path.join(suite, 'install.log');
process.chdir(repository);

checkPrograms();
installTools();
installClients();
if (playsOthers()) installOthers();
buildIfStale();
const passed = playScenarios();
const pageIsRight = !passed || names.length > 0 || writePage();
process.exitCode = passed && pageIsRight ? 0 : 1;

/** Missing is a failure, never a skip: a suite that quietly proves less is worth nothing. */
function checkPrograms() {
  // The last two are what Claude Code makes its sandbox of on Linux; cc builds the clock that scenarios set forward.
  const packages = { git: 'git', tmux: 'tmux', cc: 'gcc libc6-dev', bwrap: 'bubblewrap', socat: 'socat' };
  const missing = Object.keys(packages).filter((program) => spawnSync(program, ['-V']).error !== undefined);
  for (const program of missing)
    console.error(
      `${program} is missing, and the client suite needs it. On Debian: apt-get install ${packages[program]}`,
    );
  if (missing.length > 0) process.exit(1);
}

/** A fresh clone has neither the test runner nor what builds Holdfast. */
function installTools() {
  if (fs.existsSync('node_modules/vitest/vitest.mjs')) return;
  console.log('Installing the tools of the repository …');
  if (install(repository, 'install')) return;
  console.error(`\`npm install\` failed in ${repository}. See ${installLog}`);
  process.exit(1);
}

function installClients() {
  if (wrongVersions().length === 0) return;
  console.log('Installing the pinned clients (about 1 GB) …');
  const wrong = install(suite, 'ci') ? wrongVersions() : ['`npm ci` failed'];
  if (wrong.length === 0) return;
  console.error(`The pinned clients are not there: ${wrong.join('; ')}. See ${installLog}`);
  process.exit(1);
}

/** Groups 20 and up are those of the other clients, which lie in a folder of their own. */
function playsOthers() {
  const files = fs.readdirSync(path.join(suite, 'scenarios')).filter((file) => /^[2-9]\d-/.test(file));
  return names.length === 0 || files.some((file) => names.some((name) => file.includes(name)));
}

function installOthers() {
  if (wrongOthers().length === 0) return;
  console.log('Installing the other clients (about 500 MB) …');
  const wrong = install(others, 'ci') ? wrongOthers() : ['`npm ci` failed'];
  if (wrong.length === 0) return;
  console.error(`The other clients are not there: ${wrong.join('; ')}. See ${installLog}`);
  process.exit(1);
}

function wrongOthers() {
  const { dependencies, optionalDependencies = {} } = readJson(path.join(others, 'package.json'));
  const own = `-${process.platform}-${process.arch}`;
  const needed = Object.entries({ ...dependencies, ...optionalDependencies }).filter(
    ([name]) => name in dependencies || name.endsWith(own),
  );
  return needed.flatMap(([name, wanted]) => {
    const file = path.join(others, 'node_modules', name, 'package.json');
    const found = fs.existsSync(file) ? readJson(file).version : 'missing';
    const version = wanted.split('@').at(-1);
    return found === version ? [] : [`${name} should be ${version} and is ${found}`];
  });
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

function install(folder, command) {
  const npm = spawnSync('npm', [command, '--no-progress'], { cwd: folder, encoding: 'utf8' });
  fs.writeFileSync(installLog, `${npm.stdout}\n${npm.stderr}`);
  return npm.status === 0;
}

/** Asks the programs themselves: a package whose install script did not run has a version but no program. */
function wrongVersions() {
  const { claude, codex, olderClaude } = clients();
  const programs = [
    ['.bin/claude', claude],
    ['.bin/codex', codex],
    [`claude-code-${olderClaude}/bin/claude.exe`, olderClaude],
  ];
  return programs.flatMap(([program, version]) => {
    const ran = spawnSync(path.join(suite, 'node_modules', program), ['--version'], { encoding: 'utf8' });
    const found = /\d+\.\d+\.\d+/.exec(ran.stdout ?? '')?.[0];
    return found === version ? [] : [`${program} should be ${version} and is ${found ?? 'missing'}`];
  });
}

function clients() {
  const { dependencies } = readJson(path.join(suite, 'package.json'));
  const older = Object.keys(dependencies).find((name) => name.startsWith('claude-code-'));
  return {
    claude: dependencies['@anthropic-ai/claude-code'],
    codex: dependencies['@openai/codex'],
    olderClaude: older.slice('claude-code-'.length),
    others: pinnedOthers(),
  };
}

/** Some are there for one platform alone. */
function pinnedOthers() {
  const { dependencies, optionalDependencies = {} } = readJson(path.join(others, 'package.json'));
  return { ...dependencies, ...optionalDependencies };
}

/** What is tested is what is built, so it must be what the sources say. Another build can be named instead. */
function buildIfStale() {
  if (process.env.HOLDFAST_TEST_MARKETPLACE !== undefined) return;
  const built = fs.statSync('dist/holdfast/lib/hook.cjs', { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = ['src', 'plugins', 'scripts', 'extensions'].flatMap((folder) =>
    fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  );
  const newest = Math.max(
    ...sources.map((entry) => fs.statSync(path.join(entry.parentPath, entry.name)).mtimeMs),
  );
  if (built > newest) return;
  const build = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  if (build.status !== 0) process.exit(1);
}

function playScenarios() {
  const vitest = path.join('node_modules', 'vitest', 'vitest.mjs');
  const config = path.join(suite, 'vitest.config.ts');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const left = playsAll ? [] : ['--exclude', 'scenarios/with-all/**'];
  const args = ['run', '--config', config, ...reporters, ...left, ...names];
  fs.mkdirSync(path.dirname(report), { recursive: true });
  const played = spawnSync(process.execPath, [vitest, ...args], { stdio: 'inherit' });
  return played.status === 0;
}

function writePage() {
  const page = 'test/clients/seen.md';
  const before = fs.existsSync(page) ? fs.readFileSync(page, 'utf8') : '';
  const groups = playsAll ? [] : groupsWithAll();
  const kept = groups.flatMap((group) => sectionOf(before, group) ?? []);
  if (kept.length < groups.length) {
    console.error(`${page} says nothing of a group in with-all: run \`npm run test:clients -- --all\`.`);
    return false;
  }
  const text = renderPage(readJson(report), clients(), kept);
  if (before === text) return true;
  if (options.check) {
    console.error(`${page} is out of date: run \`npm run test:clients\` and commit what it writes.`);
    return false;
  }
  fs.mkdirSync(path.dirname(page), { recursive: true });
  fs.writeFileSync(page, text);
  console.log(`${page} is written.`);
  return true;
}

function groupsWithAll() {
  const folder = path.join(suite, 'scenarios', 'with-all');
  return fs
    .readdirSync(folder)
    .map((file) => /^describe\('(.+)',/m.exec(fs.readFileSync(path.join(folder, file), 'utf8'))[1]);
}
