// Where flows are found: in the project, in the user's config folder, built in, or in a file that was named.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { bareProject, writeIn } from '../../../../test/support/bare-project.ts';
import { called } from '../../../../test/support/call.ts';
import type { Project } from '../../../engine/project.ts';
import { builtIn } from '../built-in.ts';
import { LONGEST } from '../language/names.ts';
import { allFlows, findFlow } from './find-flow.ts';
import { list } from './list.ts';

const BUILT_IN = 'tdd, fix-ci, docs, ralph, review';

let project: Project;
let users: string;
beforeEach(() => {
  project = bareProject();
  users = path.join(path.dirname(project.root), 'home/.config/holdfast/flows');
});

const own = (name: string, text: string): string => writeIn(project, `holdfast.flows/${name}`, text);
function ofUser(name: string, text: string): string {
  fs.mkdirSync(users, { recursive: true });
  fs.writeFileSync(path.join(users, name), text);
  return path.join(users, name);
}
const found = (named: string, cwd = project.root) => findFlow(named, project, cwd);

describe('a flow by its name', () => {
  it('is the project’s before the user’s before the built-in one', () => {
    const ours = { name: 'tdd', where: 'built-in', shown: 'tdd (built in)', text: builtIn.get('tdd') };
    expect(found('tdd')).toEqual(ours);
    const file = ofUser('tdd.yaml', 'users');
    const theirs = { name: 'tdd', where: 'user', shown: file, text: 'users' };
    expect(found('tdd')).toEqual(theirs);
    own('tdd.yaml', 'own');
    const projects = { name: 'tdd', where: 'project', shown: 'holdfast.flows/tdd.yaml', text: 'own' };
    expect(found('tdd')).toEqual(projects);
    expect(allFlows(project).filter(({ name }) => name === 'tdd')).toEqual([projects, theirs, ours]);
  });

  it('is none where there is none, and what there is is said once', () => {
    own('mine.yaml', 'x');
    own('tdd.yaml', 'x');
    ofUser('yours.yaml', 'x');
    expect(() => found('other')).toThrow(
      'there is no flow "other". There are: mine, tdd, yours, fix-ci, docs, ralph, review. `holdfast flow new other` makes one.',
    );
  });

  it.each([
    ['NoName', 'NoName'],
    ['', ''],
    ['a b', 'a b'],
    ['x\u001b', 'x '],
    [`A${'b'.repeat(60)}`, `A${'b'.repeat(39)}`],
  ])('cannot be %j', (named, shown) => {
    expect(() => found(named)).toThrow(
      new RegExp(
        `^flow: "${shown}" is no name of a flow: small letters, digits and "-", beginning with a letter\\.$`,
      ),
    );
    expect(() => found(named)).toThrow(expect.objectContaining({ name: 'WrongUsage' }));
  });

  it('is not read through a link out of the project, and through one inside it', () => {
    const outside = path.join(path.dirname(project.root), 'project-2');
    fs.mkdirSync(outside);
    fs.writeFileSync(path.join(outside, 'x.yaml'), 'x');
    own('real.yaml', 'inside');
    const folder = path.join(project.root, 'holdfast.flows');
    fs.symlinkSync(path.join(outside, 'x.yaml'), path.join(folder, 'link.yaml'));
    fs.symlinkSync('real.yaml', path.join(folder, 'alias.yaml'));
    const refusal = expect.objectContaining({
      name: 'NotNow',
      message: `${folder}/link.yaml is a link out of the project; put the file itself there.`,
    });
    expect(() => found('link')).toThrow(refusal);
    expect(found('alias').text).toBe('inside');
  });

  it('of the user may be a link to anywhere', () => {
    fs.mkdirSync(users, { recursive: true });
    fs.writeFileSync(path.join(project.root, 'x'), 'linked');
    fs.symlinkSync(path.join(project.root, 'x'), path.join(users, 'mine.yaml'));
    expect(found('mine').text).toBe('linked');
  });

  it('that is a folder cannot be read, and says so', () => {
    const folder = path.join(project.root, 'holdfast.flows/mine.yaml');
    fs.mkdirSync(folder, { recursive: true });
    expect(() => found('mine')).toThrow(
      expect.objectContaining({
        name: 'NotNow',
        message: `${folder} cannot be read: ${folder} is not a regular file`,
      }),
    );
  });

  it('is closed again once it is read', () => {
    own('mine.yaml', 'x');
    const open = vi.spyOn(fs, 'openSync');
    const close = vi.spyOn(fs, 'closeSync');
    onTestFinished(() => void vi.restoreAllMocks());
    found('mine');
    expect(open).toHaveBeenCalled();
    expect(close.mock.calls.map(([descriptor]) => descriptor)).toEqual(
      open.mock.results.map(({ value }) => value),
    );
  });

  it('is read as far as shows that it is too long', () => {
    own('long.yaml', 'x'.repeat(5 * LONGEST));
    expect(found('long').text).toHaveLength(4 * LONGEST + 4);
    own('long.yaml', 'ü'.repeat(LONGEST));
    expect(found('long').text).toBe('ü'.repeat(LONGEST));
  });
});

