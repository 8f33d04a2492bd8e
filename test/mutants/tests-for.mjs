// Which tests can see a change of a file: first those that import it, which are quick, then those that start the
// built hook or command line and go through its folder, then the slow suites that disturb it.

/** They find their places by the source's text, so every mutant would look caught. */
const readSource = [
  '**/defects.test.ts',
  '**/planted.test.ts',
  'test/architecture.test.ts',
  'test/loading.test.ts',
  'test/house/**',
  'test/conformance/conformance.test.ts',
];

const built = {
  'src/workflows/claudex': ['test/conformance/claudex', 'test/cli'],
  'src/workflows/idle': ['test/conformance/idle', 'test/cli'],
  'src/workflows/taskie': ['test/conformance/taskie', 'test/cli'],
  'src/workflows': ['test/cli', 'test/conformance/idle.transitions'],
  'src/engine': ['test/engine', 'test/cli', 'test/conformance/idle', 'test/conformance/taskie.sessions'],
  'src/clients': ['test/engine', 'test/conformance/idle', 'test/cli'],
  'src/reviewers': ['test/engine/reviews', 'test/conformance/taskie'],
  'src/store': ['test/store', 'test/engine', 'test/conformance/idle', 'test/cli'],
  'src/text': ['test/conformance/idle', 'test/engine', 'test/conformance/taskie.validation'],
  'src/config': ['test/cli', 'test/engine'],
  'src/cli': ['test/cli', 'test/engine', 'test/plugins', 'test/launcher'],
  plugins: ['test/launcher', 'test/plugins', 'test/engine/project', 'test/conformance/idle.transitions'],
};

const disturbed = {
  'src/workflows/claudex': [['crash', 'test/crash/claudex']],
  'src/workflows/idle': [['crash', 'test/crash/idle']],
  'src/workflows/taskie': [['crash', 'test/crash/taskie']],
  'src/engine': [
    ['crash', 'test/crash/taskie.test'],
    ['race', 'race.test'],
    ['fuzz', 'security'],
  ],
  'src/reviewers': [
    ['linux', 'reviewer'],
    ['crash', 'test/crash/taskie.test'],
  ],
  'src/store': [
    ['linux', ''],
    ['crash', 'test/crash/idle'],
    ['race', 'race.test'],
    ['fuzz', 'security'],
  ],
  'src/text': [['fuzz', '']],
  'src/clients': [['fuzz', 'readers']],
  'src/cli': [['fuzz', 'security']],
  plugins: [['linux', '']],
};

/** Arguments of vitest, one list per stage. The later ones are only for what the earlier ones did not see. */
export function stagesFor(file) {
  const exclude = readSource.flatMap((pattern) => ['--exclude', pattern]);
  const vitest = (...args) => ['node_modules/vitest/vitest.mjs', ...args, '--bail=1', ...exclude];
  const stages = [];
  if (file.endsWith('.ts'))
    stages.push(vitest('related', file, '--run', '--project', 'fast', '--passWithNoTests'));
  const fast = entryFor(built, file);
  if (fast.length > 0) stages.push(vitest('run', '--project', 'fast', ...fast));
  for (const [project, filter] of entryFor(disturbed, file))
    stages.push(vitest('run', '--project', project, ...(filter === '' ? [] : [filter])));
  return stages;
}

/** The longest folder that holds the file. */
function entryFor(table, file) {
  const folders = Object.keys(table).filter((folder) => file.startsWith(`${folder}/`));
  const nearest = folders.sort((one, other) => other.length - one.length)[0];
  return nearest === undefined ? [] : table[nearest];
}
