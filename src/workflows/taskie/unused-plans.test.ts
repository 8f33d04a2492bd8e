// Plans that are there and are not used: which, why, and the command that changes it.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder } from '../../../test/support/bare-project.ts';
import { printable } from '../../text/printable.ts';
import { listPlans } from './files.ts';
import { describeUnused, unusedPlan, unusedPlans } from './unused-plans.ts';

let root: string;
let plans: string;
beforeEach(() => {
  root = emptyFolder();
  plans = path.join(root, '.taskie/plans');
  fs.mkdirSync(plans, { recursive: true });
});
afterEach(() => vi.restoreAllMocks());

const put = (file: string): void => {
  fs.mkdirSync(path.dirname(path.join(plans, file)), { recursive: true });
  fs.writeFileSync(path.join(plans, file), 'x');
};
const unused = () => unusedPlans({ root });
const DOT = 'its name begins with a dot';

/** What the command in a fix does is asked of a shell. */
const renamed = (fix: string | undefined): string[] => {
  execFileSync('/bin/sh', ['-c', /`(.*)`/s.exec(fix ?? '')?.[1] ?? 'false']);
  return listPlans(root);
};

describe('a name that no plan can have', () => {
  it.each([
    ['.my plan', 'my-plan', DOT],
    ['..Über uns.v2', 'Uber-uns-v2', DOT],
    ['.Straße', 'Strasse', DOT],
    ['.計画', 'plan', DOT],
    [`.${'é'.repeat(97)}`, 'e'.repeat(96), DOT],
    ['a\tb', 'a-b', 'its name has control characters in it'],
    ['a\nb\n', 'a-b', 'its name has control characters in it'],
    ['a\u009bb', 'a-b', 'its name has control characters in it'],
    ["it's\u202e$(id)", 'it-s-id', 'its name has characters in it that turn the direction of writing'],
  ])('%j is to be renamed to %s', (name, id, why) => {
    put(`${name}/plan.md`);
    const [only, ...others] = unused();
    expect(others).toEqual([]);
    expect(only).toMatchObject({ run: name, folder: path.join(plans, name), why });
    expect(printable(only?.fix ?? '')).toBe(only?.fix);
    expect(only?.fix).not.toContain('\n');
    expect(renamed(only?.fix)).toEqual([id]);
  });

  it('is found where its bytes are no text, and the command names those very bytes', () => {
    const folder = Buffer.concat([Buffer.from(`${plans}/a`), Buffer.from([0xff, 0x27]), Buffer.from('b')]);
    fs.mkdirSync(folder);
    fs.writeFileSync(Buffer.concat([folder, Buffer.from('/plan.md')]), 'x');
    expect(listPlans(root)).toEqual([]);
    const [only] = unused();
    expect(only).toMatchObject({ run: "a\ufffd'b", why: 'its name is not valid UTF-8' });
    expect(renamed(only?.fix)).toEqual(['a-b']);
  });

  it.each(['NFC', 'NFD'] as const)(
    'is that of another folder in another spelling: the one in NFC is served (%s first)',
    (form) => {
      for (const each of [form, form === 'NFC' ? 'NFD' : 'NFC']) put(`${'über'.normalize(each)}/plan.md`);
      expect(listPlans(root)).toEqual(['über'.normalize('NFC')]);
      const [only, ...others] = unused();
      expect(others).toEqual([]);
      expect(only).toMatchObject({
        ...{ run: 'über'.normalize('NFD'), why: 'another folder has the same name in another spelling' },
      });
      expect(renamed(only?.fix)).toHaveLength(2);
    },
  );

  it('gets one that is free, whatever the spelling of those there are', () => {
    put('.my plan/plan.md');
    put('.my plan/notes.txt');
    put('My-Plan/plan.md');
    put('my-plan-2/plan.md');
    expect(unused().map(({ fix }) => fix)).toEqual([
      `rename it: \`mv '${plans}/.my plan' ${plans}/my-plan-3\``,
    ]);
  });

  it('gets the plain one where a thousand are taken', () => {
    put('.my plan/plan.md');
    const taken = Array.from({ length: 999 }, (_, index) =>
      index === 0 ? 'my-plan' : `my-plan-${index + 1}`,
    );
    for (const id of taken.slice(0, -1)) fs.mkdirSync(path.join(plans, id));
    const fixes = () => unused().map(({ fix }) => fix);
    expect(fixes()).toEqual([`rename it: \`mv '${plans}/.my plan' ${plans}/my-plan-999\``]);
    fs.mkdirSync(path.join(plans, 'my-plan-999'));
    expect(fixes()).toEqual([`rename it: \`mv '${plans}/.my plan' ${plans}/my-plan\``]);
  });

  it('is nobody’s plan where no file of one is in it', () => {
    put('.my notes/notes.txt');
    put('.my notes/.hidden.md');
    put('.my drafts/sub/plan.md');
    put('a file.md');
    fs.symlinkSync(path.join(plans, 'a file.md'), path.join(plans, '.link to a file'));
    fs.symlinkSync(path.join(plans, 'nothing'), path.join(plans, '.link to nothing'));
    expect(unused()).toEqual([]);
  });

  it('may be a link’s to a folder, wherever that is', () => {
    fs.mkdirSync(path.join(root, 'kept'));
    fs.symlinkSync(path.join(root, 'kept'), path.join(plans, '.my plan'));
    expect(unused()).toMatchObject([{ run: '.my plan', why: DOT }]);
  });

  it('is listed by the alphabet, and found alone', () => {
    for (const name of ['.b b', '.c c', '.a a', 'fit']) put(`${name}/plan.md`);
    expect(unused().map(({ run }) => run)).toEqual(['.a a', '.b b', '.c c']);
    expect(unusedPlan({ root }, '.b b')).toEqual(unused()[1]);
    expect(unusedPlan({ root }, 'fit')).toBeNull();
    expect(unusedPlan({ root }, 'none')).toBeNull();
  });
});

