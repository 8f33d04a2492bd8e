// `holdfast web`: a page on 127.0.0.1 with all runs of all projects, live, until it is ended.

import { isInsideClient } from '../clients/index.ts';
import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { hasCode } from '../store/files.ts';
import type { WebServer } from '../views/web/index.ts';
import { openInBrowser } from './open-in-browser.ts';

export const web: Command = {
  name: 'web',
  summary: 'a page with all runs of all projects, live, for you alone',
  usage: '[--port N] [--open] [--read-only]',
  help: [
    'It is served to this machine alone, and only for the printed address. ^C ends it.',
    '',
    '  --port N     instead of any that is free',
    '  --open       opens it in your browser',
    '  --read-only  without the button that cancels a run',
  ].join('\n'),
  options: { port: { type: 'string' }, open: { type: 'boolean' }, 'read-only': { type: 'boolean' } },
  writes: false,
  words: { least: 0, most: 0 },
  run: showPage,
};

async function showPage(call: Call): Promise<ExitCode> {
  const port = portOf(call);
  const { findViews } = await import('./views.ts');
  const views = findViews('web');
  const { openSource, rootHere } = await import('./shown/source.ts');
  const source = await openSource(call, await rootHere(call), true);
  const { serve } = await views.web();
  // An agent's shell only looks.
  const readOnly =
    call.flags['read-only'] === true || call.env.HOLDFAST_DISABLE === '1' || isInsideClient(call.env);
  const server = await listening(() => serve({ source, page: views.page, port, readOnly }), port);
  // Before it is said how to end it.
  const ended = asked();
  call.print(`Holdfast is at ${server.address()}`);
  call.print('The address is for you alone: whoever has it can see your runs. ^C ends it.');
  if (call.flags.open) {
    const trouble = openInBrowser(call.env, server.address());
    if (trouble !== null) call.print(trouble);
  }
  await ended;
  await server.close();
  return 0;
}

function portOf({ flags }: Call): number {
  if (flags.port === undefined) return 0;
  const port = Number(flags.port);
  if (/^\d+$/.test(String(flags.port)) && port <= 65535) return port;
  throw new WrongUsage(`web: --port takes a number up to 65535, not "${String(flags.port)}".`);
}

async function listening(serve: () => Promise<WebServer>, port: number): Promise<WebServer> {
  try {
    return await serve();
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE'))
      throw new NotNow(`port ${port} is taken; name another, or leave --port out to get one that is free.`);
    if (hasCode(error, 'EACCES'))
      throw new NotNow(`port ${port} is not for you to open; name one from 1024 on.`);
    throw error;
  }
}

/** By ^C, or whoever started it; some send it twice, to the process and to its group. */
function asked(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, resolve);
  });
}
