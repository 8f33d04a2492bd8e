// Flows through the real hook: each stop as a client fires it, with a session id.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeTranscript } from '../toy/transcript.ts';
import { type FlowScene, flowScene } from './scene.ts';

const RED = 'cat test.txt 2>/dev/null; ! grep -q red test.txt 2>/dev/null';

async function tdd(): Promise<FlowScene> {
  const scene = flowScene();
  scene.checks({ test: RED });
  await scene.start('tdd');
  return scene;
}

const inState = ({ reason }: { reason?: string }): string | undefined =>
  /^\[FLOW [a-z-]+: ([a-z-]+), hold/.exec(reason ?? '')?.[1];

describe('tdd, built in', () => {
  it('goes through two rounds with a real failing and passing command', async () => {
    const scene = await tdd();
    const states: (string | undefined)[] = [];
    for (let round = 1; round <= 2; round++) {
      scene.write('test.txt', `red ${round}\n`);
      const green = await scene.stop('A failing test.');
      expect(green.reason).toContain(`red ${round}`);
      scene.write('test.txt', `green ${round}\n`);
      states.push(inState(green), inState(await scene.stop('It passes.')));
      states.push(inState(await scene.stop('Clean.\n\n<flow>clean</flow>')));
    }
    expect(states).toEqual(['green', 'refactor', 'red', 'green', 'refactor', 'red']);

    const end = await scene.stop('All of it.\n\n<flow>finished</flow>');

    expect(end.decision).toBeUndefined();
    expect(end.systemMessage).toContain('the flow tdd is complete, after 6 holds');
    expect(scene.state()).toMatchObject({ at: 'done', ended: 'completed', held: 6, visits: { red: 3 } });
    expect((await scene.agent('log')).stdout).toMatch(/end +flow:tdd-\S+ +done/);
    expect((await scene.agent('replay', '1')).stdout).toContain('same');
    expect((await scene.stop('Anything.')).decision).toBeUndefined();
  });

  it('runs no check while a cheaper part of the line does not hold', async () => {
    const scene = flowScene();
    scene.checks({ test: 'echo ran >>../ran.txt' });
    scene.flow('lazy', LAZY);
    await scene.start('lazy', '');
    await scene.stop('Not yet.');
    expect(fs.existsSync(`${scene.root}/../ran.txt`)).toBe(false);
    await scene.stop('Now.\n\n<flow>go</flow>');
    expect(fs.existsSync(`${scene.root}/../ran.txt`)).toBe(true);
  });

  it('is let go after eight holds in green, as stuck', async () => {
    const scene = await tdd();
    scene.write('test.txt', 'red\n');
    for (let hold = 1; hold <= 8; hold++) {
      // Something moves each time, or the guard would be first.
      fs.writeFileSync(
        scene.runFile('state.json'),
        `${fs.readFileSync(scene.runFile('state.json'), 'utf8')} `,
      );
      expect(inState(await scene.stop('Still red.'))).toBe('green');
    }
    const end = await scene.stop('Still red.');
    expect(end.systemMessage).toContain('ended in "stuck" without coming to its goal');
    expect(end.systemMessage).toContain('Green was not reached in eight tries.');
    expect(scene.state()).toMatchObject({ ended: 'stuck' });
  });

  it('is let go by the guard when nothing moves at all, and adopt goes on with it', async () => {
    const scene = await tdd();
    scene.write('test.txt', 'red\n');
    const transcript = claudeTranscript(path.join(scene.home, 'transcript.jsonl'));
    const more = { transcript_path: transcript.file };
    const stop = (): ReturnType<FlowScene['stop']> => {
      transcript.says('Hm.');
      return scene.stop('Hm.', more);
    };
    for (let hold = 1; hold <= 6; hold++) expect((await stop()).decision).toBe('block');
    const released = await stop();
    expect(released.systemMessage).toMatch(/no progress in 6 holds.*adopt flow:tdd/);
    expect((await scene.agent('status')).stdout).toMatch(/flow:tdd-\S+ +released \(no progress\)/);
    const [run] = fs.readdirSync(`${scene.root}/.holdfast/flow`);
    expect((await scene.agent('adopt', `flow:${run}`)).exitCode).toBe(0);
    expect((await stop()).decision).toBe('block');
  });
});

const LAZY = `flow: lazy
start: wait
states:
  wait:
    say: Wait
    leave:
      - when: { signal: go, check: test }
        to: done
  done: { end: completed }
`;

describe('the run’s own bound', () => {
  it('ends it when its holds are used up', async () => {
    const scene = flowScene();
    scene.flow('short', LAZY.replace('flow: lazy', 'flow: short\nholds: 2').replace(', check: test', ''));
    await scene.start('short', '');
    expect((await scene.stop('One.')).reason).toContain('hold 1 of at most 2');
    expect((await scene.stop('Two.')).decision).toBe('block');
    const end = await scene.stop('Three.');
    expect(end.systemMessage).toContain('has used up its 2 holds in "wait"');
    expect(scene.state()).toMatchObject({ ended: 'limit' });
  });
});

describe('a signal', () => {
  const FLOW = LAZY.replace(', check: test', '');

  it.each([
    ['as code', 'I will say:\n```\n<flow>go</flow>\n```', 'as code or in a comment'],
    ['in the middle of a line', 'Then <flow>go</flow> it is.', 'not on a line of its own'],
    ['in another case', '<Flow>GO</Flow>', 'not spelled exactly so'],
  ])('does not count %s, and the hold says why', async (_, message, why) => {
    const scene = flowScene();
    scene.flow('lazy', FLOW);
    await scene.start('lazy', '');
    const answer = await scene.stop(message);
    expect(answer.reason).toContain(why);
  });

  it('that nobody listens for is dropped', async () => {
    const scene = flowScene();
    scene.flow('lazy', FLOW);
    await scene.start('lazy', '');
    expect((await scene.stop('<flow>other</flow>')).decision).toBe('block');
  });
});

describe('a review', () => {
  const REVIEW = `flow: critic
start: work
reviews:
  critic: { prompt: "Look at {{task}}", files: ["code.txt"] }
states:
  work:
    say: |
      Work.
      {{findings}}
    leave:
      - when: { review: critic }
        to: done
  done: { end: completed }
`;

  it('is asked in a sandbox, is not repeated on unchanged content, and its findings are said', async () => {
    const scene = flowScene();
    scene.flow('critic', REVIEW);
    scene.reviewer('fail', 'pass');
    scene.write('code.txt', 'one\n');
    await scene.start('critic');

    const first = await scene.stop('Done.');
    expect(first.reason).toContain('1. A name is unclear.');
    expect(first.reason).toMatch(/\.holdfast\/flow\/critic-\S+\/review-1-critic\.md/);
    const again = await scene.stop('Done.');
    expect(again.reason).toContain('1. A name is unclear.');
    expect(scene.reviews()).toHaveLength(1);
    const args = scene.reviews()[0]?.args.join(' ') ?? '';
    expect(args).toContain('--safe-mode');
    expect(args).not.toContain('--dangerously-skip-permissions');
    expect(args).toContain('Look at a word count');

    scene.write('elsewhere.txt', 'two\n');
    await scene.stop('Done.');
    expect(scene.reviews()).toHaveLength(1);
    scene.write('code.txt', 'two\n');
    const end = await scene.stop('Done.');
    expect(scene.reviews()).toHaveLength(2);
    expect(scene.reviews()[1]?.args.join(' ')).toContain('--model sonnet');
    expect(end.systemMessage).toContain('the flow critic is complete');
    expect((await scene.agent('replay', '1')).stdout).toContain('same');
  });

  it('without a verdict three times lets the run go', async () => {
    const scene = flowScene();
    scene.flow('critic', REVIEW);
    scene.reviewer('invalid');
    await scene.start('critic');
    expect((await scene.stop('Done.')).systemMessage).toContain('try 1 of 3');
    expect((await scene.stop('Done.')).systemMessage).toContain('try 2 of 3');
    const end = await scene.stop('Done.');
    expect(end.systemMessage).toContain('without a verdict 3 times in a row, so the flow has ended');
    expect(scene.state()).toMatchObject({ ended: 'released' });
  });
});

describe('the built-in review', () => {
  it('runs the checks first, then two reviewers, until both are clean', async () => {
    const scene = flowScene();
    scene.checks({ test: RED });
    scene.reviewer('fail', 'pass', 'fail', 'pass', 'pass');
    await scene.start('review', 'a parser');
    scene.write('test.txt', 'red\n');
    expect(inState(await scene.stop('<flow>done</flow>'))).toBe('work');
    expect(scene.reviews()).toHaveLength(0);
    const states: (string | undefined)[] = [];
    for (let change = 1; change <= 4; change++) {
      scene.write('test.txt', `green ${change}\n`);
      states.push(inState(await scene.stop('Done.\n\n<flow>done</flow>')));
    }
    expect(states).toEqual(['fix', 'once', 'fix', 'once']);
    const end = await scene.stop('Done.');
    expect(scene.reviews()).toHaveLength(5);
    expect(end.systemMessage).toContain('the flow review is complete');
  });
});

describe('a pause', () => {
  const PAUSE = `flow: rest
start: work
states:
  work:
    say: Work.
    leave: [ { when: { signal: ask }, to: ask } ]
  ask:
    pause: true
    say: Look at it.
    leave: [ { when: { signal: accepted }, to: done }, { when: { file: wrong.txt }, to: work } ]
  done: { end: completed }
`;

  it('is a person’s turn: allowed until they have begun one, then its lines are looked at', async () => {
    const scene = flowScene();
    scene.flow('rest', PAUSE);
    await scene.start('rest', '');
    const paused = await scene.stop('<flow>ask</flow>', { prompt_id: 'turn-1' });
    expect(paused.decision).toBeUndefined();
    expect(paused.systemMessage).toContain('is paused in "ask", it is your turn. Look at it.');
    expect(scene.sidecar()).toMatchObject({ waiting: { for: 'person', pause: true } });
    expect((await scene.agent('status')).stdout).toContain('paused');

    // The same turn goes on, as when something in the background wakes the agent: nothing is looked at.
    scene.write('wrong.txt', '');
    expect(await scene.stop('<flow>accepted</flow>', { prompt_id: 'turn-1' })).toEqual({});
    expect(scene.state()).toMatchObject({ at: 'ask', ended: null });

    const on = await scene.stop('I see.', { prompt_id: 'turn-2' });
    expect(inState(on)).toBe('work');
    expect(on.reason).not.toContain('Your question');
    fs.rmSync(`${scene.root}/wrong.txt`);
    await scene.stop('<flow>ask</flow>', { prompt_id: 'turn-3' });
    expect(await scene.stop('Hm.', { prompt_id: 'turn-4' })).toEqual({});
    expect(scene.sidecar()).toMatchObject({ waiting: { for: 'person', pause: true } });
    const end = await scene.stop('<flow>accepted</flow>', { prompt_id: 'turn-5' });
    expect(end.systemMessage).toContain('complete');
    expect(scene.sidecar()).not.toHaveProperty('waiting');
  });
});

describe('files', () => {
  const FILES = `flow: files
start: work
states:
  work:
    say: Work.
    leave:
      - { when: { file: "src/**", is: changed }, to: tidy }
  tidy:
    say: Tidy.
    leave:
      - { when: { file: junk.txt, is: missing }, to: done }
  done: { end: completed }
`;

  it('changed, missing and there again are told from what they were at the entry', async () => {
    const scene = flowScene();
    scene.flow('files', FILES);
    scene.write('src/a.ts', '1');
    scene.write('junk.txt', '');
    await scene.start('files', '');
    expect(inState(await scene.stop('Nothing.'))).toBe('work');
    scene.write('other.txt', '');
    expect(inState(await scene.stop('Elsewhere.'))).toBe('work');
    scene.write('src/a.ts', '2');
    expect(inState(await scene.stop('Changed.'))).toBe('tidy');
    expect(inState(await scene.stop('Not yet.'))).toBe('tidy');
    fs.rmSync(`${scene.root}/junk.txt`);
    expect((await scene.stop('Gone.')).systemMessage).toContain('complete');
  });
});

describe('an edit in mid-run', () => {
  it('of the flow’s file changes nothing in the run, and status says that it differs', async () => {
    const scene = flowScene();
    scene.flow('lazy', LAZY.replace(', check: test', ''));
    await scene.start('lazy', '');
    expect((await scene.agent('flow', 'status')).stdout).not.toContain('differs');
    scene.flow('lazy', LAZY.replace(', check: test', '').replace('say: Wait', 'say: Something else'));
    expect((await scene.stop('One.')).reason).toContain('Wait');
    expect((await scene.agent('flow', 'status')).stdout).toContain(
      'differs from what this run was started with',
    );
  });

  it('of the compiled definition after the first stop lets the run go', async () => {
    const scene = flowScene();
    scene.flow('lazy', LAZY.replace(', check: test', ''));
    await scene.start('lazy', '');
    expect((await scene.stop('One.')).decision).toBe('block');
    const file = scene.runFile('definition.json');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('Wait', 'Say <flow>go</flow>'));
    const end = await scene.stop('Two.');
    expect(end.systemMessage).toContain('is not what it was at its first stop');
    expect(scene.state()).toMatchObject({ ended: 'released' });
  });

  it.each([
    ['state.json', 'the state of a flow'],
    ['definition.json', 'the definition of a flow'],
  ])('that breaks %s allows the stop and says which file', async (name, what) => {
    const scene = flowScene();
    scene.flow('lazy', LAZY.replace(', check: test', ''));
    await scene.start('lazy', '');
    fs.writeFileSync(scene.runFile(name), '{');
    const answer = await scene.stop('One.');
    expect(answer.decision).toBeUndefined();
    expect(answer.systemMessage).toContain(what);
    const [run] = fs.readdirSync(`${scene.root}/.holdfast/flow`);
    expect((await scene.agent('cancel', `flow:${run}`)).exitCode).toBe(0);
    expect(await scene.stop('Two.')).toEqual({});
  });
});

describe('a check', () => {
  it('that cannot run any more lets the run go', async () => {
    const scene = flowScene();
    scene.checks({ test: './there-is-no-such-program' });
    scene.flow('lazy', LAZY);
    await scene.start('lazy', '');
    const end = await scene.stop('<flow>go</flow>');
    expect(end.systemMessage).toContain('nobody can tell any more how it goes on: the check test cannot run');
    expect(scene.state()).toMatchObject({ ended: 'released' });
  });

  it('of the project that fails makes the end unproven, and holds nobody', async () => {
    const scene = flowScene();
    scene.checks({ test: 'true' });
    scene.flow('lazy', LAZY);
    // Its own checks are the user's; the project requires another, which nobody trusts.
    scene.write('holdfast.config.json', JSON.stringify({ checks: { lint: { run: 'false' } } }));
    await scene.start('lazy', '');
    const end = await scene.stop('<flow>go</flow>');
    expect(end.decision).toBeUndefined();
    expect(end.systemMessage).toMatch(/complete, after 0 holds.*unproven/s);
    expect((await scene.agent('log')).stdout).toContain('done, unproven (not trusted)');
  });
});
