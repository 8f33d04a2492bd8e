// The proof that the scenes of patches can fail: defects planted into the source, one at a time.

import { afterAll, expect, test } from 'vitest';
import type { Defect } from '../crash/plant.ts';
import type { ChangesScene } from './changes-scenes.ts';
import * as scenes from './changes-scenes.ts';
import { changesWith, removePlanted } from './planting.ts';

afterAll(removePlanted);

const defects: readonly (Defect & { foundBy: ChangesScene; says: RegExp })[] = [
  {
    name: 'the repository’s git folder is asked',
    file: 'engine/proof/git.ts',
    from: '    const repository = {\n',
    to: '    const repository = {\n      GIT_DIR: folders.own,\n',
    foundBy: scenes.programs,
    says: /a program was run/,
  },
  {
    name: 'git looks into submodules',
    file: 'engine/changes/tracked.ts',
    from: "'--ignore-submodules=dirty',",
    to: "'--ignore-submodules=none',",
    foundBy: scenes.submodule,
    says: /a program was run/,
  },
  {
    name: 'git is taken from the project',
    file: 'engine/proof/git.ts',
    from: "const program = findOnPath('git', env, root);\n  if (program === null) return null;",
    to: "const program = findOnPath('git', env, null);\n  if (program === null) return null;",
    foundBy: scenes.ownGit,
    says: /a program was run/,
  },
  {
    name: 'a patch goes out as it is',
    file: 'engine/changes/make.ts',
    from: "const text = visibleText(Buffer.concat(parts).toString('utf8'));",
    to: "const text = Buffer.concat(parts).toString('utf8');",
    foundBy: scenes.steering,
    says: /a control character goes out/,
  },
  {
    name: 'a name is not quoted',
    file: 'engine/changes/name.ts',
    from: 'const isPlain = !bytes.some(isQuoted) && ',
    to: 'const isPlain = ',
    foundBy: scenes.steering,
    says: /more than one line/,
  },
  {
    name: 'new files are left out',
    file: 'engine/changes/untracked.ts',
    from: "'--cached', '--others', '-v'",
    to: "'--cached', '-v'",
    foundBy: scenes.unseen,
    says: /not named: new\/c\.txt/,
  },
  {
    name: 'what git is told not to look at is left out',
    file: 'engine/changes/untracked.ts',
    from: "return /^[a-zS]/.test(line) ? 'not-looked-at' : 'known';",
    to: "return /^[S]/.test(line) ? 'not-looked-at' : 'known';",
    foundBy: scenes.unseen,
    says: /not named: flagged\.txt/,
  },
  {
    name: 'only what is not committed is shown',
    file: 'engine/changes/make.ts',
    from: 'trackedChanges(asking, from.id, MOST_BYTES)',
    to: 'trackedChanges(asking, headIn(folders) ?? from.id, MOST_BYTES)',
    foundBy: scenes.unseen,
    says: /not named: committed\.txt/,
  },
  {
    name: 'earlier reviews are shown',
    file: 'engine/changes/tracked.ts',
    from: '(top,exclude,literal)',
    to: '(top,exclude,literal)no-',
    foundBy: scenes.ownFiles,
    says: /our own files are shown/,
  },
  {
    name: 'a beginning is believed as it is',
    file: 'engine/changes/make.ts',
    from: "if (!isId(id)) return false;\n  const type = await git(['cat-file', '-t', id], top, folders, { signal });\n  return type?.toString('latin1').trim() === 'commit';",
    to: "await git(['cat-file', '-t', id], top, folders, { signal });\n  return isId(id) || id !== '';",
    foundBy: scenes.forgedBase,
    says: /is commit|is nothing/,
  },
  {
    name: 'a patch has no end',
    file: 'engine/changes/make.ts',
    from: 'return Buffer.byteLength(text) > MOST_BYTES ? null : text;',
    to: 'return text;',
    foundBy: scenes.endless,
    says: /a\.txt: \d{7} bytes/,
  },
  {
    name: 'the list has no end',
    file: 'engine/changes/make.ts',
    from: 'if (lines.length === MOST_LINES || characters > MOST_CHARACTERS) break;',
    to: 'void [MOST_LINES, MOST_CHARACTERS, characters];',
    foundBy: scenes.endless,
    says: /the list in the prompt is too long/,
  },
  {
    name: 'a link is followed',
    file: 'engine/changes/untracked.ts',
    from: "if (fs.lstatSync(place).isSymbolicLink())\n      return { mode: '120000', content: fs.readlinkSync(place, { encoding: 'buffer' }) };\n    descriptor = openInsideNoLink(place, top);",
    to: 'const { O_RDONLY, O_NONBLOCK } = fs.constants;\n    descriptor = fs.openSync(place, O_RDONLY | O_NONBLOCK);',
    foundBy: scenes.noFiles,
    says: /a link is followed/,
  },
];

test.each(defects.map((defect) => [defect.name, defect.file, defect] as const))(
  'is found: %s (%s)',
  async (_, __, defect) => {
    expect((await defect.foundBy(await changesWith(defect))).join('\n')).toMatch(defect.says);
  },
);
