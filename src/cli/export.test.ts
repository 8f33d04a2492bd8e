import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import { callIn } from '../../test/support/call.ts';
import { exportCommand } from './export.ts';

afterEach(() => vi.restoreAllMocks());

const tried = (flags: Record<string, string>): Promise<unknown> =>
  Promise.resolve(exportCommand.run(callIn(emptyFolder(), { flags }).call)).catch((error: unknown) => error);

it('is refused where OpenTelemetry is not beside the plugin, after the flags were read', async () => {
  const above = path.resolve(import.meta.dirname, '..');
  expect(fs.existsSync(path.join(above, '../views/otlp.cjs'))).toBe(false);
  expect(await tried({ otlp: 'http://127.0.0.1:1' })).toMatchObject({
    name: 'NotNow',
    message: `OpenTelemetry is not part of the plugin that a client copies, which this is (${above}). Run \`npx holdfast export\` where you installed Holdfast from.`,
  });
  expect(await tried({ otlp: 'nonsense' })).toMatchObject({ name: 'WrongUsage' });
});
