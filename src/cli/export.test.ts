import fs from 'node:fs';
import nodeModule, { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { asJson, withVersion } from '../../test/export/as-json.ts';
import { emptyFolder } from '../../test/support/bare-project.ts';
import { callIn } from '../../test/support/call.ts';
import { exportCommand } from './export.ts';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const tried = (flags: Record<string, string>): Promise<unknown> =>
  Promise.resolve(exportCommand.run(callIn(emptyFolder(), { flags }).call)).catch((error: unknown) => error);

it('is refused where OpenTelemetry is not beside the plugin, after the flags were read', async () => {
  const above = path.resolve(import.meta.dirname, '..');
  expect(fs.existsSync(path.join(above, '../views/otlp.cjs'))).toBe(false);
  expect(await tried({ otlp: 'http://127.0.0.1:1' })).toMatchObject({
    name: 'NotNow',
    message: `OpenTelemetry is not part of the plugin that a client copies, which this is (${above}). In the clone you installed it from, run \`npx holdfast export\`.`,
  });
  expect(await tried({ otlp: 'nonsense' })).toMatchObject({ name: 'WrongUsage' });
});

it('takes the OpenTelemetry that lies beside the plugin, and warns on standard error', async () => {
  withVersion();
  const beside = path.resolve(import.meta.dirname, '../../views/otlp.cjs');
  const [{ existsSync }, { createRequire }] = [fs, nodeModule];
  vi.spyOn(fs, 'existsSync').mockImplementation((file) => file === beside || existsSync(file));
  vi.spyOn(nodeModule, 'createRequire').mockImplementation((from) =>
    from === beside
      ? (((file: string) => (file === beside ? { otlp: asJson } : null)) as unknown as NodeJS.Require)
      : createRequire(from),
  );
  syncBuiltinESMExports();
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const otlp = 'http://collector.invalid:4318';
  const { call, printed } = callIn(emptyFolder(), { flags: { otlp, header: ['a=b'] } });
  // There is no project, and so nothing to send.
  expect(await exportCommand.run(call)).toBe(0);
  expect(printed).toHaveLength(1);
  expect(written.mock.calls).toEqual([
    [`holdfast: the headers go to ${otlp} unencrypted; use https:// for a collector elsewhere\n`],
  ]);
});
