// Codex's hooks: what it lists, what is said of it, what is written to its config (golden/hooks.txt); and the talk with its
// app-server behind that.

import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { matchTable } from '../../../test/support/golden.ts';
import { type Programs, programs, says } from '../../../test/support/programs.ts';
import { recordedLines } from '../../../test/support/recorded.ts';
import { isClientFailed } from '../install/program.ts';
import { judgeTrust } from './check.ts';
import {
  type CodexHooks,
  forgetCodexHooks,
  lookAtCodexHooks,
  readHookList,
  trustCodexHooks,
} from './hooks.ts';
import { describeHooks } from './install.ts';
import { type Ask, talkToCodex } from './server.ts';

const STARTED = { result: {} };
const serving = (does: string): Programs => programs({ codex: { 'app-server': does } });
/** What it says to each request, by its id, in sh; it ends when its input does. */
const server = (...does: readonly string[]): Programs => {
  const cases = does.map((each, at) => `*'"id":${at + 1},'*) ${each}\n;;`);
  const note = `printf '%s\\n' "$line" >>"$HOME/asked"`;
  return serving(`while read -r line; do ${note}; case $line in ${cases.join('\n')}\nesac; done`);
};
const answerTo = (id: number, answer: object): string => says(JSON.stringify({ id, ...answer }));
const answering = (...answers: readonly object[]): Programs =>
  server(...[STARTED, ...answers].map((answer, at) => answerTo(at + 1, answer)));
/** Without the two lines that start the talk. */
const asked = (here: Programs): { method: string; params?: { edits?: { keyPath: string }[] } }[] =>
  here
    .read('asked')
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((line) => JSON.parse(line));

/** A recording by its name, problems, or hooks by event, trust and whether they are on. */
function hooksOf(text: string): CodexHooks {
  if (text.startsWith('hooks-'))
    return readHookList(JSON.parse(recordedLines(`plugins/codex/${text}.json`).join('\n')));
  const given: (string | [event: string, trust: 'trusted', enabled: boolean])[] = JSON.parse(text);
  const problems = given.filter((each) => typeof each === 'string');
  const hooks = given.filter((each) => typeof each !== 'string');
  const all = hooks.map(([event, trust, enabled]) => ({
    key: 'k',
    event,
    command: 'c',
    hash: 'h',
    trust,
    enabled,
  }));
  return { hooks: all, problems };
}

async function failure(talking: Promise<unknown>): Promise<string> {
  const error: unknown = await talking.then(
    (value) => ({ value }),
    (thrown: unknown) => thrown,
  );
  return isClientFailed(error) ? error.message : JSON.stringify(error);
}

it('what Codex lists, and what is said and done about it', () =>
  matchTable(import.meta.dirname, 'hooks', {
    'what hooks/list answers': (answer) => failure((async () => readHookList(JSON.parse(answer)))()),
    'what doctor says of the hooks': (hooks) => judgeTrust(hooksOf(hooks), 'Codex 1', 'hf'),
    'what is said after an installation': (hooks) =>
      describeHooks(hooksOf(hooks), { trust: false, cli: 'hf' }),
    'what is said after an installation with --trust': (hooks) =>
      describeHooks(hooksOf(hooks), { trust: true, cli: 'hf' }),
    'what is taken out of the user’s config': async (config) => {
      const here = answering({ result: JSON.parse(config) }, { result: {} });
      await forgetCodexHooks(here.project);
      return asked(here).map(({ method, params }) => params?.edits?.map(({ keyPath }) => keyPath) ?? method);
    },
  }));

it('the trust is recorded as each hook is shown now, where it wants it, and read again', async () => {
  const listed = (key: string, trustStatus: string, pluginId = 'holdfast@holdfast'): object => ({
    ...{
      key,
      eventName: 'stop',
      command: 'c',
      pluginId,
      enabled: true,
      currentHash: `hash of ${key}`,
      trustStatus,
    },
  });
  const list = (...hooks: object[]): object => ({ result: { data: [{ hooks }] } });
  const before = list(
    ...[listed('a', 'untrusted'), listed('b', 'trusted'), listed('c', 'modified'), listed('d', 'managed')],
    listed('e', 'untrusted', 'other@x'),
  );
  const here = answering(before, { result: {} }, list(listed('a', 'trusted')));
  expect((await trustCodexHooks(here.project)).hooks).toMatchObject([{ key: 'a', trust: 'trusted' }]);
  const value = { a: { trusted_hash: 'hash of a' }, c: { trusted_hash: 'hash of c' } };
  expect(asked(here)).toMatchObject([
    { method: 'hooks/list', params: { cwds: [here.project] } },
    {
      method: 'config/batchWrite',
      params: { edits: [{ keyPath: 'hooks.state', value, mergeStrategy: 'upsert' }], reloadUserConfig: true },
    },
    { method: 'hooks/list' },
  ]);
  const trusted = answering(list(listed('b', 'trusted')), list(listed('b', 'managed')));
  await trustCodexHooks(trusted.project);
  expect(asked(trusted).map(({ method }) => method)).toEqual(['hooks/list', 'hooks/list']);
  expect((await lookAtCodexHooks(answering(list()).project)).hooks).toEqual([]);
});

