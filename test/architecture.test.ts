// The direction of dependencies and the few places that may write, as ARCHITECTURE.md states them.
// The rules are functions over { file: source }, so that each is shown to fail on a small example below.

import fs from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { registry } from '../src/workflows/registry.ts';

/** Which folder of src may use which others; each may use itself. The last five are the ground, and use each other. */
const ground = ['store', 'reviewers', 'text', 'clients', 'processes'];
const mayUse: Readonly<Record<string, readonly string[]>> = {
  cli: ['views', 'view', 'export', 'driver', 'hook', 'engine', 'workflows', 'config', ...ground],
  // The libraries are in no plugin; all they are given comes from the command, and what they import of ours is text work.
  views: ['view', 'engine', 'store', 'text'],
  // What is shown of runs, wherever it is shown.
  view: ['hook', 'engine', 'workflows', 'config', ...ground],
  // What a collector is sent.
  export: ['engine', 'config', ...ground],
  // Drives any run through its workflow's commands, which it is given.
  driver: ['engine', 'config', ...ground],
  hook: ['engine', 'workflows', 'config', ...ground],
  // A flow is gone through before it runs.
  workflows: ['engine', 'config', 'explorer', ...ground],
  engine: ['config', ...ground],
  // Explores any decision; knows none.
  explorer: [],
  config: ground,
  store: ground,
  reviewers: ground,
  text: ground,
  clients: ground,
  processes: ground,
};

/** Imports of types alone that go the other way. Nothing is loaded by them. */
const typesMayGo: readonly { from: string; to: string; why: string }[] = [
  { from: 'reviewers', to: 'config', why: 'how much a reviewer may do is a setting' },
];

/** Files that write without store/disk.ts. Everything else goes through it, so that a test can make any step fail. */
const writers: readonly { file: string; why: string }[] = [
  { file: 'store/disk.ts', why: 'this is where Holdfast writes' },
  {
    file: 'store/owner.ts',
    why: 'opens and makes for disk.ts and the locks, in the name of the folder’s owner',
  },
  { file: 'store/lock.ts', why: 'the lock file and its marker are no data; they are opened, never replaced' },
  { file: 'store/lease-lock.ts', why: 'a lock made of files: links and empty files are the lock itself' },
  { file: 'store/open.ts', why: 'every file is opened here; disk.ts and owner.ts say which are written' },
  { file: 'hook/main.ts', why: 'standard output and standard error' },
  { file: 'view/line/main.ts', why: 'standard output and standard error' },
  { file: 'cli/checks.ts', why: 'doctor tries the hook in a folder of its own' },
  { file: 'workflows/claudex/cli/doctor.ts', why: 'doctor tries the hook in a folder of its own' },
  { file: 'cli/demo/play.ts', why: 'the demo plays in a folder of its own' },
];

type Sources = Readonly<Record<string, string>>;

type Module = {
  file: string;
  /** Without types and comments. */
  code: string;
  imports: readonly Import[];
};

type Import = {
  /** A file of src, or a package, or one of node's own. */
  to: string;
  typeOnly: boolean;
};

async function readModules(sources: Sources): Promise<readonly Module[]> {
  return Promise.all(
    Object.entries(sources).map(async ([file, source]) => {
      const { code } = await transform(source, {
        loader: file.endsWith('.tsx') ? 'tsx' : 'ts',
        tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
      });
      const values = specifiers(code, [
        /\b(?:import|export)\b[^'"`;()]*?\bfrom\s*"([^"]+)"/g,
        /\bimport\s*"([^"]+)"/g,
        /\b(?:import|require|getBuiltinModule)\(\s*"([^"]+)"/g,
      ]).map((name) => ({ to: resolve(file, name), typeOnly: false }));
      const types = specifiers(source, [/^\s*(?:import|export)\s+type\s[^;]*?\bfrom\s*'([^']+)'/gm]).map(
        (name) => ({ to: resolve(file, name), typeOnly: true }),
      );
      return { file, code, imports: [...values, ...types] };
    }),
  );
}

function specifiers(text: string, patterns: readonly RegExp[]): string[] {
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''));
}

function resolve(file: string, name: string): string {
  return name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name;
}

const folderOf = (file: string): string => file.split('/')[0] ?? '';