describe('a plan’s folder', () => {
  it('that is a link out of the project is to be replaced', () => {
    const outside = path.join(path.dirname(root), 'my kept');
    fs.mkdirSync(outside);
    fs.symlinkSync(outside, path.join(plans, 'out'));
    expect(unused()).toEqual([
      {
        run: 'out',
        folder: path.join(plans, 'out'),
        why: `it is a link to ${outside}, outside the project`,
        fix: `replace the link with the folder itself: \`rm ${plans}/out && cp -R '${outside}' ${plans}/out\``,
      },
    ]);
  });

  it('that is a link within the project is used', () => {
    fs.mkdirSync(path.join(root, 'kept'));
    fs.symlinkSync(path.join(root, 'kept'), path.join(plans, 'in'));
    expect(unused()).toEqual([]);
  });

  it.each(['/nowhere/at-all', 'round'])('that is a link to %s is to be removed', (to) => {
    fs.symlinkSync(to, path.join(plans, 'round'));
    expect(unused()).toEqual([
      {
        run: 'round',
        folder: path.join(plans, 'round'),
        why: `it is a link to ${to}, which cannot be reached`,
        fix: `remove the link: \`rm ${plans}/round\``,
      },
    ]);
  });

  it('that nobody may read is to be made readable', () => {
    put('closed/plan.md');
    put('open/plan.md');
    put('file');
    const read = fs.readdirSync;
    vi.spyOn(fs, 'readdirSync').mockImplementation(((folder: string, options: undefined) => {
      if (folder === path.join(plans, 'closed')) throw new Error('EACCES');
      return read(folder, options);
    }) as typeof fs.readdirSync);
    expect(unused()).toEqual([
      {
        run: 'closed',
        folder: path.join(plans, 'closed'),
        why: 'its folder cannot be read',
        fix: `make it readable: \`chmod u+rwx ${plans}/closed\``,
      },
    ]);
  });
});

describe('the folder of all plans', () => {
  it('is none where there is none', () => {
    fs.rmSync(path.join(root, '.taskie'), { recursive: true });
    expect(unused()).toEqual([]);
  });

  it.each(['.taskie', '.taskie/plans'])('is named alone where %s leads out', (name) => {
    put('.my plan/plan.md');
    const [place, outside] = [path.join(root, name), path.join(path.dirname(root), 'outside')];
    fs.renameSync(place, outside);
    fs.symlinkSync(outside, place);
    const [only, ...more] = unused();
    expect(more).toEqual([]);
    expect(only).toEqual({
      run: name,
      folder: place,
      why: `it is a link to ${outside}, outside the project`,
      fix: `replace the link with the folder itself: \`rm ${place} && cp -R ${outside} ${place}\``,
    });
    expect(only && describeUnused(only)).toBe(
      `${name} is there, but is not used: it is a link to ${outside}, outside the project. Replace the link with the folder itself: \`rm ${place} && cp -R ${outside} ${place}\`.`,
    );
  });
});

it('a plan that is not used is described by where it is, why, and what to do', () => {
  put('.my plan/plan.md');
  expect(unused().map(describeUnused)).toEqual([
    `".my plan" is in .taskie/plans, but is not used: ${DOT}. Rename it: \`mv '${plans}/.my plan' ${plans}/my-plan\`.`,
  ]);
});
