// test/clients/seen.md, made from the report of a whole run: which scenario was played in which client, and what
// was seen. The same run gives the same page: no times, no ids.

const MODES = [
  ...['Claude Code -p', 'Claude Code stream-json', 'Claude Code TUI', 'Codex exec', 'Codex TUI'],
  'Qwen Code -p',
  'Copilot CLI -p',
  'Gemini CLI -p',
  'opencode run',
  'Droid exec',
  'all seven',
];

/** The other clients: how each is called, and its package. */
const OTHERS = [
  ['Qwen Code', '@qwen-code/qwen-code'],
  ['Copilot CLI', '@github/copilot'],
  ['Gemini CLI', '@google/gemini-cli'],
  ['opencode', 'opencode-ai'],
  ['Droid', '@factory/cli-linux-x64'],
];

export function renderPage(report, versions, kept = []) {
  // By name: in the report the files stand in the order in which they came to their end.
  const files = [...report.testResults].sort((one, other) => (one.name < other.name ? -1 : 1));
  const seen = files.flatMap(({ assertionResults }) =>
    assertionResults.map(({ title, meta }) => {
      if (!meta?.seen) throw new Error(`the scenario "${title}" does not say what was seen`);
      return meta.seen;
    }),
  );
  const groups = [...new Set(seen.map(({ group }) => group))];
  const sections = [...groups.map((group) => ({ group, text: section(group, seen) })), ...kept].sort(
    (one, other) => number(one.group) - number(other.group),
  );
  const count = sections.reduce((sum, { text }) => sum + rowsOf(text), 0);
  return `${head(versions, count)}\n${sections.map(({ text }) => text).join('\n')}`;
}

export function sectionOf(page, group) {
  const sections = page.split(/^(?=## )/m);
  const text = sections.find((one) => one.startsWith(`## ${group}\n`));
  return text === undefined ? undefined : { group, text: `${text.trimEnd()}\n` };
}

/** Without the two lines of the table's head. */
const rowsOf = (text) => text.split('\n').filter((line) => line.startsWith('| ')).length - 2;

function head({ claude, codex, others }, count) {
  const more = OTHERS.map(([title, name]) => `**${title} ${others[name]}**`).join(', ');
  return `# What was seen in the real clients

Written by \`npm run test:clients\` and checked in CI; don't edit it. Each row is a scenario of
[scenarios](scenarios) that was played in the real program from npm, **Claude Code ${claude}**
and **Codex CLI ${codex}** in all groups up to 18, in a group each ${more}, and all seven on one machine in the last group, with a scripted model behind it on
loopback: no account, no real model. ${count} were played.

The first two are driven in five ways: one prompt (\`claude -p\`, \`codex exec\`), several user turns in one session
(\`--input-format stream-json\`, which only Claude Code has), and the TUI of each in a terminal; the others by one prompt. A cell that is
not listed was not played. *Stops* counts what Holdfast's journal says of the scenario: a stop in a project
without a run is not looked at and leaves no line. Where a client cannot do something, the row says so and what shows it.
CI plays twelve scenarios of each of the others at most; what goes beyond is in groups of its own, played \`with --all\`.

[more-clients.md](../../docs/more-clients.md) says how the others differ. **Cursor was not run**: it needs an account.
`;
}

function section(group, all) {
  const seen = all.filter((one) => one.group === group);
  const scenarios = [...new Set(seen.map(({ scenario }) => scenario))];
  const rows = scenarios.flatMap((scenario) =>
    seen
      .filter((one) => one.scenario === scenario)
      .sort((one, other) => MODES.indexOf(one.mode) - MODES.indexOf(other.mode))
      .map(({ mode, stops, text }) => `| ${cell(scenario)} | ${mode} | ${stops} | ${cell(text)} |`),
  );
  return `## ${group}\n\n| scenario | client | stops | seen |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

const number = (group) => Number.parseInt(group, 10);
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '\\<').replaceAll('\n', ' ');
