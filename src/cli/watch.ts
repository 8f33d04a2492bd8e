// `holdfast watch`: the runs of this project, or of all, live in the terminal.

import { isInsideClient } from '../clients/index.ts';
import type { Call, Command, ExitCode } from '../engine/workflow-cli.ts';
import type { Source } from '../views/source.ts';
import type { WebServer } from '../views/web/index.ts';
import { openInBrowser } from './open-in-browser.ts';
import { findViews, type Views } from './views.ts';

export const watch: Command = {
  name: 'watch',
  summary: 'the runs of this project, live in the terminal; --all: of all projects',
  usage: '[--all]',
  help: 'Arrows choose a run, enter shows more of it, c cancels it (and asks), d puts one that has ended out of sight, o opens it in your browser, q ends. Where standard output is no terminal it prints a line for each change, until it is ended.',
  options: { all: { type: 'boolean', short: 'a' } },
  writes: false,
  words: { least: 0, most: 0 },
  run: showRuns,
};

async function showRuns(call: Call): Promise<ExitCode> {
  const views = findViews('watch');
  const { openSource, rootHere } = await import('./shown/source.ts');
  const here = await rootHere(call);
  const source = await openSource(call, here, call.flags.all === true || here === null);
  const mayWrite = call.env.HOLDFAST_DISABLE !== '1' && !isInsideClient(call.env);
  const browser = new Browser(call, views, source, !mayWrite);
  const { watch: show } = await views.watch();
  await show({
    source,
    colours: !call.env.NO_COLOR,
    cancel: mayWrite ? (id) => source.cancel(id) : null,
    dismiss: mayWrite ? (id) => source.dismiss(id) : null,
    open: (id) => browser.open(id),
  });
  await browser.close();
  return 0;
}

/** Serves the page from the moment that somebody asks for it. */
class Browser {
  readonly #call: Call;
  readonly #views: Views;
  readonly #source: Source;
  readonly #readOnly: boolean;
  #server: Promise<WebServer> | null = null;

  constructor(call: Call, views: Views, source: Source, readOnly: boolean) {
    this.#call = call;
    this.#views = views;
    this.#source = source;
    this.#readOnly = readOnly;
  }

  /** Answers with a line for the user. */
  async open(id: string | null): Promise<string> {
    this.#server ??= this.#serve();
    const address = (await this.#server).address(id ?? undefined);
    return openInBrowser(this.#call.env, address) === null ? 'Opened in your browser.' : `Open ${address}`;
  }

  async close(): Promise<void> {
    await (await this.#server)?.close();
  }

  async #serve(): Promise<WebServer> {
    const { serve } = await this.#views.web();
    return serve({ source: this.#source, page: this.#views.page, port: 0, readOnly: this.#readOnly });
  }
}
