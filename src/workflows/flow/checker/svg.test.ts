// A flow as a picture and as a diagram, whole.

import { describe, expect, it } from 'vitest';
import type { Definition } from '../types.ts';
import { mermaidOf } from './mermaid.ts';
import { svgOf } from './svg.ts';

const DEFINITION: Definition = {
  ...{ schema: 1, flow: 'sample', about: null, holds: 20, start: 'state', reviews: {} },
  states: {
    'not-yet': { kind: 'end', end: 'let-go', say: null },
    state: {
      ...{ kind: 'work', say: 'x', holds: 1, otherwise: 'not-yet' },
      leave: [
        {
          when: [
            { kind: 'signal', name: 'go' },
            { kind: 'file', glob: 'a<b>&"c"\u0007;', is: 'exists' },
          ],
          to: 'ask',
        },
        { when: [{ kind: 'visits', least: 2 }], to: 'end' },
      ],
    },
    ask: { kind: 'pause', say: null, leave: [{ when: [{ kind: 'visits', least: 1 }], to: 'gone' }] },
    end: { kind: 'end', end: 'completed', say: null },
  },
};

describe('a flow', () => {
  it('is drawn as a picture', () => {
    expect(svgOf(DEFINITION)).toBe(
      [
        '<svg xmlns="http://www.w3.org/2000/svg" width="404.4" height="366" viewBox="0 0 404.4 366" xml:space="preserve" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="12">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#57606a"/></marker></defs>',
        '<rect width="404.4" height="366" fill="#ffffff"/>',
        '<text x="40" y="24" font-size="14" font-weight="bold" fill="#1f2328">flow sample, at most 20 holds</text>',
        '<circle cx="14" cy="116" r="6" fill="#1f2328"/><path d="M20 116 H38" stroke="#57606a" stroke-width="1.2" marker-end="url(#tip)"/>',
        '<rect x="40" y="44" width="270.4" height="30" rx="8" fill="#ffebe9" stroke="#cf222e"/>',
        '<text x="52" y="64" font-weight="bold" fill="#1f2328">not-yet<tspan font-weight="normal" fill="#cf222e">  let-go</tspan></text>',
        '<rect x="40" y="100" width="270.4" height="102" rx="8" fill="#f6f8fa" stroke="#57606a"/>',
        '<text x="52" y="120" font-weight="bold" fill="#1f2328">state<tspan font-weight="normal" fill="#57606a"></tspan></text>',
        '<text x="62" y="145" fill="#1f2328">says go, a&#60;b&#62;&#38;&#34;c&#34;   exists<tspan fill="#57606a"> → ask</tspan></text>',
        '<text x="62" y="167" fill="#1f2328">visit 2 or later<tspan fill="#57606a"> → end</tspan></text>',
        '<text x="62" y="189" fill="#1f2328">after 1 hold<tspan fill="#57606a"> → not-yet</tspan></text>',
        '<rect x="40" y="228" width="270.4" height="58" rx="8" fill="#fff8c5" stroke="#9a6700"/>',
        '<text x="52" y="248" font-weight="bold" fill="#1f2328">ask<tspan font-weight="normal" fill="#9a6700">  a person\'s turn</tspan></text>',
        '<text x="62" y="273" fill="#1f2328">always<tspan fill="#57606a"> → gone</tspan></text>',
        '<rect x="40" y="312" width="270.4" height="30" rx="8" fill="#dafbe1" stroke="#1a7f37"/>',
        '<text x="52" y="332" font-weight="bold" fill="#1f2328">end<tspan font-weight="normal" fill="#1a7f37">  completed</tspan></text>',
        '<path d="M310.4 141 H330.4 V236 H312.4" fill="none" stroke="#57606a" stroke-width="1.2" stroke-linejoin="round" marker-end="url(#tip)"/>',
        '<path d="M310.4 163 H346.4 V324 H312.4" fill="none" stroke="#57606a" stroke-width="1.2" stroke-linejoin="round" marker-end="url(#tip)"/>',
        '<path d="M310.4 185 H362.4 V60 H312.4" fill="none" stroke="#57606a" stroke-width="1.2" stroke-linejoin="round" marker-end="url(#tip)"/>',
        '',
        '</svg>',
        '',
      ].join('\n'),
    );
  });

  it('is drawn as a diagram', () => {
    expect(mermaidOf(DEFINITION)).toBe(
      [
        'stateDiagram-v2',
        '  [*] --> state_',
        '  state "not-yet" as not_yet',
        '  not_yet --> [*]: let-go',
        '  state "state" as state_',
        '  state_ --> ask: says go, a<b>&"c"  exists',
        '  state_ --> end_: visit 2 or later',
        '  state_ --> not_yet: after 1 hold',
        "  note right of ask: a person's turn",
        '  ask --> gone: always',
        '  state "end" as end_',
        '  end_ --> [*]: completed',
      ].join('\n'),
    );
  });

  it('without states is an empty picture', () => {
    const empty = svgOf({ ...DEFINITION, states: {} });
    expect(empty.split('\n')[0]).toContain(' width="290" height="24" viewBox="0 0 290 24" ');
    expect(empty).toContain('<circle cx="14" cy="16" r="6" ');
  });

  it('is as wide as its longest text', () => {
    const long = 'n'.repeat(60);
    const widthOf = (states: Definition['states']): string =>
      /<rect x="40" y="44" width="([\d.]+)"/.exec(svgOf({ ...DEFINITION, states }))?.[1] ?? '';
    expect(widthOf({ [long]: { kind: 'end', end: 'completed', say: null } })).toBe(String(71 * 7.2 + 40));
    const leave = [{ when: [{ kind: 'signal' as const, name: long }], to: 'a' }];
    expect(widthOf({ a: { kind: 'pause', say: null, leave } })).toBe(String(69 * 7.2 + 40));
  });
});
