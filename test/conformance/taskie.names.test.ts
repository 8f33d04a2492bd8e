// A plan may have any name that its folder can have. It stands in texts as JSON and in commands as one word, our own notes on
// it have a name of their own, and it is the same plan however a file system or a keyboard spells it.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PlanProject, planProject } from '../fixtures/taskie/plan.ts';

let project: PlanProject;
beforeEach(() => {
  project = planProject();
});
afterEach(() => project.remove());

const plans = (...parts: string[]): string => path.join(project.root, '.taskie/plans', ...parts);
const rename = (name: string): void => fs.renameSync(plans('my-plan'), plans(name));

/** Runs the command of a text that has a plan in it, as an agent's shell would. */
function follow(text: string): string {
  const command = /(?:run: |`)(\S+ taskie [^`\n]*--plan[^`\n]*)/.exec(text)?.[1] ?? 'false';
  return execFileSync('/bin/sh', ['-c', command], {
    cwd: project.root,
    encoding: 'utf8',
    env: { ...process.env, CLAUDE_CODE_SESSION_ID: 's', HOME: project.home },
  });
}

const stop = () => project.stop({ session_id: 's' });
const stateOf = (name: string) => JSON.parse(fs.readFileSync(plans(name, 'state.json'), 'utf8'));

describe('a plan folder', () => {
  it.each([
    ['my plan.v2', 'my plan.v2'],
    ['a long name', 'x'.repeat(255)],
    ['umlauts as macOS spells them', 'Über uns'.normalize('NFD')],
    ['what a shell and a text would take for their own', `-$(id) "it's" {{cli}} \`rm\` *?[a]\\`],
    ['what no screen shows', 'soft\u00adhyphen and 🏴\u{e0067}'],
  ])('with any name goes through its reviews: %s', async (_, name) => {
    rename(name);
    const plan = name.normalize('NFC');
    const recorded = await project.holdfast(['taskie', 'record', 'new-plan', `--plan=${plan}`], 's');
    expect(recorded).toMatchObject({ exitCode: 0, stderr: '' });
    project.reviewer('pass');
    for (const round of [1, 2]) {
      const { answer, stderr } = await stop();
      expect(stderr).toBe('');
      const [call] = project.calls().slice(-1);
      const asked = /^Write your review to this exact file[^:]*: (.+)$/m.exec(call?.prompt ?? '')?.[1] ?? '';
      expect(JSON.parse(asked)).toBe(plans(name, `plan-review-${round}.md`));
      expect(fs.existsSync(plans(name, `plan-review-${round}.md`))).toBe(true);
      if (round === 2) break;
      const said = /Write (".+"): for each finding/.exec(answer?.reason ?? '')?.[1] ?? '';
      fs.writeFileSync(JSON.parse(said), '# Answer\n');
      expect(follow(answer?.reason ?? '')).toContain('Recorded post-plan-review for plan "');
    }
    expect(stateOf(name)).toMatchObject({ next_phase: 'create-tasks', consecutive_clean: 2 });
    expect(fs.readdirSync(plans())).toEqual([name]);
    const notes = fs.readdirSync(path.join(project.root, '.holdfast/runs'));
    expect(notes).toEqual([expect.stringMatching(/^(x-[0-9a-f]{28}|taskie-[a-z]+)\.json$/)]);
    const { stdout } = await project.holdfast(['taskie', 'next'], 's');
    expect(stdout).toMatch(/^Plan ".+": write the tasks .* per row in ".+", then run `/);
    // A person and another session mean the same plan by its name in any spelling.
    for (const form of ['NFC', 'NFD']) {
      const adopted = await project.holdfast(['adopt', `taskie:${plan.normalize(form)}`], 'other');
      expect(adopted).toMatchObject({ exitCode: 0, stderr: '' });
    }
    expect((await project.holdfast(['cancel', `taskie:${name}`], 's')).exitCode).toBe(0);
    expect(stateOf(name)).toMatchObject({ next_phase: null });
  });

  it('with any name gives a session that has none a command that works', async () => {
    const name = `it's "mine" - v2.0`;
    rename(name);
    await project.holdfast(['taskie', 'record', 'new-plan'], 'first');
    const { answer } = await stop();
    expect(follow(answer?.systemMessage ?? '')).toContain('everything is ready for the plan review');
    expect((await project.holdfast(['log', '--run', `taskie:${name}`], 's')).exitCode).toBe(0);
    expect((await project.holdfast(['status'], 's')).stdout).toContain(`taskie:${name}`);
  });

  it('gives a reviewer in the sandbox no rule by its name, and none that is wider than it says', async () => {
    project.write('holdfast.config.json', '{"review": {"access": "sandboxed"}}');
    rename('a) Bash(*), Edit(x');
    await project.holdfast(['taskie', 'record', 'new-plan'], 's');
    await stop();
    const [call] = project.calls();
    const rule = call?.args[call.args.indexOf('--allowedTools') + 1];
    expect(rule).toBe(`Edit(/${plans('a??Bash?????Edit?x', 'plan-review-1.md')})`);
  });
});
