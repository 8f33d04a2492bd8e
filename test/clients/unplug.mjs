#!/usr/bin/env node
// Is every safeguard proven? Unplugs each of them in a copy of the sources, builds that, and plays the
// scenario that rests on it: it must fail. Not part of CI; run it when a safeguard or its scenario changes.
//   node test/clients/unplug.mjs [name of a safeguard …]

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Each is unplugged by replacing a piece of code that must be found exactly once. */
const safeguards = [
  {
    name: 'recursion guard',
    file: 'src/engine/work/environment.ts',
    take: "HOLDFAST_DISABLE: '1',",
    put: '',
    scenario: ['4-taskie', 'the reviewer cannot take the plan over or be held'],
  },
  {
    name: 'session ticket',
    file: 'src/engine/context.ts',
    take: 'export function isHandFired(stop: Stop): boolean {',
    put: 'export function isHandFired(stop: Stop): boolean {\n  if (stop.session !== null) return true;',
    scenario: [
      '6-sessions',
      'another session in the project is not held, and is notified once .*Claude Code -p',
    ],
  },
  {
    name: 'progress guard',
    file: 'src/engine/guard/guard.ts',
    take: 'if (exhausted(counts, limits) === null) return',
    put: 'if (exhausted(counts, limits) === null || limits.unmoved >= 0) return',
    scenario: ['2-idle', 'no progress: let go, with the notice and a result'],
  },
  {
    name: 'fence parsing',
    file: 'src/text/signals.ts',
    take: 'return reading(lines, isHardToParse(text) ? scanHidden(text) : await parseHidden(text));',
    put: 'return reading(lines, text === "" ? [...scanHidden(text), ...(isHardToParse(text) ? [] : await parseHidden(text))] : []);',
    scenario: ['2-idle', 'a signal inside a fence does not end the loop'],
  },
  {
    name: 'verdict path',
    file: 'src/reviewers/claude.ts',
    take: "verdictOf(envelope.structured_output) ?? verdictOf(envelope.result) ?? 'none'",
    put: "verdictOf((envelope.result as { verdict?: unknown }).verdict) ?? 'none'",
    scenario: ['7-interrupted', 'client and hook killed with -9 in a review .*Claude Code -p'],
  },
  {
    name: 'transcript wait',
    file: 'src/text/last-message.ts',
    take: 'const WAITS = 10;',
    put: 'const WAITS: number = 0;',
    scenario: ['2-idle', 'a signal in the first of two text blocks ends it .*Claude Code -p'],
  },
  {
    name: 'attempt record',
    file: 'src/engine/work/attempt.ts',
    take: 'writeSidecar(project.root, withReview(begin.sidecar, attempt));',
    put: '',
    scenario: [
      '7-interrupted',
      'client killed with -9 in a review that then ends by itself .*Claude Code -p',
    ],
  },
  {
    name: 'refused claim',
    file: 'src/engine/proof/judge.ts',
    take: 'if (failing.length > 0) {',
    put: 'if (failing.length > checks.length) {',
    scenario: ['13-proof', 'done while the check is red, then green .*Claude Code -p'],
  },
  {
    name: 'trust',
    file: 'src/engine/proof/trust.ts',
    take: "if (check.from === 'user') return true;",
    put: "if (check.name !== '') return true;",
    scenario: ['13-proof', 'nobody trusted the check'],
  },
  {
    name: "Claude Code's sandbox",
    file: 'src/clients/claude-code/sandbox.ts',
    take: 'return bubblewrap(root, env);',
    put: "return root === '' ? bubblewrap(root, env) : { kind: 'none' };",
    scenario: ['13-proof', 'stays in its sandbox, given with --settings'],
  },
  {
    name: "Codex's sandbox",
    file: 'src/clients/codex/sandbox.ts',
    take: "if (tightest.profile.type === 'disabled') return",
    put: "if (tightest.profile.type !== '') return",
    scenario: ['13-proof', 'stays in its sandbox, workspace-write'],
  },
  {
    name: 'pin',
    file: 'src/engine/proof/prove.ts',
    take: 'const pin = readPin(stopped.project, name);',
    put: `const pinned = readPin(stopped.project, name);
      const { requiredChecks } = await import('./required.ts');
      const { trustOf } = await import('./trust.ts');
      const { project } = stopped;
      const pin = pinned && { ...pinned, ...requiredChecks(project, [], trustOf(project), pinned.startedAt) };`,
    scenario: ['13-proof', 'an agent that .* in mid-loop'],
  },
  {
    name: 'checks before a review',
    file: 'src/workflows/taskie/decide.ts',
    take: 'if (!isOfCode || facts.failedReviews >= MOST_FAILURES) return null;',
    put: "if (!isOfCode || facts.plan !== '') return null;",
    scenario: ['13-proof', 'taskie: no reviewer is paid for red code .*Claude Code -p'],
  },
  {
    name: 'wait for a subagent',
    file: 'src/clients/claude-code/index.ts',
    take: "...counted(subagents, 'subagent'),",
    put: '',
    scenario: ['14-waiting', 'a background subagent: .*Claude Code -p'],
  },
  {
    name: 'no wait for a server',
    file: 'src/clients/claude-code/index.ts',
    take: "({ type }) => type === 'subagent'",
    put: "({ type }) => type !== ''",
    scenario: ['14-waiting', 'a server in the background .*Claude Code TUI'],
  },
  {
    name: 'who is a person',
    file: 'src/clients/claude-code/transcript.ts',
    take: "task_notification: 'background',",
    put: "task_notification: 'person',",
    scenario: ['14-waiting', 'the end of a subagent is no answer'],
  },
  {
    name: 'clock without waits',
    file: 'src/engine/waiting/clock.ts',
    take: 'return now - (waits?.waited ?? 0) - (waiting === undefined ? 0 : length(waiting, now));',
    put: 'return waits === undefined && waiting === undefined ? now : now + 0 * length.length;',
    scenario: ['14-waiting', 'a question, answered in the terminal .*Claude Code TUI'],
  },
  {
    name: 'limit in the transcript',
    file: 'src/workflows/idle/decide.ts',
    take: 'isStale(loop, facts.now - (facts.limited ?? 0))',
    put: 'isStale(loop, facts.now)',
    scenario: ['14-limits', 'a usage limit ends the client; .*Codex exec'],
  },
  {
    name: 'denied calls',
    file: 'src/text/transcript.ts',
    take: 'line.toolCall && !isDenied(line, denied)',
    put: 'line.toolCall && (!isDenied(line, denied) || line.toolCall)',
    scenario: ['14-limits', 'calls that the client denies'],
  },
  {
    name: 'version before feedback',
    file: 'src/clients/claude-code/encode.ts',
    take: "stop.turn !== null && knowsFeedback(env.AI_AGENT ?? '')",
    put: "stop.client !== '' || knowsFeedback(env.AI_AGENT ?? '')",
    scenario: ['14-limits', 'a hold said as feedback, in '],
  },
  {
    name: 'patch for reviewers',
    file: 'src/engine/changes/in-prompt.ts',
    take: 'if (changes === null) return call;',
    put: "if (changes === null || name !== '') return call;",
    scenario: ['15-reviews', 'two vendors in turn, .*Claude Code -p'],
  },
  {
    name: 'where a task began',
    file: 'src/workflows/taskie/saved.ts',
    take: 'return { task: head, plan: known.plan ?? (isFirst ? head : null) };',
    put: "return { task: head === '' ? head : null, plan: isFirst ? known.plan : null };",
    scenario: ['15-reviews', 'two vendors in turn, .*Claude Code -p'],
  },
  {
    name: 'raised again',
    file: 'src/engine/docket/raised.ts',
    take: 'if (entry.file !== null && entry.file === answered.file) return true;',
    put: '',
    scenario: ['15-reviews', 'two vendors in turn, .*Codex exec'],
  },
  {
    name: 'who stands in',
    file: 'src/reviewers/who-reviews.ts',
    take: 'const standIn = programs.find(({ name }) => isOnPath(name, env))?.name ?? null;',
    put: "const standIn = programs.find(({ name }) => name === '' && isOnPath(name, env))?.name ?? null;",
    scenario: ['15-reviews', 'Codex alone, as agent and as reviewer'],
  },
];

