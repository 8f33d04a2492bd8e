// Reads the diagrams of docs/states.md, which are drawn from the decisions themselves, as data for the page.

import fs from 'node:fs';

/** { title: { start, states: { id: label }, ways: [{ from, to, by }] } } */
export function readDiagrams(file) {
  const sections = fs.readFileSync(file, 'utf8').split(/^## /m).slice(1);
  return Object.fromEntries(
    sections.flatMap((section) => {
      const [, drawn] = /```mermaid\nstateDiagram-v2\n([\s\S]*?)```/.exec(section) ?? [];
      return drawn === undefined ? [] : [[section.split('\n', 1)[0], readDiagram(drawn)]];
    }),
  );
}

function readDiagram(drawn) {
  const states = {};
  const ways = [];
  let start = '';
  for (const line of drawn.split('\n').map((each) => each.trim())) {
    const [, label, id] = /^state "(.+)" as (\S+)$/.exec(line) ?? [];
    if (id !== undefined) states[id] = label;
    const [, from, to, by] = /^(\S+) --> (\S+?)(?:: (.+))?$/.exec(line) ?? [];
    if (from === '[*]') start = to;
    else if (from !== undefined) ways.push({ from, to, by: by ?? '' });
  }
  return { start, states, ways };
}
