import path from 'node:path';
import { expect, it } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import { callIn } from '../../test/support/call.ts';
import { type Call, type Command, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { findViews } from './views.ts';
import { watch } from './watch.ts';
import { web } from './web.ts';

/** Sources have no views beside them, and neither has the plugin that a client copied. */
const missing = (command: string): NotNow =>
  new NotNow(
    `the views are not part of the plugin that a client copies, which this is (${path.dirname(import.meta.dirname)}). In the clone you installed it from, run \`npx holdfast ${command}\`.`,
  );

const typed = async (command: Command, flags: Call['flags'] = {}): Promise<number> =>
  command.run(callIn(emptyFolder(), { flags }).call);

it('where there are no views, it is said how to get them', async () => {
  expect(() => findViews('web')).toThrow(missing('web'));
  await expect(typed(watch)).rejects.toThrow(missing('watch'));
  for (const port of [undefined, '0', '1', '8080', '65535'])
    await expect(typed(web, { port })).rejects.toThrow(missing('web'));
});

it.each(['', 'x', '-1', '80.5', '65536', '1e3', ' 80', '8x'])('there is no port %j', async (port) => {
  await expect(typed(web, { port })).rejects.toThrow(
    new WrongUsage(`web: --port takes a number up to 65535, not "${port}".`),
  );
});
