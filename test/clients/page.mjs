// docs/clients.md, made from the report of a whole run: which scenario was played in which client, and what
// was seen. The same run gives the same page: no times, no ids.

const MODES = [
  ...['Claude Code -p', 'Claude Code stream-json', 'Claude Code TUI', 'Codex exec', 'Codex TUI'],
  'Qwen Code -p',
  'Copilot CLI -p',
  'Gemini CLI -p',
  'opencode run',
  'Droid exec',
];

/** The other clients: how each is called, and its package. */
const OTHERS = [
  ['Qwen Code', '@qwen-code/qwen-code'],
  ['Copilot CLI', '@github/copilot'],
  ['Gemini CLI', '@google/gemini-cli'],
  ['opencode', 'opencode-ai'],
  ['Droid', '@factory/cli-linux-x64'],
];

/** @param {{ testResults: { name: string, assertionResults: { title: string, meta?: { seen?: Seen } }[] }[] }} report
 *  @param {{ claude: string, codex: string, others: Record<string, string> }} versions
 *  @typedef {{ group: string, scenario: string, mode: string, stops: string, text: string }} Seen */
export function renderPage(report, versions) {
  // By name: in the report the files stand in the order in which they came to their end.
  const files = [...report.testResults].sort((one, other) => (one.name < other.name ? -1 : 1));
  const seen = files.flatMap(({ assertionResults }) =>
    assertionResults.map(({ title, meta }) => {
      if (!meta?.seen) throw new Error(`the scenario "${title}" does not say what was seen`);
      return meta.seen;
    }),
  );
  const groups = [...new Set(seen.map(({ group }) => group))].sort(
    (one, other) => number(one) - number(other),
  );
  return `${head(versions, seen.length)}\n${groups.map((group) => section(group, seen)).join('\n')}`;
}

function head({ claude, codex, others }, count) {
  const more = OTHERS.map(([title, name]) => `**${title} ${others[name]}**`).join(', ');
  return `# What was seen in the real clients

Written by \`npm run test:clients\` and checked in CI; don't edit it. Each row is a scenario of
[test/clients](../test/clients/scenarios) that was played in the real program from npm, **Claude Code ${claude}**
and **Codex CLI ${codex}** in all groups up to 18, and in a group each ${more}, with a scripted model behind it on
loopback: no account, no real model. ${count} were played.

The first two are driven in five ways: one prompt (\`claude -p\`, \`codex exec\`), several user turns in one session
(\`--input-format stream-json\`, which only Claude Code has), and the TUI of each in a terminal; the others by one prompt. A cell that is
not listed was not played. *Stops* counts what Holdfast's journal says of the scenario: a stop in a project
without a run is not looked at and leaves no line. Where a client cannot do something, the row says so and what shows it.

[more-clients.md](more-clients.md) says how the others differ. **Cursor was not run**: it needs an account.
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
