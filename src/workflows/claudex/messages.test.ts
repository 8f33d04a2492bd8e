import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ID,
  NOW,
  projectAt,
  putLoop,
  sceneAt,
  tempFolder,
  writeAt,
} from '../../../test/fixtures/claudex/project.ts';
import type { Message } from '../../engine/step.ts';
import { say } from './messages.ts';
import { observe } from './observe.ts';
import { planPrompt } from './prompts.ts';

let root: string;
beforeEach(() => {
  root = tempFolder();
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

function speak(message: Message, client: string = 'claude-code'): string {
  const context = sceneAt(projectAt(root), { client });
  const seen = observe(context);
  if (seen === null) throw new Error('the loop is gone');
  return say(message, seen.world, context);
}

const round = (number: number): Message => ({ name: 'round', slots: { round: number, max: 3 } });

describe('the hold of a round', () => {
  it('names the round, the persona, the runner, the findings file and both ways on', {
    tags: ['C3.9.g', 'C3.9.h'],
  }, () => {
    const { files } = putLoop(projectAt(root), { phase: 'drafting' });
    const text = speak(round(1));
    expect(text).toMatch(/^### Claudex round 1 of 3, Senior-engineer review\n\n1\. Run the reviewer/);
    expect(text).toContain(`\`sh ${files.runner}\``);
    expect(text).toContain(`.claude/claudex/${ID}/findings-round-1.md`);
    expect(text).toContain('`## Changelog`');
    expect(text).toContain(`\`/plugin/bin/holdfast claudex done ${ID}\``);
    expect(text).not.toContain('Previous round');
  });

  it('tells from round 2 on what the previous one found', () => {
    const { files } = putLoop(projectAt(root), { phase: 'reviewing' });
    writeAt(files.findings(1), '## High\n- x\n## Low\n- y\n- z\n');
    expect(speak(round(2))).toContain('\n**Previous round:** high=1 medium=0 low=2\n');
  });

  it('calls a previous round without findings not reviewed', () => {
    putLoop(projectAt(root), { phase: 'reviewing' });
    expect(speak(round(2))).toContain('**Previous round:** not reviewed');
  });

  it('says how to run it in each client', () => {
    putLoop(projectAt(root), { phase: 'drafting' });
    expect(speak(round(1), 'claude-code')).toContain('run_in_background');
    expect(speak(round(1), 'codex')).toContain('escalated permission');
    expect(speak(round(1), 'generic')).toContain(`claudex wait ${ID}`);
  });
});

describe('the summaries', () => {
  it('of a loop that is done: rounds, time, a line for each round', () => {
    const { files } = putLoop(projectAt(root, { now: NOW - 5_400_000 }), { phase: 'reviewing', round: '2' });
    writeAt(files.findings(1), '## High\n- x\n');
    writeAt(files.findings(2), 'No substantive findings.\n');
    const text = speak({ name: 'complete', slots: { round: 2, max: 3 } });
    expect(text).toMatch(/^### Claudex: plan loop complete\n/);
    expect(text).toContain('Rounds: 2 of at most 3. Elapsed: 1 h 30 min.');
    expect(text).toContain('- Round 1 (Senior-engineer review): high=1 medium=0 low=0\n');
    expect(text).toContain('- Round 2 (Security and data-integrity review): high=0 medium=0 low=0\n');
    expect(text).not.toContain('not reviewed');
  });

  it('never pass over a round that nobody reviewed', () => {
    const { files } = putLoop(projectAt(root), { phase: 'reviewing', round: '2' });
    expect(speak({ name: 'complete', slots: {} })).toContain('No review ran in this loop');
    writeAt(files.findings(1), '## High\n- x\n');
    const text = speak({ name: 'complete', slots: {} });
    expect(text).toContain('- Round 2 (Security and data-integrity review): not reviewed');
    expect(text).toContain('Round 2 was not reviewed, so nobody has examined the plan since round 1');
  });

  it.each([
    ['127', 'exit code 127: codex was not found on PATH'],
    ['0', 'exit code 0: Codex ended well, but wrote no findings'],
    ['69', 'exit code 69: Codex is at its usage limit'],
    ['73', 'exit code 73: a link was in the place of what is written'],
    ['124', 'exit code 124: it took longer than review.timeout allows'],
    ['125', 'exit code 125: its loop was ended'],
    ['129', 'exit code 129: it was ended from outside'],
    ['130', 'exit code 130: it was ended from outside'],
    ['137', 'exit code 137: it was ended from outside'],
    ['143', 'exit code 143: it was ended from outside'],
    ['1', 'exit code 1: Codex failed, and the last lines of its output say why'],
  ])('give the exit code of a round that was not reviewed (%s)', (code, said) => {
    const { files } = putLoop(projectAt(root), { phase: 'reviewing', round: '2' });
    writeAt(files.findings(1), '## High\n- x\n');
    writeAt(files.exit(1), '0\n');
    writeAt(files.exit(2), `${code}\n`);
    for (const name of ['complete', 'stopped']) {
      const text = speak({ name, slots: {} });
      expect(text).toContain('- Round 1 (Senior-engineer review): high=1 medium=0 low=0\n');
      expect(text).toContain(`- Round 2 (Security and data-integrity review): not reviewed (${said})\n`);
    }
    expect(speak(round(3))).toContain(`**Previous round:** not reviewed (${said})\n`);
  });

  it('take garbage in the place of an exit code for none', () => {
    const { files } = putLoop(projectAt(root), { phase: 'reviewing', round: '1' });
    for (const garbage of ['', 'x', '-1', '1e3', '12345', '127 $(touch pwned)']) {
      writeAt(files.exit(1), garbage);
      expect(speak({ name: 'complete', slots: {} })).toContain('review): not reviewed\n');
    }
  });

  it('at the last round: give no advice that does not fit when no reviewer ran', () => {
    const { files } = putLoop(projectAt(root), { phase: 'reviewing', round: '3' });
    writeAt(files.exit(3), '127\n');
    const text = speak({ name: 'stopped', slots: { round: 3, max: 3 } });
    expect(text).toMatch(/^### Claudex: stopped at max rounds\n/);
    expect(text).toContain('codex was not found on PATH');
    expect(text).toContain('No round was reviewed');
    expect(text).toContain('/plugin/bin/holdfast claudex doctor');
    expect(text).toContain('claudex plan --from-draft < FILE');
    expect(text).not.toContain('--rounds');
    expect(text).not.toContain('open findings');
    expect(text).toContain('accept the plan as it is, unreviewed');
  });

  it('of a diff whose review is missing: how its runner ended', () => {
    const { files } = putLoop(projectAt(root), { mode: 'review', phase: 'done' });
    const missing: Message = { name: 'review-missing', slots: {} };
    expect(speak(missing)).toContain('Its runner was not run to its end.');
    writeAt(files.exit(1), '127\n');
    expect(speak(missing)).toContain('Its runner ended with exit code 127: codex was not found on PATH.');
  });

  it('at the last round: the table, the last findings and three ways on', () => {
    const { files } = putLoop(projectAt(root), { phase: 'reviewing', round: '3' });
    writeAt(files.findings(3), '## Low\n- x\n');
    const text = speak({ name: 'stopped', slots: { round: 3, max: 3 } });
    expect(text).toMatch(/^### Claudex: stopped at max rounds\n/);
    expect(text).toContain('- Round 3 (Ops and SRE review): high=0 medium=0 low=1');
    expect(text).toContain(`The last findings are in \`.claude/claudex/${ID}/findings-round-3.md\`.`);
    expect(text).not.toContain('was not reviewed');
    expect(text).toContain('revise `PLAN.md` by hand');
    expect(text).toContain('claudex plan --from-draft --rounds 5');
    expect(text).toContain('accept the plan as it is');
    expect(text).toContain('--rounds 5 < FILE`');
  });

  it('at the last round: names the findings of the last round that was reviewed', () => {
    const { files } = putLoop(projectAt(root), { phase: 'reviewing', round: '3' });
    const stopped: Message = { name: 'stopped', slots: { round: 3, max: 3 } };
    expect(speak(stopped)).toContain('No round was reviewed');
    writeAt(files.findings(1), '## Low\n- x\n');
    writeAt(files.findings(2), '## High\n- x\n');
    const text = speak(stopped);
    expect(text).toContain('Round 3 was not reviewed');
    expect(text).toContain(`those of round 2, are in \`.claude/claudex/${ID}/findings-round-2.md\``);
  });
});

describe('every message', () => {
  it('stays under 8 kB, however long the topic and however many the rounds', () => {
    const { files } = putLoop(
      projectAt(root),
      { phase: 'reviewing', round: '9999', max_rounds: '9999' },
      { topic: '🙂"$(x)`'.repeat(20_000) },
    );
    for (let number = 1; number < 60; number++) writeAt(files.findings(number), '## High\n- x\n');
    const slots = { round: 9999, max: 9999, holds: 1000 };
    for (const name of ['draft', 'round', 'wait', 'complete', 'stopped', 'review', 'released'])
      expect(Buffer.byteLength(speak({ name, slots })), name).toBeLessThan(8192);
  });

  it('has a text', () => {
    putLoop(projectAt(root));
    const slots = {
      round: 1,
      names: 'CLAUDEX_STATE_DIR',
      phase: 'drafting',
      plan: 'missing',
      max: 3,
      holds: '4 holds',
    };
    for (const name of [
      'still-running',
      'review-running',
      'review-missing',
      'variables',
      'released',
      'draft',
    ])
      expect(speak({ name, slots }), name).toContain('Claudex');
    expect(speak({ name: 'released', slots })).toContain('no progress in 4 holds, so the agent may stop');
    expect(() => speak({ name: 'nothing', slots })).toThrow('claudex has no message nothing');
  });
});

describe('the prompt', () => {
  function prompt(number: number, owedFrom = number): string {
    const seen = observe(sceneAt(projectAt(root)));
    if (seen === null) throw new Error('the loop is gone');
    return planPrompt(seen.world, number, owedFrom);
  }

  it('asks for an adversarial review, written in the strict form to the findings file', {
    tags: ['C3.9.d', 'C3.9.e'],
  }, () => {
    putLoop(projectAt(root));
    const text = prompt(1);
    expect(text).toContain('# Adversarial plan review: Senior-engineer review');
    expect(text).toContain('\nTopic: a cache\nRound: 1 of 3\n');
    expect(text).toContain(`Write \`.claude/claudex/${ID}/findings-round-1.md\``);
    expect(text).toContain('# Round 1 findings\n\n## High\n- description (recommendation)\n\n## Medium\n');
    expect(text).toContain('\n## Low\n- description (recommendation)\n');
    expect(text).not.toContain('findings of round');
  });

  it('asks for exactly "No substantive findings." when there is nothing material', {
    tags: ['C3.9.f'],
  }, () => {
    putLoop(projectAt(root));
    expect(prompt(1)).toContain('\nNo substantive findings.\n');
  });

  it('changes its persona with the round', () => {
    putLoop(projectAt(root));
    const labels = [1, 2, 3, 4].map((number) => /plan review: (.*)/.exec(prompt(number))?.[1]);
    expect(labels).toEqual([
      'Senior-engineer review',
      'Security and data-integrity review',
      'Ops and SRE review',
      'Ops and SRE review',
    ]);
    expect(prompt(4)).toContain('Go deeper');
    expect(prompt(3)).not.toContain('Go deeper');
  });

  it('names the previous findings from round 2 on', () => {
    const { files } = putLoop(projectAt(root), { phase: 'reviewing' });
    writeAt(files.findings(1), '## High\n- x\n');
    expect(prompt(2)).toContain(
      `The findings of round 1 are in \`.claude/claudex/${ID}/findings-round-1.md\``,
    );
  });

  it('carries over the questions of rounds that nobody reviewed', () => {
    putLoop(projectAt(root), { phase: 'reviewing', round: '2' });
    const text = prompt(3, 1);
    expect(text).toContain('Round 1 (Senior-engineer review) was not reviewed');
    expect(text).toContain('Round 2 (Security and data-integrity review) was not reviewed');
    expect(text).toContain('two competent people');
    expect(prompt(3, 3)).not.toContain('was not reviewed');
  });
});
