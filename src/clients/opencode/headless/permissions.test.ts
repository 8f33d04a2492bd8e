import { expect, it } from 'vitest';
import { permissionsFor } from './permissions.ts';

const rules = (...bash: [string, string][]): string =>
  JSON.stringify({
    '*_*': 'deny',
    webfetch: 'deny',
    websearch: 'deny',
    codesearch: 'deny',
    external_directory: 'deny',
    doom_loop: 'allow',
    edit: {
      '*': 'allow',
      ...{ '.git': 'deny', '*/.git': 'deny', '.git/*': 'deny', '*/.git/*': 'deny' },
      ...{ '.opencode': 'deny', '*/.opencode': 'deny', '.opencode/*': 'deny', '*/.opencode/*': 'deny' },
      ...{ 'opencode.json': 'deny', '*/opencode.json': 'deny' },
      ...{ 'opencode.jsonc': 'deny', '*/opencode.jsonc': 'deny' },
    },
    bash: { '*': 'deny', ...Object.fromEntries(bash), '*>*': 'deny' },
  });

// As text: of its rules the last one that fits counts.
it('opencode may edit, and run nothing', () => {
  expect(permissionsFor([])).toBe(rules());
});

it('opencode may run what is allowed, each also with more words', () => {
  expect(permissionsFor([' npm test ', '', '  ', 'a*', 'a?', 'a\nb', 'git diff'])).toBe(
    rules(['npm test', 'allow'], ['npm test *', 'allow'], ['git diff', 'allow'], ['git diff *', 'allow']),
  );
});
