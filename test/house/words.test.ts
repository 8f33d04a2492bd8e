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

describe('the search', () => {
  it.each([
    ['say how to mend it', 'mend'],
    ['Mended.', 'Mended'],
    ['runs of strangers', 'strangers'],
    ['overheard', 'overheard'],
    ['the plan at hand', 'at hand'],
    ['could not look after this stop', 'look after'],
    ['the project’s notes were busy', 'notes were busy'],
    ['nothing moved any more', 'nothing moved any more'],
    ['it did not come about', 'not come about'],
    ['bears no time', 'bears no'],
    ['in vain', 'in vain'],
    ['starts anew', 'anew'],
    ['it coughed', 'coughed'],
    ['the answer hangs on it', 'hangs on'],
    ['no run was concerned', 'was concerned'],
    ['the user was only told', 'only told'],
    ['no run has been here', 'has been here'],
    ['for want of progress', 'for want of'],
    ['// the answer hangs\n // on it', 'hangs\n // on'],
    ['toldLimit(1)', 'toldLimit'],
    ['whenToldToEnd', 'whenToldToEnd'],
    ['tellListeners()', 'tellListeners'],
    ["waited: 'told'", "'told'"],
    ['`told-session-1`', 'told-s'],
    ['const told = 1', 'const told'],
    ['hookLimit(told: number)', '(told'],
    ['session.told', '.told'],
    ['told=$state', 'told='],
  ])('finds %s', (text, word) => {
    expect(oldWordsIn(text)[0]?.word).toBe(word);
  });

  it.each([
    ['linesFromEnd, recommended, amendment, commend'],
    ['the user is told once, and a hook that is told to end'],
    ['Tell the user what it printed. It tells: nothing.'],
    ['nothing moved since the last hold; after a look'],
    ['a hand, a new one, a hanging process'],
  ])('leaves alone: %s', (text) => {
    expect(oldWordsIn(text)).toEqual([]);
  });
});
