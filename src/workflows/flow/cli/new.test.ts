import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import schema from '../../../../schema/holdfast.flow.schema.json' with { type: 'json' };
import { bareProject, writeIn } from '../../../../test/support/bare-project.ts';
import { called } from '../../../../test/support/call.ts';
import type { Project } from '../../../engine/project.ts';
import beginning from '../built-in/new.yaml';
import { builtIn } from '../built-in.ts';
import { newFlow } from './new.ts';

let project: Project;
beforeEach(() => {
  project = bareProject();
});
const made = (name: string, flags = {}): Promise<string[]> =>
  called(newFlow, project, { words: [name], flags });
const read = (file: string): string =>
  fs.readFileSync(path.join(project.root, 'holdfast.flows', file), 'utf8');

describe('flow new', () => {
  it('is a command that writes, and says where', () => {
    const { run: _, ...rest } = newFlow;
    expect(rest).toEqual({
      name: 'new',
      summary: "write a flow of the project's own",
      usage: '[--from tdd|fix-ci|docs|ralph|review] <name>',
      help: 'It goes to holdfast.flows/<name>.yaml, with a schema beside it for your editor. Without --from it is a small beginning.',
      options: { from: { type: 'string' } },
      writes: true,
      words: { least: 1, most: 1 },
    });
  });

  it('writes a small beginning under its own name, with the schema beside it', async () => {
    expect(await made('mine')).toEqual([
      '0',
      'holdfast.flows/mine.yaml is written. Next: `holdfast flow check mine`.',
    ]);
    expect(read('mine.yaml')).toBe(
      `# yaml-language-server: $schema=./flow.schema.json\n${beginning.replace('flow: new\n', 'flow: mine\n')}`,
    );
    expect(read('flow.schema.json')).toBe(`${JSON.stringify(schema, null, 2)}\n`);
    expect(fs.readdirSync(path.join(project.root, 'holdfast.flows')).sort()).toEqual([
      'flow.schema.json',
      'mine.yaml',
    ]);
  });

  it.each([...builtIn])('takes the built-in %s as it is, but for the name', async (name, text) => {
    await made('ours', { from: name });
    expect(read('ours.yaml')).toBe(
      `# yaml-language-server: $schema=./flow.schema.json\n${text.replace(`flow: ${name}\n`, 'flow: ours\n')}`,
    );
  });

  it.each([
    ['Mine', 'Mine'],
    ['', ''],
    ['a\u001bb', 'a b'],
    [`A${'b'.repeat(60)}`, `A${'b'.repeat(39)}`],
  ])('refuses the name %j', async (name, shown) => {
    const [kind, said = ''] = await made(name);
    expect(kind).toBe('WrongUsage');
    expect(said).toBe(
      `flow new: a flow is called by small letters, digits and "-", beginning with a letter, not "${shown}".`,
    );
    expect(fs.existsSync(path.join(project.root, 'holdfast.flows'))).toBe(false);
  });

  it('refuses to begin with what is not built in, and says what is', async () => {
    expect(await made('mine', { from: 'n'.repeat(50) })).toEqual([
      'WrongUsage',
      `flow new: there is no built-in flow "${'n'.repeat(40)}". There are: tdd, fix-ci, docs, ralph, review.`,
    ]);
  });

  it('overwrites nothing, not even a link that leads nowhere', async () => {
    writeIn(project, 'holdfast.flows/mine.yaml', 'as it was');
    fs.symlinkSync('nowhere', path.join(project.root, 'holdfast.flows/link.yaml'));
    for (const name of ['mine', 'link'])
      expect(await made(name)).toEqual([
        'NotNow',
        `holdfast.flows/${name}.yaml is there already; \`holdfast flow check ${name}\` looks at it.`,
      ]);
    expect(read('mine.yaml')).toBe('as it was');
    expect(fs.existsSync(path.join(project.root, 'holdfast.flows/flow.schema.json'))).toBe(false);
  });
});