const isOurs = (to: string): boolean => folderOf(to) in mayUse && to.includes('/');

/** cli → hook → engine, workflows → config → store, reviewers, text, clients. */
function wrongWay(modules: readonly Module[]): string[] {
  return modules.flatMap(({ file, imports }) =>
    imports
      .filter(({ to, typeOnly }) => {
        if (!/\.tsx?$/.test(to) || folderOf(to) === folderOf(file)) return false;
        if (!isOurs(to)) return true;
        const isNoted = typesMayGo.some((each) => each.from === folderOf(file) && each.to === folderOf(to));
        return !mayUse[folderOf(file)]?.includes(folderOf(to)) && !(typeOnly && isNoted);
      })
      .map(({ to }) => `${file} imports ${to}`),
  );
}

/** The command line loads a view when it is built and there, by its types alone; the page has nothing but types of ours. */
function loadedViews(modules: readonly Module[]): string[] {
  return modules.flatMap(({ file, imports }) =>
    imports
      .filter(({ to, typeOnly }) => {
        if (typeOnly || !/\.tsx?$/.test(to)) return false;
        if (file.startsWith('views/page/'))
          return !to.startsWith('views/page/') && to !== 'view/run-state.ts';
        return folderOf(to) === 'views' && folderOf(file) !== 'views';
      })
      .map(({ to }) => `${file} loads ${to}`),
  );
}

/** A workflow is a folder of its own: what two share belongs below them. */
function workflowsThatMeet(modules: readonly Module[]): string[] {
  return modules.flatMap(({ file, imports }) =>
    imports
      .filter(({ to }) => {
        const [own, other] = [workflowOf(file), workflowOf(to)];
        return own !== null && other !== null && own !== other;
      })
      .map(({ to }) => `${file} imports ${to}`),
  );
}

function workflowOf(file: string): string | null {
  return /^workflows\/([^/]+)\//.exec(file)?.[1] ?? null;
}

/** What a name in state.json stands for, and the list of programs: data and text work, and looked into like the rest. */
const NAMES_OF_REVIEWERS = ['reviewers/names.ts', 'reviewers/pair.ts', 'reviewers/programs.ts'];

/** Whatever a decision reaches is in its own folder or is pure text work: no node, store, engine or package. */
function impureDecisions(modules: readonly Module[]): string[] {
  const byFile = new Map(modules.map((module) => [module.file, module]));
  return modules
    .filter(({ file }) => /^workflows\/[^/]+\/decide\.ts$/.test(file))
    .flatMap((decision) => {
      const own = `workflows/${workflowOf(decision.file)}/`;
      const found: string[] = [];
      const seen = new Set<string>();
      const visit = (module: Module, way: string): void => {
        if (seen.has(module.file)) return;
        seen.add(module.file);
        for (const match of module.code.matchAll(CLOCKS_AND_DICE)) found.push(`${way} uses ${match[0]}`);
        for (const { to } of module.imports.filter((each) => !each.typeOnly)) {
          const isPure = to.startsWith(own) || to.startsWith('text/') || NAMES_OF_REVIEWERS.includes(to);
          if (!isPure) found.push(`${way} reaches ${to}`);
          const next = byFile.get(to);
          if (isPure && next !== undefined) visit(next, `${way} → ${to}`);
        }
      };
      visit(decision, decision.file);
      return found;
    });
}

