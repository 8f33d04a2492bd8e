import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Programs, programs, says } from '../../../test/support/programs.ts';
import { isClientFailed } from '../install/program.ts';
import { type Ask, talkToCodex } from './server.ts';

/** What it prints on each line that it reads, by the request's id; it ends when its input does. */
function server(...answers: readonly string[]): Programs {
  const cases = answers.map((answer, at) => `*'"id":${at + 1},'*) ${answer}\n;;`);
  return serving(
    `while read -r line; do printf '%s\\n' "$line" >>"$HOME/asked"; case $line in ${cases.join('\n')}\nesac; done`,
  );
}
const serving = (does: string): Programs => programs({ codex: { 'app-server': does } });
const result = (id: number, value: unknown): string => says(JSON.stringify({ id, result: value }));
const STARTED = result(1, {});

async function failure(talking: Promise<unknown>): Promise<string> {
  const error: unknown = await talking.then(
    (value) => ({ value }),
    (thrown: unknown) => thrown,
  );
  return isClientFailed(error) ? error.message : JSON.stringify(error);
}

describe('a talk with Codex', () => {
  it('begins with who we are, then asks and answers with what was made of it', async () => {
    const here = server(STARTED, result(2, ['two']), result(3, null));
    const heard = await talkToCodex(here.project, async (ask) => [
      await ask('a/b', { x: 1 }),
      await ask('c', {}),
    ]);
    expect(heard).toEqual([['two'], null]);
    const clientInfo = { name: 'holdfast', title: 'Holdfast', version: '1' };
    expect(
      here
        .read('asked')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { id: 1, method: 'initialize', params: { clientInfo, capabilities: null } },
      { method: 'initialized' },
      { id: 2, method: 'a/b', params: { x: 1 } },
      { id: 3, method: 'c', params: {} },
    ]);
    expect(here.calls()).toEqual(['codex app-server']);
  });

  it('takes place in the folder, and hears what does not come in one piece', async () => {
    const text = 'x'.repeat(300_000);
    const here = serving(
      `pwd >"$HOME/cwd"; read -r line; ${STARTED}\nread -r line; read -r line; cat "$HOME/long"; cat >"$HOME/rest"`,
    );
    here.write('long', `${JSON.stringify({ id: 2, result: text })}\n`);
    expect(await talkToCodex(here.project, (ask) => ask('m', {}))).toBe(text);
    expect(here.read('cwd')).toBe(`${here.project}\n`);
    expect(here.read('rest')).toBe('');
  });

  it('hears answers in any order, and nothing but answers', async () => {
    const noise = [
      '',
      'no json',
      '[]',
      '"text"',
      '{"id":"2","result":"text id"}',
      '{"result":"no id"}',
      '{"id":99,"result":"never asked"}',
      '{"id":99,"error":{"message":"never asked"}}',
      '{"id":2,"method":"ask/user","result":"a request"}',
      '{"method":"note","params":{}}',
    ].join('\n');
    const here = server(
      STARTED,
      ':',
      `${says(noise)}\n${result(3, 'three')}\n${result(2, 'two')}\n${result(2, 'late')}`,
    );
    expect(await talkToCodex(here.project, (ask) => Promise.all([ask('a', {}), ask('b', {})]))).toEqual([
      'two',
      'three',
    ]);
  });

  it.each<[string, string]>([
    ['{"message":"not now"}', 'not now'],
    ['{"message":7}', '{"message":7}'],
    ['"odd"', '"odd"'],
    ['null', 'null'],
  ])('fails with the words of a refusal: %s', async (error, words) => {
    const here = server(STARTED, says(`{"id":2,"error":${error},"result":1}`));
    expect(await failure(talkToCodex(here.project, (ask) => ask('a/b', {})))).toBe(
      `Codex refused a/b: ${words}`,
    );
  });

  it('fails where it is refused at once', async () => {
    const here = server(says('{"id":1,"error":{"message":"log in"}}'));
    expect(await failure(talkToCodex(here.project, async () => 'never'))).toBe(
      'Codex refused initialize: log in',
    );
  });

  it('fails where there is no Codex', async () => {
    expect(await failure(talkToCodex(programs({}).project, async () => 'never'))).toBe(
      'Codex did not answer initialize: `codex app-server` is not running.',
    );
  });

  it('fails for all that was asked where it ends, and for what is asked after that', async () => {
    const here = server(STARTED, ':', 'exit 3');
    const talk = async (ask: Ask): Promise<string[]> => [
      ...(await Promise.all([failure(ask('a', {})), failure(ask('b', {}))])),
      await failure(ask('c', {})),
    ];
    expect(await talkToCodex(here.project, talk)).toEqual([
      'Codex did not answer a: `codex app-server` ended.',
      'Codex did not answer b: `codex app-server` ended.',
      'Codex did not answer c: `codex app-server` is not running.',
    ]);
  });

  it('passes on what fails in the talk itself, and a server that complains at length', async () => {
    const here = server(`head -c 300000 /dev/zero >&2\n${STARTED}`);
    const talking = talkToCodex(here.project, () => Promise.reject(new Error('mine')));
    await expect(talking).rejects.toThrow('mine');
  });
});

describe('a Codex that is too slow', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const fakeTimers = (): void => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  };
  const isSettled = async (talking: Promise<unknown>): Promise<boolean> => {
    let settled = false;
    talking.then(
      () => (settled = true),
      () => (settled = true),
    );
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
    const here = serving(`read -r line; ${STARTED}\nexec sleep 30`);
    fakeTimers();
    let done = (): void => {};
    const over = new Promise<void>((resolve) => {
      done = resolve;
    });
    const talking = talkToCodex(here.project, async () => done());
    await over;
    expect(await isSettled(talking)).toBe(false);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1999);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    await talking;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no timer behind where it was quick', async () => {
    const here = server(STARTED);
    fakeTimers();
    expect(await talkToCodex(here.project, async () => 'said')).toBe('said');
    expect(vi.getTimerCount()).toBe(0);
  });
});
