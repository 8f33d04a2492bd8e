import { expect, it } from 'vitest';
import { asPattern } from './path-pattern.ts';

it('a path is no rule, no list and no wider pattern by what is in its name', () => {
  expect(asPattern('/home/dev/my-project_2/v1.0/ü.md')).toBe('/home/dev/my-project_2/v1.0/ü.md');
  expect(asPattern('/p/a) Bash(*),b[c]{d}!?\\#/**/x.md')).toBe('/p/a??Bash????b?c??d?????/??/x.md');
  // As long as the matcher counts it, which is by code units.
  expect(asPattern('👩x')).toBe('??x');
});
