// `holdfast notify --test`: does the user's setting reach them? And, for the hook, the sending itself.

import path from 'node:path';
import { loadConfig, userConfigPath } from '../config/config.ts';
import { NOTIFY_EVENTS } from '../config/notify.ts';
import type { Call as News } from '../engine/notify/types.ts';
import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { ensureHome } from '../store/home.ts';
import { appendToJournal } from '../store/journal.ts';
import { parseJson } from '../store/json.ts';
import { hasShape, isListOf, isOneOf, isText } from '../store/shape.ts';
import { nameOf, send } from './notify/send.ts';

export const notify: Command = {
  name: 'notify',
  summary: 'try whether you are called as your settings say',
  usage: '--test',
  help: `Whom to call is "notify" in your own config file; a repository's file cannot set it (docs/watching.md).`,
  options: { test: { type: 'boolean' }, send: { type: 'boolean' } },
  writes: false,
  words: { least: 0, most: 0 },
  run: (call) => {
    if (call.flags.send) return sendAll(call);
    if (call.flags.test) return test(call);
    throw new WrongUsage(
      'notify: `holdfast notify --test` calls you once in each way that your settings name.',
    );
  },
};

async function test(call: Call): Promise<ExitCode> {
  const { notify: notifiers, problems } = await loadConfig(null, call.env);
  const broken = problems.find((line) => line.includes('notify'));
  if (broken !== undefined) throw new NotNow(broken);
  if (notifiers.length === 0)
    throw new NotNow(
      `nobody is to be called. Put { "notify": [{ "desktop": true }] } into ${userConfigPath(call.env)}, then try again.`,
    );
  const time = new Date(call.now).toISOString();
  const text = 'a test: you are called like this';
  const news: News = {
    event: 'test',
    project: path.basename(call.cwd),
    run: 'test',
    text,
    why: `${text}.`,
    time,
  };
  const failed = await Promise.all(notifiers.map((notifier) => send(notifier, news)));
  for (const [index, notifier] of notifiers.entries()) {
    const why = failed[index] ?? null;
    call.print(
      `${nameOf(notifier)}: ${why === null ? 'sent' : `not sent: ${why}`} (on ${notifier.on.join(', ')})`,
    );
  }
  return failed.every((why) => why === null) ? 0 : 1;
}

type Sent = { root: string; calls: readonly News[] };

const isSent = hasShape<Sent>({
  root: isText,
  calls: isListOf(
    hasShape<News>({
      event: isOneOf(...NOTIFY_EVENTS),
      project: isText,
      run: isText,
      text: isText,
      why: isText,
      time: isText,
    }),
  ),
});

/** In a process of its own, which nobody waits for: what fails is in the project's journal alone. */
async function sendAll(call: Call): Promise<ExitCode> {
  const sent = parseJson(call.stdin());
  if (!isSent(sent))
    throw new WrongUsage('notify: --send is for the hook; to try it, `holdfast notify --test`.');
  const { notify: notifiers } = await loadConfig(null, call.env);
  await Promise.all(
    sent.calls.flatMap((news) =>
      notifiers
        .filter(({ on }) => on.some((event) => event === news.event))
        .map(async (notifier) => {
          const why = await send(notifier, news);
          if (why !== null) journalFailure(sent.root, news, nameOf(notifier), why);
        }),
    ),
  );
  return 0;
}

function journalFailure(root: string, { run: name, event: on }: News, by: string, why: string): void {
  const [workflow = '', run = ''] = name.split(/:(.*)/s, 2);
  const time = new Date().toISOString();
  try {
    ensureHome(root);
    appendToJournal(root, {
      schema: 2,
      time,
      session: null,
      event: 'notify',
      workflow,
      run,
      what: 'failed',
      on,
      by,
      why,
    });
  } catch {
    // Nobody reads what this process says, and the other calls go on.
  }
}
