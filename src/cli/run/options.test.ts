import { expect, it } from 'vitest';
import { refuseMisfit } from './options.ts';

it('refuses what a workflow cannot be driven with, at its start and later', async () => {
  await expect(refuseMisfit({ fresh: true, stopAt: null }, 'claudex')).rejects.toThrow(/--fresh does not go/);
  for (const workflow of ['claudex', 'flow', 'idle'])
    await expect(refuseMisfit({ fresh: false, stopAt: 'plan' }, workflow)).rejects.toThrow(
      `run: --stop-at is for taskie; ${workflow} has no stages.`,
    );
  await expect(refuseMisfit({ fresh: true, stopAt: 'plan' }, 'taskie')).resolves.toBeUndefined();
});
