import { expect, it } from 'vitest';
import { withChecks } from './merge-config.ts';

const ADDED = '"test": { "run": "npm test" }';

it.each([
  ['a new file', null, `{\n  "checks": {\n    ${ADDED}\n  }\n}\n`],
  [
    'a file with checks, in its own indentation',
    '{\n\t"guard": {"unmoved":2},\n\t"checks": {\n\t\t"lint": { "run": "x" }\n\t}\n}\n',
    `{\n\t"guard": {"unmoved":2},\n\t"checks": {\n\t\t"lint": { "run": "x" },\n\t\t${ADDED}\n\t}\n}\n`,
  ],
  ['a file in one line', '{"checks":{"a":{"run":"x"}}}', `{"checks":{"a":{"run":"x"}, ${ADDED}}}`],
  [
    'a file with other keys alone, ended as on Windows',
    '{\r\n    "guard": {}\r\n}\r\n',
    `{\r\n    "guard": {},\r\n    "checks": {\r\n        ${ADDED}\r\n    }\r\n}\r\n`,
  ],
])('a check is added to %s', (_, before, after) => {
  expect(withChecks(before, [{ name: 'test', run: 'npm test' }])).toBe(after);
});