describe('a flow by its file', () => {
  it.each(['x.yaml', './x.yaml', 'sub/x'])('is found from the folder one is in: %s', (named) => {
    const folder = path.join(project.root, 'deep');
    fs.mkdirSync(path.join(folder, 'sub'), { recursive: true });
    fs.writeFileSync(path.resolve(folder, named), 'text');
    expect(found(named, folder)).toEqual({ name: null, where: 'file', shown: named, text: 'text' });
    expect(() => found(named)).toThrow(
      expect.objectContaining({ name: 'NotNow', message: `${named}: there is no such file.` }),
    );
  });

  it('may be a link, and is shown without control codes', () => {
    const target = path.join(path.dirname(project.root), 'elsewhere');
    fs.writeFileSync(target, 'text');
    fs.symlinkSync(target, path.join(project.root, 'a\u0007.yaml'));
    const { shown, text } = found('a\u0007.yaml');
    expect(text).toBe('text');
    expect(shown).toBe('a .yaml');
    expect(() => found('b\u0007.yaml')).toThrow('b .yaml: there is no such file.');
  });
});

describe('all flows', () => {
  it('are the built-in ones where nobody has others', () => {
    expect(allFlows(project).map(({ name }) => name)).toEqual(BUILT_IN.split(', '));
  });

  it('are by name in each folder; files that are called otherwise are none', () => {
    for (const name of ['b.yaml', 'a.yaml', 'c.yml', 'No.yaml', 'd.yaml.bak', 'yaml', '.yaml'])
      own(name, 'x');
    for (const name of ['z.yaml', 'y.yaml', 'a.yaml']) ofUser(name, 'x');
    expect(allFlows(project).map(({ name, where }) => `${name} ${where}`)).toEqual([
      ...['a project', 'a user', 'b project', 'y user', 'z user'],
      ...BUILT_IN.split(', ').map((name) => `${name} built-in`),
    ]);
  });
});

describe('flow list', () => {
  const SIMPLE = `flow: mine
start: work
states:
  work:
    say: Do it
    leave: [{ when: { signal: done, check: any }, to: finished }]
  finished: { end: completed }
`;

  it('is a command that writes nothing and takes no words', () => {
    const { run: _, ...rest } = list;
    expect(rest).toEqual({
      name: 'list',
      summary: 'the flows of this project, your own and the built-in ones',
      usage: '[--json]',
      options: { json: { type: 'boolean' } },
      writes: false,
      words: { least: 0, most: 0 },
    });
  });

  it('has one line for each, also for those that are hidden or refused', async () => {
    own('mine.yaml', SIMPLE);
    own('tdd.yaml', SIMPLE.replace('flow: mine', 'flow: tdd\nabout: Ours.'));
    own('broken.yaml', 'flow: broken\n');
    ofUser('a-long-name-of-a-flow.yaml', SIMPLE.replace('mine', 'a-long-name-of-a-flow'));
    const [code, ...lines] = await called(list, project);
    expect([code, ...lines.slice(0, 5)]).toEqual([
      '0',
      'broken       project           (refused: `holdfast flow check broken` says why)',
      'mine         project           ',
      'tdd          project           Ours.',
      expect.stringMatching(/^tdd {10}built-in, hidden {2}\S.+\.$/),
      'a-long-name-of-a-flow user              ',
    ]);
    expect(lines.slice(5).map((line) => line.slice(0, 30))).toEqual(
      ['fix-ci', 'docs', 'ralph', 'review'].map((name) => `${name.padEnd(12)} built-in         `),
    );
  });

  it('is all of that as data with --json', async () => {
    own('tdd.yaml', SIMPLE.replace('flow: mine', 'flow: tdd\nabout: Ours.'));
    const [code, text = '', ...more] = await called(list, project, { flags: { json: true } });
    expect([code, more]).toEqual(['0', []]);
    const { flows, ...rest } = JSON.parse(text);
    expect(rest).toEqual({});
    expect(text).toBe(JSON.stringify({ flows }, null, 2));
    expect(flows.slice(0, 3)).toEqual([
      { name: 'tdd', where: 'project', file: 'holdfast.flows/tdd.yaml', about: 'Ours.', hidden: false },
      { name: 'tdd', where: 'built-in', file: 'tdd (built in)', about: expect.any(String), hidden: true },
      {
        ...{ name: 'fix-ci', where: 'built-in', file: 'fix-ci (built in)', hidden: false },
        about: 'Until the check passes; after ten tries a person is asked.',
      },
    ]);
  });
});
