// What each command takes is what its usage or its help says.

import { expect, it } from 'vitest';
import { everyCommand } from './help.ts';

/** Taken as before, said nowhere: a run is named as the argument. */
const SILENT = ['run', 'send'];

it('every option of a command is in its usage or its help, and nothing else is', async () => {
  for (const { name, command } of await everyCommand()) {
    if (command === null) continue;
    const said = `${command.usage} ${command.help ?? ''}`;
    const named = new Set([...said.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(([, option]) => option));
    const options = Object.keys(command.options);
    expect({ name, unsaid: options.filter((each) => !named.has(each) && !SILENT.includes(each)) }).toEqual({
      ...{ name, unsaid: [] },
    });
  }
});