const repository = path.resolve(import.meta.dirname, '../..');
const wanted = process.argv.slice(2);
const copy = fs.mkdtempSync('/var/tmp/holdfast-unplugged-');
let proven = true;
try {
  for (const folder of ['src', 'plugins', 'scripts'])
    fs.cpSync(path.join(repository, folder), path.join(copy, folder), { recursive: true });
  fs.copyFileSync(path.join(repository, 'package.json'), path.join(copy, 'package.json'));
  fs.symlinkSync(path.join(repository, 'node_modules'), path.join(copy, 'node_modules'));
  console.log(
    '| safeguard | unplugged in | scenario | plugged in | unplugged |\n| --- | --- | --- | --- | --- |',
  );
  for (const safeguard of safeguards.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))
    proven = prove(safeguard) && proven;
} finally {
  fs.rmSync(copy, { recursive: true, force: true });
}
process.exitCode = proven ? 0 : 1;

function prove({ name, file, take, put, scenario }) {
  const source = fs.readFileSync(path.join(copy, file), 'utf8');
  if (source.split(take).length !== 2)
    throw new Error(`${name}: its code is no longer in ${file}; look for it there`);
  const before = play(scenario);
  fs.writeFileSync(
    path.join(copy, file),
    source.replace(take, () => put),
  );
  // The transcript is late only when the hook starts fast, which on a busy machine it does not always do.
  let after = 'passes';
  for (let tries = 0; tries < 5 && after === 'passes'; tries++) after = play(scenario);
  fs.writeFileSync(path.join(copy, file), source);
  const [, title] = scenario;
  console.log(`| ${name} | ${file} | ${title.replace(' .*', ', ')} | ${before} | ${after} |`);
  return before === 'passes' && after === 'fails';
}

/** Builds the copy and plays one scenario with it. */
function play([file, title]) {
  const marketplace = path.join(copy, 'dist');
  const build = spawnSync(process.execPath, [path.join(copy, 'scripts', 'build.mjs')], { encoding: 'utf8' });
  if (build.status !== 0) throw new Error(`the copy does not build:\n${build.stdout}${build.stderr}`);
  const vitest = path.join(repository, 'node_modules', 'vitest', 'vitest.mjs');
  const config = path.join(import.meta.dirname, 'vitest.config.ts');
  const report = path.join(copy, 'report.json');
  fs.rmSync(report, { force: true });
  spawnSync(
    process.execPath,
    [vitest, 'run', '--config', config, '--reporter=json', `--outputFile.json=${report}`, file, '-t', title],
    { cwd: repository, env: { ...process.env, HOLDFAST_TEST_MARKETPLACE: marketplace }, encoding: 'utf8' },
  );
  const { numPassedTests, numFailedTests } = JSON.parse(fs.readFileSync(report, 'utf8'));
  if (numPassedTests + numFailedTests === 0) throw new Error(`no scenario is called "${title}" in ${file}`);
  return numFailedTests === 0 ? 'passes' : 'fails';
}
