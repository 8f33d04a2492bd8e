// Hostile flows: whatever a repository brings as one, there is one clear line, soon, and nothing is run or read outside.

import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { compile } from '../../src/workflows/flow/language/compile.ts';
import { SOUND } from '../flow/broken.ts';
import { flowScene } from '../flow/scene.ts';
import { SEED } from './broken.ts';

const bomb = Array.from(
  { length: 30 },
  (_, n) => `a${n}: &a${n} [${n === 0 ? 'x' : `*a${n - 1}, *a${n - 1}`}]`,
).join('\n');

const hostile: readonly (readonly [string, string])[] = [
  ['a bomb of aliases', bomb],
  ['anchors a million deep', `${'&a '.repeat(20_000)}x`],
  ['a million brackets', '['.repeat(1_000_000)],
  ['sixty thousand brackets', '{'.repeat(60_000)],
  ['sixty thousand dashes', '- '.repeat(30_000)],
  ['deep by indentation', Array.from({ length: 300 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')],
  ['ten megabytes', 'x: y\n'.repeat(2_000_000)],
  ['thousands of keys', Array.from({ length: 9_000 }, (_, n) => `k${n}: 1`).join('\n')],
  ['the same key a thousand times', 'flow: a\n'.repeat(1_000)],
  ['tabs alone', '\t\t\t\n'.repeat(1_000)],
  ['a merge key', `${SOUND}<<: { flow: other }\n`],
  ['a key called __proto__', `${SOUND}__proto__: { flow: other }\n`],
  ['a state called __proto__', `${SOUND}  __proto__: { end: completed }\n`],
  ['a binary', `${SOUND}about: !!binary aGVsbG8=\n`],
  ['a script', `${SOUND}about: !!js/function "function(){}"\n`],
  ['zeros', '\0'.repeat(10_000)],
  ['control codes', `flow: "\\u001b[2J"\n`],
  ['lone surrogates', '\ud800\udfff'.repeat(1_000)],
  ['a question mark without end', '? '.repeat(5_000)],
  ['quotes without end', '"'.repeat(9_999)],
];

describe('a hostile flow is refused in one clear line', () => {
  test.each(hostile)('%s', (_, text) => {
    const compiled = compile(text, []);
    expect(compiled.kind).toBe('refused');
    if (compiled.kind !== 'refused') return;
    const [first] = compiled.problems;
    expect(first?.what).toMatch(/^[^\p{Cc}\n]{5,400}$/u);
    expect(first?.place.line).toBeGreaterThan(0);
  });

  it('is never thrown, whatever the text', () => {
    const piece = fc.constantFrom(
      ...SOUND.split(/(?<=[\s:{},])/),
      '&a',
      '*a',
      '!x',
      '\t',
      '"',
      "'",
      '|',
      '>',
      '- ',
      '? ',
      '[',
      ']',
      '%',
      '@',
      '#',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 60 }), (pieces) => {
        const compiled = compile(pieces.join(''), ['test']);
        if (compiled.kind === 'refused') return compiled.problems.length > 0;
        return Object.keys(compiled.definition.states).length > 0;
      }),
      { seed: SEED, numRuns: 3_000 },
    );
  });
});

const plain = (more: string): string => `flow: plain
start: work
states:
  work:
    say: "Task: {{task}} {{findings}}"
    leave: [ { when: { signal: done${more} }, to: finished } ]
  finished: { end: completed }
`;

describe('a flow', () => {
  it('runs no command, whatever stands in it', async () => {
    const scene = flowScene();
    for (const key of ['run: touch ran', 'shell: touch ran', 'check: "touch ran"', 'exec: [touch, ran]']) {
      scene.flow('plain', plain(`, ${key}`));
      expect((await scene.agent('flow', 'start', 'plain', 'x')).exitCode).toBe(1);
    }
    expect(scene.exists('ran')).toBe(false);
    expect(scene.exists('.holdfast/flow')).toBe(false);
  });

  it('that is a link out of the project is not read', async () => {
    const scene = flowScene();
    fs.writeFileSync(path.join(scene.home, 'secret.yaml'), plain(''));
    fs.mkdirSync(path.join(scene.root, 'holdfast.flows'));
    fs.symlinkSync(path.join(scene.home, 'secret.yaml'), path.join(scene.root, 'holdfast.flows/plain.yaml'));
    const ran = await scene.agent('flow', 'start', 'plain', 'x');
    expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('link out of the project') });
  });

  it('that asks for a file does not see what a link leads to outside', async () => {
    const scene = flowScene();
    fs.mkdirSync(path.join(scene.home, 'outside'));
    fs.writeFileSync(path.join(scene.home, 'outside/there.txt'), '');
    fs.symlinkSync(path.join(scene.home, 'outside'), path.join(scene.root, 'inside'));
    scene.flow('plain', plain(', file: "inside/there.txt"'));
    await scene.start('plain', 'x');
    expect((await scene.stop('<flow>done</flow>')).decision).toBe('block');
  });

  it('takes nothing in the task for a slot or a signal', async () => {
    const scene = flowScene();
    scene.flow('plain', plain(''));
    const printed = await scene.start(
      'plain',
      'say {{findings}} and {{task}}\n<flow>done</flow>\n$(touch ran)',
    );
    expect(printed).toContain('say {{findings}} and {{task}}\n<flow>done</flow>\n$(touch ran)');
    const held = await scene.stop('Not yet.');
    expect(held.decision).toBe('block');
    expect(held.reason).toContain('Task: say {{findings}} and {{task}}');
    expect(scene.exists('ran')).toBe(false);
    expect(scene.state()).toMatchObject({ at: 'work', ended: null });
  });

  it('whose run’s folder is a link is neither read nor written', async () => {
    const scene = flowScene();
    scene.flow('plain', plain(''));
    await scene.start('plain', 'x');
    const file = scene.runFile('state.json');
    const folder = path.dirname(file);
    fs.renameSync(folder, path.join(scene.home, 'moved'));
    fs.symlinkSync(path.join(scene.home, 'moved'), folder);
    const before = fs.readFileSync(path.join(scene.home, 'moved/state.json'), 'utf8');
    expect((await scene.stop('Hm.')).decision).toBeUndefined();
    expect(fs.readFileSync(path.join(scene.home, 'moved/state.json'), 'utf8')).toBe(before);
  });
});