describe('a talk with Codex', () => {
  it('begins with who we are, takes place in the folder, and hears what does not come in one piece', async () => {
    const start = `pwd >"$HOME/cwd"; read -r line; echo "$line" >"$HOME/asked"; ${answerTo(1, STARTED)}`;
    const here = serving(
      `${start}\nread -r line; echo "$line" >>"$HOME/asked"; read -r line; cat "$HOME/long"; cat >"$HOME/rest"`,
    );
    const text = 'x'.repeat(300_000);
    here.write('long', `${JSON.stringify({ id: 2, result: text })}\n`);
    expect(await talkToCodex(here.project, (ask) => ask('m', {}))).toBe(text);
    const clientInfo = { name: 'holdfast', title: 'Holdfast', version: '1' };
    const first = { id: 1, method: 'initialize', params: { clientInfo, capabilities: null } };
    expect(
      here
        .read('asked')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([first, { method: 'initialized' }]);
    expect([here.read('cwd'), here.read('rest')]).toEqual([`${here.project}\n`, '']);
  });

  it('hears answers in any order, and nothing but answers', async () => {
    const noise = [
      ...['', 'no json', '[]', '"text"', '{"id":"2","result":"text id"}', '{"result":"no id"}'],
      ...['{"id":99,"result":"never asked"}', '{"id":99,"error":{"message":"never asked"}}'],
      ...['{"id":2,"method":"ask/user","result":"a request"}', '{"method":"note","params":{}}'],
    ];
    const answers = [
      [3, 'three'],
      [2, 'two'],
      [2, 'late'],
    ].map(([id, result]) => answerTo(Number(id), { result }));
    const here = server(answerTo(1, STARTED), ':', [says(noise.join('\n')), ...answers].join('\n'));
    const talk = (ask: Ask) => Promise.all([ask('a', {}), ask('b', {})]);
    expect(await talkToCodex(here.project, talk)).toEqual(['two', 'three']);
  });

  it.each([
    [{ message: 'not now' }, 'not now'],
    [{ message: 7 }, '{"message":7}'],
    ['odd', '"odd"'],
    [null, 'null'],
  ])('fails with the words of a refusal: %j', async (error, words) => {
    const here = answering({ error, result: 1 });
    expect(await failure(talkToCodex(here.project, (ask) => ask('a/b', {})))).toBe(
      `Codex refused a/b: ${words}`,
    );
  });

  it('fails for all that was asked where it ends, and for what is asked after that', async () => {
    const here = server(answerTo(1, STARTED), ':', 'exit 3');
    const talk = async (ask: Ask): Promise<string[]> => [
      ...(await Promise.all([failure(ask('a', {})), failure(ask('b', {}))])),
      await failure(ask('c', {})),
    ];
    const why = (method: string, what: string): string =>
      `Codex did not answer ${method}: \`codex app-server\` ${what}.`;
    expect(await talkToCodex(here.project, talk)).toEqual([
      why('a', 'ended'),
      why('b', 'ended'),
      why('c', 'is not running'),
    ]);
    const none = talkToCodex(programs({}).project, async () => 'never');
    expect(await failure(none)).toBe(why('initialize', 'is not running'));
  });

  it('passes on what fails in the talk itself, though the server complains at length', async () => {
    const here = server(`head -c 300000 /dev/zero >&2\n${answerTo(1, STARTED)}`);
    await expect(talkToCodex(here.project, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
  });
});

describe('a Codex that is too slow', () => {
  afterEach(() => void vi.useRealTimers());
  const fakeTimers = (): unknown => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const isSettled = async (talking: Promise<unknown>): Promise<boolean> => {
    let settled = false;
    void talking.then(() => (settled = true));
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    return settled;
  };

  it('has fifteen seconds for the whole talk', async () => {
    const here = serving('cat >/dev/null');
    fakeTimers();
    const talking = failure(talkToCodex(here.project, async () => 'never'));
    vi.advanceTimersByTime(14_999);
    expect(await isSettled(talking)).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await talking).toBe('`codex app-server` did not answer in time.');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has two seconds to leave when the talk is over, then it is killed', async () => {
    const here = serving(`read -r line; ${answerTo(1, STARTED)}\nexec sleep 30`);
    fakeTimers();
    let talking: Promise<void> | undefined;
    await new Promise<void>((resolve) => {
      talking = talkToCodex(here.project, async () => resolve());
    });
    if (talking === undefined) throw new Error('no talk');
    expect(await isSettled(talking)).toBe(false);
    vi.advanceTimersByTime(1999);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    await talking;
    expect(vi.getTimerCount()).toBe(0);
  });
});
