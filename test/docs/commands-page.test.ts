import { expect, it } from 'vitest';
import { commandsPage } from './commands-page.ts';

it('docs/commands.md is current: `npm run commands` writes it', async () => {
  await expect(await commandsPage()).toMatchFileSnapshot('../../docs/commands.md');
});
