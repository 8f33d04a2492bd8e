// Mutants of the launcher. There is no parser of sh here: each operator is a word and what stands for it instead,
// or a whole line left out.

const operators = [
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/\[ -(?=[a-z] )/g, '[ ! -'],
  [/ = (?=\S+ \])/g, ' != '],
  [/return 0/g, 'return 1'],
  [/return 1/g, 'return 0'],
  [/exit 0/g, 'exit 1'],
  [/cd -P/g, 'cd'],
  [/:-/g, ':+'],
  [/%\/\*/g, '%%/*'],
];

export function launcherMutants(file, source) {
  const found = [];
  let start = 0;
  for (const [index, text] of source.split('\n').entries()) {
    const place = { file, line: index + 1 };
    const isCode = text.trim() !== '' && !text.trim().startsWith('#');
    if (isCode) {
      for (const [word, instead] of operators)
        for (const match of text.matchAll(word)) {
          const from = start + match.index;
          found.push({ ...place, kind: 'Word', from, to: from + match[0].length, replacement: instead });
        }
      // What opens or closes a block cannot go alone.
      if (!/^\s*(\w+\(\) \{|\}|while .*|done|case .*|esac|if .*|fi|then|else)\s*$/.test(text))
        found.push({ ...place, kind: 'LineLeftOut', from: start, to: start + text.length, replacement: ':' });
    }
    start += text.length + 1;
  }
  return found;
}
