// docs/flows.md: its tutorial is a flow that is accepted, what it shows of a mistake is what is printed, and the diagrams
// of the built-in flows are those that the tool draws.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtIn } from '../../src/workflows/flow/built-in.ts';
import { check } from '../../src/workflows/flow/checker/check.ts';
import { mermaidOf } from '../../src/workflows/flow/checker/mermaid.ts';
import { svgOf } from '../../src/workflows/flow/checker/svg.ts';
import { compile } from '../../src/workflows/flow/language/compile.ts';
import { problemLines } from '../../src/workflows/flow/language/problems.ts';
import type { Definition } from '../../src/workflows/flow/types.ts';

const page = fs.readFileSync(path.resolve(import.meta.dirname, '../../docs/flows.md'), 'utf8');
const contract = fs.readFileSync(path.resolve(import.meta.dirname, '../../docs/contracts/flows.md'), 'utf8');

/** The first block that begins so, without its indentation. */
function block(begin: string): string {
  const lines = page.slice(page.indexOf(`    ${begin}`)).split('\n');
  const end = lines.findIndex((line) => line !== '' && !line.startsWith('    '));
  return lines
    .slice(0, end)
    .map((line) => line.slice(4))
    .join('\n')
    .trimEnd();
}

function compiled(text: string): Definition {
  const found = compile(text, ['test', 'ci']);
  if (found.kind === 'refused') throw new Error(found.problems[0]?.what);
  const checked = check(found.definition, found.places, 6);
  if (checked.kind === 'refused') throw new Error(checked.problems[0]?.what);
  return found.definition;
}

describe('the tutorial', () => {
  const text = block('flow: changelog');

  it('is a flow that is accepted, with its way out too', () => {
    expect(compiled(text).flow).toBe('changelog');
    const out = text
      .replace('        to: finished', '        to: finished\n    holds: 4\n    otherwise: given-up')
      .concat('\n  given-up: { end: let-go, say: Four times it was asked for a line in CHANGELOG.md. }\n');
    expect(compiled(out).states['given-up']).toMatchObject({ kind: 'end' });
    expect(compiled(out.replace('{ signal: done }', '{ signal: done, check: test }')).flow).toBe('changelog');
  });

  it('shows a mistake as it is printed', () => {
    const found = compile(text.replace('to: finished', 'to: write'), []);
    if (found.kind === 'refused') throw new Error(found.problems[0]?.what);
    const checked = check(found.definition, found.places, 6);
    const problems = checked.kind === 'refused' ? checked.problems : [];
    const printed = problems.map((problem) =>
      problemLines('holdfast.flows/changelog.yaml', problem).join('\n'),
    );
    expect(printed).toContain(block('holdfast.flows/changelog.yaml:'));
  });
});

describe('the built-in flows', () => {
  it.each([...builtIn])('%s has its diagram on the page, as the tool draws it', (name, text) => {
    const definition = compiled(text);
    expect(page).toContain(`### ${name}\n`);
    expect(page).toContain(`\`\`\`mermaid\n${mermaidOf(definition)}\n\`\`\``);
  });

  it.each([...builtIn])('%s can be drawn as a picture in which no text is lost', (_, text) => {
    const definition = compiled(text);
    const svg = svgOf(definition);
    for (const name of Object.keys(definition.states)) expect(svg).toContain(`>${name}<`);
    const tags = svg.match(/<\/?[a-z]+/g) ?? [];
    expect(tags.filter((tag) => tag === '<text').length).toBe(tags.filter((tag) => tag === '</text').length);
  });
});

describe('the pages', () => {
  it('name every condition and slot', () => {
    for (const word of ['signal', 'check', 'review', 'file', 'visits']) {
      expect(page).toContain(`\`${word}: `);
      expect(contract).toContain(`\`${word}\``);
    }
    for (const slot of ['task', 'visits', 'holds', 'checks', 'findings'])
      expect(page).toContain(`{{${slot}}}`);
  });
});