const CLOCKS_AND_DICE =
  /\b(?:Date\.now|Math\.random|performance\.\w+|new Date\(\)|process\.\w+\b(?!")|setTimeout|setInterval|setImmediate|globalThis|fetch\()/g;

const WRITING =
  /^(?:writeFile|write|writev|appendFile|rename|unlink|rm|rmdir|mkdir|mkdtemp|truncate|ftruncate|link|symlink|copyFile|cp|chmod|fchmod|lchmod|chown|fchown|lchown|utimes|futimes|lutimes|createWriteStream|open|openAsBlob)(?:Sync)?$/;

/** Files that call something of node:fs that writes, and are not among the writers. */
function writesElsewhere(modules: readonly Module[]): string[] {
  return modules
    .filter(({ file }) => !writers.some((writer) => writer.file === file))
    .flatMap((module) => writingCalls(module).map((call) => `${module.file} calls ${call}`));
}

function writingCalls({ code, imports }: Module): string[] {
  if (!imports.some(({ to, typeOnly }) => !typeOnly && /^(?:node:)?fs(?:\/promises)?$/.test(to))) return [];
  const bound = specifiers(code, [
    /\bimport\s+(?:\*\s*as\s+)?(\w+)[^'"`;]*?from\s*"(?:node:)?fs(?:\/promises)?"/g,
    /\b(\w+)\s*=[^;=]*\(\s*"(?:node:)?fs(?:\/promises)?"/g,
  ]);
  return [...code.matchAll(/(?:(\w+)(?:\.promises)?\.)?\b(\w+)\(/g)].flatMap((match) => {
    const [call, object, name = ''] = match;
    if (!WRITING.test(name)) return [];
    // The synchronous names are nobody else's; `write` or `rename` may be a method of ours.
    const isOfNode = object === undefined ? importsByName(code, name) : bound.includes(object);
    if (!isOfNode && !name.endsWith('Sync')) return [];
    const isOpen = /^open(?:Sync)?$/.test(name);
    return isOpen && opensForReading(code.slice(match.index + call.length)) ? [] : [name];
  });
}

function importsByName(code: string, name: string): boolean {
  return specifiers(code, [/\bimport\b[^'"`;]*?\{([^}]*)\}\s*from\s*"(?:node:)?fs(?:\/promises)?"/g]).some(
    (names) =>
      names.split(',').some(
        (each) =>
          each
            .trim()
            .split(/\s+as\s+/)
            .at(-1) === name,
      ),
  );
}

function opensForReading(rest: string): boolean {
  const [call = ''] = rest.split('\n');
  return /"r"|\bO_RDONLY\b/.test(call) && !/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND/.test(call);
}

const OPENING =
  /^(?:open|openAsBlob|readFile|writeFile|appendFile|copyFile|cp|mkdtemp|mkdtempDisposable|truncate|createReadStream|createWriteStream|opendir|ReadStream|WriteStream)(?:Sync)?$/;

const OPENER = 'store/open.ts';

/** All files are opened in one module, which says how; `openAt`, which takes a path as it is, is for owner.ts alone. */
function opensElsewhere(modules: readonly Module[]): string[] {
  return modules
    .filter(({ file }) => file !== OPENER)
    .flatMap(({ file, code, imports }) => {
      if (!imports.some(({ to, typeOnly }) => !typeOnly && /^(?:node:)?fs(?:\/promises)?$/.test(to)))
        return /\bopenAt\b/.test(code) && file !== 'store/owner.ts' ? [`${file} opens by openAt`] : [];
      const bound = specifiers(code, [
        /\bimport\s+(?:\*\s*as\s+)?(\w+)[^'"`;]*?from\s*"(?:node:)?fs(?:\/promises)?"/g,
      ]);
      const names = [...code.matchAll(/(?:(\w+)(?:\.promises)?\.)?\b(\w+)\b/g)].flatMap(
        ([, object, name = '']) => {
          // The longer names are nobody else's; `open` or `cp` may be a method of ours.
          const isOfNode =
            /(?:Sync|Stream)$/.test(name) ||
            (object === undefined ? importsByName(code, name) : bound.includes(object));
          return OPENING.test(name) && isOfNode ? [name] : [];
        },
      );
      const takesPath = /\bopenAt\b/.test(code) && file !== 'store/owner.ts' ? ['openAt'] : [];
      return [...new Set([...names, ...takesPath])].map((name) => `${file} opens by ${name}`);
    });
}

/** An import whose target is computed cannot be checked by anyone. */
function hiddenImports(modules: readonly Module[]): string[] {
  return modules.flatMap(({ file, code }) =>
    [...code.matchAll(/\b(?:import|require)\((?!\s*")[^)]*\)/g)]
      .map((match) => `${file}: ${match[0]}`)
      .filter((found) => found !== OTHER_PROGRAM),
  );
}

/** Not an import of ours: the text of the program that the watcher has another node run, on a file of ours. */
const OTHER_PROGRAM = 'processes/watcher.ts: require(process.argv[1])';

const rules = {
  wrongWay,
  loadedViews,
  workflowsThatMeet,
  impureDecisions,
  writesElsewhere,
  opensElsewhere,
  hiddenImports,
};

describe('the sources', () => {
  let modules: readonly Module[];

  beforeAll(async () => {
    const src = path.resolve(import.meta.dirname, '../src');
    const files = fs
      .readdirSync(src, { recursive: true, encoding: 'utf8' })
      .map((file) => file.split(path.sep).join('/'))
      .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts') && !file.endsWith('.d.ts'));
    modules = await readModules(
      Object.fromEntries(files.map((file) => [file, fs.readFileSync(path.join(src, file), 'utf8')])),
    );
  });

  it('are all there, each in a folder whose place is known', () => {
    expect(modules.length).toBeGreaterThan(60);
    expect(modules.filter(({ file }) => !isOurs(file)).map(({ file }) => file)).toEqual([]);
    const decisions = modules.filter(({ file }) => file.endsWith('/decide.ts')).map(({ file }) => file);
    expect(decisions.sort()).toEqual(registry.map(({ name }) => `workflows/${name}/decide.ts`).sort());
  });

  it('depend on each other in one direction', () => {
    expect(wrongWay(modules)).toEqual([]);
  });

  it('leave the libraries of the views outside of the plugin', () => {
    expect(loadedViews(modules)).toEqual([]);
  });

  it('have workflows of one shape: the same file names for the same things', () => {
    const shape = [
      ...['types', 'files', 'observe', 'decide', 'commit', 'messages', 'saved', 'unfinished-runs', 'index'],
      ...['cli/index', 'cli/replay', 'cli/explain', 'cli/demo', 'cli/status'],
    ];
    // One that needs no types of its own fits into a few files; whoever outgrows that takes the shape.
    const names = modules.flatMap(({ file }) => (file.endsWith('/types.ts') ? (workflowOf(file) ?? []) : []));
    const missing = names.flatMap((workflow) =>
      shape
        .map((name) => `workflows/${workflow}/${name}.ts`)
        .filter((file) => !modules.some((module) => module.file === file)),
    );
    expect(names.length).toBeGreaterThan(2);
    expect(missing).toEqual([]);
  });

  it('have workflows that know nothing of each other', () => {
    expect(workflowsThatMeet(modules)).toEqual([]);
  });

  it('decide without a clock, a disk, dice or a library', () => {
    expect(impureDecisions(modules)).toEqual([]);
  });

  it('write to the disk in the listed places only', () => {
    expect(writesElsewhere(modules)).toEqual([]);
  });

  it('open files in one module only', () => {
    expect(opensElsewhere(modules)).toEqual([]);
  });

  it('hide no import', () => {
    expect(hiddenImports(modules)).toEqual([]);
  });

  test.each(writers)('need their exception: $file', ({ file }) => {
    const writer = modules.find((module) => module.file === file);
    expect(writer && writingCalls(writer).length).toBeGreaterThan(0);
  });

  test.each(typesMayGo)('need their exception: types from $from to $to', ({ from, to }) => {
    const used = modules.some(
      ({ file, imports }) =>
        folderOf(file) === from && imports.some((each) => each.typeOnly && folderOf(each.to) === to),
    );
    expect(used).toBe(true);
  });
});

describe('each rule finds what it is there for', () => {
  const wrong: readonly [keyof typeof rules, Sources, readonly string[]][] = [
    [
      'wrongWay',
      { 'engine/a.ts': "import { claudex } from '../workflows/claudex/index.ts';" },
      ['engine/a.ts imports workflows/claudex/index.ts'],
    ],
    [
      'loadedViews',
      {
        'cli/a.ts': "import { serve } from '../views/web/index.ts';\nserve();",
        'views/page/a.tsx': "import { RANKS } from '../../view/model.ts';\nexport const a = <p>{RANKS}</p>;",
      },
      ['cli/a.ts loads views/web/index.ts', 'views/page/a.tsx loads view/model.ts'],
    ],
    [
      'wrongWay',
      { 'engine/a.ts': "import type { State } from '../workflows/idle/types.ts';" },
      ['engine/a.ts imports workflows/idle/types.ts'],
    ],
    [
      'wrongWay',
      { 'engine/a.ts': "const later = () => import('../cli/main.ts');" },
      ['engine/a.ts imports cli/main.ts'],
    ],
    [
      'wrongWay',
      { 'store/a.ts': "export { weigh } from '../engine/guard/guard.ts';" },
      ['store/a.ts imports engine/guard/guard.ts'],
    ],
    ['wrongWay', { 'text/a.ts': "export * from '../cli/main.ts';" }, ['text/a.ts imports cli/main.ts']],
    [
      'wrongWay',
      { 'clients/a.ts': "import type {\n  Stop,\n  Go,\n} from '../engine/step.ts';" },
      ['clients/a.ts imports engine/step.ts'],
    ],
    [
      'wrongWay',
      { 'reviewers/a.ts': "import { loadConfig } from '../config/config.ts';" },
      ['reviewers/a.ts imports config/config.ts'],
    ],
    [
      'wrongWay',
      { 'config/a.ts': "import '../workflows/registry.ts';" },
      ['config/a.ts imports workflows/registry.ts'],
    ],
    [
      'wrongWay',
      { 'workflows/idle/a.ts': "import { type Call } from '../../cli/call.ts';" },
      ['workflows/idle/a.ts imports cli/call.ts'],
    ],
    [
      'wrongWay',
      { 'cli/a.ts': "import { toy } from '../../test/toy/decide.ts';" },
      ['cli/a.ts imports ../test/toy/decide.ts'],
    ],
    [
      'workflowsThatMeet',
      { 'workflows/idle/a.ts': "import type { Phase } from '../claudex/types.ts';" },
      ['workflows/idle/a.ts imports workflows/claudex/types.ts'],
    ],
    [
      'workflowsThatMeet',
      { 'workflows/idle/cli/a.ts': "const later = () => import('../../taskie/types.ts');" },
      ['workflows/idle/cli/a.ts imports workflows/taskie/types.ts'],
    ],
    [
      'impureDecisions',
      { 'workflows/idle/decide.ts': "import fs from 'node:fs';\nfs.existsSync('x');" },
      ['workflows/idle/decide.ts reaches node:fs'],
    ],
    [
      'impureDecisions',
      {
        'workflows/idle/decide.ts': "import { a } from './a.ts';\na();",
        'workflows/idle/a.ts': "import { b } from '../../text/b.ts';\nexport const a = b;",
        'text/b.ts': "import { fingerprint } from '../store/fingerprint.ts';\nexport const b = fingerprint;",
      },
      ['workflows/idle/decide.ts → workflows/idle/a.ts → text/b.ts reaches store/fingerprint.ts'],
    ],
    [
      'impureDecisions',
      { 'workflows/idle/decide.ts': "import * as v from 'valibot';\nv.string();" },
      ['workflows/idle/decide.ts reaches valibot'],
    ],
    [
      'impureDecisions',
      { 'workflows/idle/decide.ts': "import { weigh } from '../../engine/guard/guard.ts';\nweigh();" },
      ['workflows/idle/decide.ts reaches engine/guard/guard.ts'],
    ],
    [
      'impureDecisions',
      { 'workflows/idle/decide.ts': 'export const decide = () => Date.now() + Math.random();' },
      ['workflows/idle/decide.ts uses Date.now', 'workflows/idle/decide.ts uses Math.random'],
    ],
    [
      'writesElsewhere',
      { 'engine/a.ts': "import fs from 'node:fs';\nfs.writeFileSync('a', 'b');\nfs.rmSync('a');" },
      ['engine/a.ts calls writeFileSync', 'engine/a.ts calls rmSync'],
    ],
    [
      'writesElsewhere',
      { 'engine/a.ts': "import { renameSync as move, unlinkSync } from 'node:fs';\nunlinkSync('a');" },
      ['engine/a.ts calls unlinkSync'],
    ],
    [
      'writesElsewhere',
      { 'engine/a.ts': "import { mkdir } from 'node:fs/promises';\nawait mkdir('a');" },
      ['engine/a.ts calls mkdir'],
    ],
    [
      'writesElsewhere',
      {
        'engine/a.ts': "import fs from 'node:fs';\nfs.openSync('a', 'w');\nawait fs.promises.open('a', 'a');",
      },
      ['engine/a.ts calls openSync', 'engine/a.ts calls open'],
    ],
    [
      'writesElsewhere',
      {
        'engine/a.ts':
          "import fs from 'node:fs';\nconst { O_RDWR } = fs.constants;\nfs.openSync('a', O_RDWR);",
      },
      ['engine/a.ts calls openSync'],
    ],
    [
      'writesElsewhere',
      { 'engine/a.ts': "import * as files from 'node:fs';\nfiles.promises.cp('a', 'b');" },
      ['engine/a.ts calls cp'],
    ],
    [
      'writesElsewhere',
      { 'engine/a.ts': "import fs from 'node:fs';\nconst { linkSync } = fs;\nlinkSync('a', 'b');" },
      ['engine/a.ts calls linkSync'],
    ],
    [
      'writesElsewhere',
      { 'engine/a.ts': "const fs = process.getBuiltinModule('node:fs');\nfs.appendFileSync('a', 'b');" },
      ['engine/a.ts calls appendFileSync'],
    ],
    [
      'opensElsewhere',
      { 'engine/a.ts': "import fs from 'node:fs';\nfs.readFileSync('a');\nfs.openSync('a', 'r');" },
      ['engine/a.ts opens by readFileSync', 'engine/a.ts opens by openSync'],
    ],
    [
      'opensElsewhere',
      {
        'engine/a.ts':
          "import { createReadStream, cpSync as copy } from 'node:fs';\ncreateReadStream('a');\ncopy('a', 'b');",
      },
      ['engine/a.ts opens by createReadStream', 'engine/a.ts opens by cpSync'],
    ],
    [
      'opensElsewhere',
      { 'engine/a.ts': "import * as filesOf from 'node:fs';\nfilesOf.promises.readFile('a');" },
      ['engine/a.ts opens by readFile'],
    ],
    [
      'opensElsewhere',
      { 'engine/a.ts': "import { open } from 'node:fs/promises';\nawait open('a');" },
      ['engine/a.ts opens by open'],
    ],
    [
      'opensElsewhere',
      { 'engine/a.ts': "import fs from 'node:fs';\nconst { openSync } = fs;\nopenSync('a', 'r');" },
      ['engine/a.ts opens by openSync'],
    ],
    [
      'opensElsewhere',
      { 'engine/a.ts': "import { openAt } from '../store/open.ts';\nopenAt('a', 0);" },
      ['engine/a.ts opens by openAt'],
    ],
    [
      'hiddenImports',
      { 'engine/a.ts': 'const later = (name: string) => import(name);' },
      ['engine/a.ts: import(name)'],
    ],
  ];

  test.each(wrong)('%s: %j', async (rule, sources, found) => {
    expect(rules[rule](await readModules(sources))).toEqual(found);
  });

  const right: readonly Sources[] = [
    {
      'cli/a.ts':
        "import { weigh } from '../engine/guard/guard.ts';\nimport { registry } from '../workflows/registry.ts';",
    },
    {
      'workflows/idle/a.ts':
        "import { weigh } from '../../engine/guard/guard.ts';\nimport text from './a.md';",
    },
    { 'workflows/registry.ts': "const load = () => import('./idle/index.ts');" },
    { 'reviewers/a.ts': "import type { ReviewAccess } from '../config/settings.ts';" },
    { 'store/a.ts': "import { linesFromEnd } from '../text/backward.ts';\nimport * as v from 'valibot';" },
    { 'engine/a.ts': "// import { claudex } from '../workflows/claudex/index.ts';" },
    {
      'workflows/idle/decide.ts':
        "import type { Json } from '../../store/json.ts';\nimport { a } from './a.ts';\n// Not Date.now()\na();",
      'workflows/idle/a.ts': "import { plain } from '../../text/plain.ts';\nexport const a = plain;",
      'text/plain.ts': 'export const plain = 1;',
    },
    { 'engine/a.ts': "import fs from 'node:fs';\nfs.lstatSync('a');\nconst open = () => 1;\nopen();" },
    { 'store/open.ts': "import fs from 'node:fs';\nfs.openSync('a', 'r');" },
    { 'engine/a.ts': "import { openOwn } from '../store/open.ts';\nopenOwn('a');" },
    {
      'engine/a.ts':
        "import fs from 'node:fs';\nimport { disk } from '../store/disk.ts';\nif (fs) disk.rename('a', 'b');",
    },
  ];

  test.each(right)('and nothing else: %j', async (sources) => {
    const modules = await readModules(sources);
    expect(Object.values(rules).flatMap((rule) => rule(modules))).toEqual([]);
  });
});
