// One concept, one word: the words of the table below are not used, in code, comments, messages and docs. What an old
// version stored under such a word is still read: by the files of OLD_FORMS alone.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const repository = path.resolve(import.meta.dirname, '../..');

const FOLDERS = ['src', 'plugins', 'docs', 'schema'];
const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'];
const TEXT = /\.(?:ts|mjs|cjs|md|json)$|\/(?:hooks|bin)\/[^./]+$/;

const OLD_FORMS = [
  'src/store/old-records.ts',
  'src/store/journal-lines.ts',
  'src/workflows/claudex/saved.ts',
  'src/workflows/claudex/cli/replay.ts',
];
/** Tests show that the old forms are read. */
const isOldForm = (file: string): boolean =>
  OLD_FORMS.some((form) => file === form || file === form.replace(/\.ts$/, '.test.ts')) ||
  ['src/store/parse-records.test.ts', 'src/store/sidecars.test.ts', 'src/store/sweep.test.ts'].includes(
    file,
  ) ||
  file === 'src/cli/replay.test.ts';

/** What to write instead, by what is not written. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bstrangers?\b/i, 'unclaimed runs, another session'],
  [/\boverhear(?:s|d|ing)?\b/i, 'keep a signal for later'],
  [/\bat[- ]hand\b/i, 'the one that is meant'],
  [/\blook(?:s|ed|ing)? after\b/i, 'serve, check; hit an error'],
  [/\bnotes were busy\b/i, 'another Holdfast process held the lock'],
  [/\bnothing moved any more\b/i, 'no progress in N holds'],
  [/\bnot come about\b/i, 'failed'],
  [/\bbears? no(?:ne)?\b/i, 'has no timestamp'],
  [/\bin vain\b/i, 'without success'],
  [/\banew\b/i, 'again'],
  [/\bcough(?:s|ed|ing)?\b/i, 'fail'],
  [/\b(?:hang(?:s|ing)?|hung) on\b/i, 'depends on, waits for'],
  [/\b(?:is|are|was|were) concerned\b|\bisConcerned\b/i, 'this session has no run'],
  [/\bonly told\b/i, 'a notice was shown'],
  [/\b(?:has|have|had) been here\b/i, 'no runs in this project yet'],
  [/\bfor want of\b/i, 'because there was no'],
];

/** As a name in code or data: prose may say whom a message tells what. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\b\w+Told\w*|\btold[A-Z]\w*/, 'notified'],
  [/\btells?[A-Z]\w*|\b\w+Tells?[A-Z]\w*/, 'notify, report'],
  [/(['"`])told\1/, 'notified'],
  [/\btold-[\w$*.]/, 'notified-'],
  [/\b(?:const|let|function) \[?\{?\s*tell?(?:old)?\b/, 'notify, report'],
  [
    /\b(?:const|let) [[{]?\s*told\b|\(told\b|\btold(?:\?|:) (?:string|number|boolean)|[.$]told\b|\btold(?:=|\()/,
    'notified',
  ],
];

type Used = { line: number; word: string; instead: string };

/** A phrase may go on in the next line, also of a comment. */
const across = ({ source, flags }: RegExp): RegExp =>
  new RegExp(source.replaceAll(' ', '(?: |\\s*\\n\\s*(?:(?://|\\*|#) )?)'), `${flags}g`);

function oldWordsIn(text: string): Used[] {
  return [...INSTEAD, ...NAMES].flatMap(([pattern, instead]) =>
    [...text.matchAll(across(pattern))].map(({ 0: word, index }) => ({
      line: text.slice(0, index).split('\n').length,
      word,
      instead,
    })),
  );
}

function filesIn(folder: string): string[] {
  return fs
    .readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((file) => TEXT.test(file) && fs.statSync(path.join(repository, file)).isFile());
}

const read = (file: string): string => fs.readFileSync(path.join(repository, file), 'utf8');

/** Up to the second heading of a version, with its own lines' numbers. */
const newestSection = (changelog: string): string =>
  changelog
    .split(/^(?=## )/m)
    .slice(0, 2)
    .join('');

const report = (file: string, text: string): string[] =>
  oldWordsIn(text).map(({ line, word, instead }) => `${file}:${line}: "${word}", write: ${instead}`);

describe('words that are not used', () => {
  it('are in no file that is delivered or read by people', () => {
    const files = [...FOLDERS.flatMap(filesIn), ...DOCUMENTS].filter((file) => !isOldForm(file));
    expect(files.length).toBeGreaterThan(400);
    expect(files.flatMap((file) => report(file, read(file)))).toEqual([]);
  });

  it('are not in the newest section of the changelog, unless as the old name of a thing, in code marks', () => {
    const section = newestSection(read('CHANGELOG.md')).replace(/`[^`\n]*`/g, '``');
    expect(section).toMatch(/^- /m);
    expect(report('CHANGELOG.md', section)).toEqual([]);
  });

  it('are in no file’s name', () => {
    const names = [...FOLDERS, 'test'].flatMap(filesIn).filter((file) => !file.startsWith('test/fixtures/'));
    expect(
      names.filter((file) => /(?:^|[/-])(?:told|tell|mend|strangers?|overhear|at-hand)(?=[-./])/.test(file)),
    ).toEqual([]);
  });
});

it('the search finds them, and not what only looks like them', () => {
  const found = [
    ...['say how to [mend] it', '[Mended].', 'runs of [strangers]', '[overheard]', 'the plan [at hand]'],
    ...['could not [look after] this stop', 'the project’s [notes were busy]', '[nothing moved any more]'],
    ...['it did [not come about]', '[bears no] time', '[in vain]', 'starts [anew]', 'it [coughed]'],
    ...[
      'the answer [hangs on] it',
      'no run [was concerned]',
      'the user was [only told]',
      'no run [has been here]',
    ],
    ...['[for want of] progress', '// the answer [hangs\n // on] it', '[toldLimit](1)', '[whenToldToEnd]'],
    ...[
      '[tellListeners]()',
      "waited: ['told']",
      '`[told-s]ession-1`',
      '[const told] = 1',
      'hookLimit[(told]: number)',
    ],
    ...['session[.told]', '[told=]$state'],
  ];
  for (const text of found) {
    const [, word = ''] = /\[([\s\S]+)\]/.exec(text) ?? [];
    expect(oldWordsIn(text.replace(/[[\]]/g, '').replace(']', ''))[0]?.word, text).toBe(word);
  }
  const others = [
    ...[
      'linesFromEnd, recommended, amendment, commend',
      'the user is told once, and a hook that is told to end',
    ],
    ...[
      'Tell the user what it printed. It tells: nothing.',
      'nothing moved since the last hold; after a look',
    ],
    'a hand, a new one, a hanging process',
  ];
  expect(others.flatMap(oldWordsIn)).toEqual([]);
});
