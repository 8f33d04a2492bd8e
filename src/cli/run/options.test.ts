import { expect, it } from 'vitest';
import { refuseMisfit } from './options.ts';

it('refuses what a workflow cannot be driven with, at its start and later', async () => {
  await expect(refuseMisfit({ fresh: true, stopAt: null }, 'claudex')).rejects.toThrow(/--fresh does not go/);
  await expect(refuseMisfit({ fresh: false, stopAt: 'plan' }, 'claudex')).rejects.toThrow(/has no stages/);
  await expect(refuseMisfit({ fresh: true, stopAt: 'plan' }, 'taskie')).resolves.toBeUndefined();
});
