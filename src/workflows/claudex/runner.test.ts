import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ID, projectAt, tempFolder } from '../../../test/fixtures/claudex/project.ts';
import { RunnerBench } from '../../../test/fixtures/claudex/runner.ts';
import { fc } from '../../../test/support/property.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { programs } from '../../reviewers/programs.ts';
import { filesOf, stateDirOf } from './files.ts';
import { reviewerFor } from './reviewer.ts';
import { writeRunner } from './runner.ts';
import { normaliseTopic } from './state-format.ts';

let bench: RunnerBench;
beforeEach(() => {
  bench = new RunnerBench();
});
afterEach(() => bench.remove());

describe('the runner', () => {
  it('is a script of its own that names persona and round in its header and its first line', {
    tags: ['C3.8', 'C3.8.c'],
  }, () => {
    const { files } = bench.make('a cache');
    const script = fs.readFileSync(files.runner, 'utf8');
    expect(path.relative(bench.root, files.runner)).toBe(`.claude/claudex/${ID}-runner.sh`);
    expect(script.split('\n').slice(0, 2)).toEqual([
      '#!/bin/sh',
      `# Claudex round 1 of 3: Senior-engineer review (loop ${ID})`,
    ]);
    expect(bench.run(files.runner, 'findings').said.split('\n')[0]).toBe(
      `Claudex round 1 of 3: Senior-engineer review (loop ${ID})`,
    );
    expect(fs.statSync(files.runner).mode & 0o111).not.toBe(0);
    expect(script).not.toContain('/plugin/bin/holdfast');
  });

  it('calls codex with the prompt on stdin, hooks off, in the project', { tags: ['C3.8.b'] }, () => {
    const { files, prompt } = bench.make('a cache');
    expect(bench.run(files.runner, 'findings').code).toBe(0);
    expect(fs.readFileSync(files.runner, 'utf8')).toContain(
      'codex exec --dangerously-bypass-approvals-and-sandbox',
    );
    expect(bench.recorded('arguments').trim().split('\n')).toEqual([
      'exec',
      '--dangerously-bypass-approvals-and-sandbox',
      '--skip-git-repo-check',
      '--disable',
      'hooks',
    ]);
    expect(bench.recorded('disable')).toBe('1\n');
    expect(bench.recorded('cwd')).toBe(`${bench.root}\n`);
    expect(bench.recorded('stdin')).toBe(prompt);
    expect(fs.readFileSync(files.prompt, 'utf8')).toBe(prompt);
  });

  it('gives codex a sandbox instead when the config asks for one', () => {
    const { files } = bench.make('a cache', { access: 'sandboxed' });
    expect(bench.run(files.runner, 'findings').code).toBe(0);
    expect(bench.recorded('arguments').trim().split('\n').slice(0, 3)).toEqual([
      'exec',
      '-s',
      'workspace-write',
    ]);
  });

  it('lets a sandboxed codex write to a state folder outside of the project', () => {
    const outside = tempFolder();
    const { files } = bench.make('a cache', { access: 'sandboxed' }, { CLAUDEX_STATE_DIR: outside });
    expect(bench.run(files.runner, 'findings').code).toBe(0);
    expect(bench.recorded('arguments')).toContain(`--add-dir\n${outside}\n`);
    expect(fs.existsSync(files.findings(1))).toBe(true);
    fs.rmSync(outside, { recursive: true });
  });

  it('calls whom the user chose, with the model they named, hooks off, and the prompt on stdin', () => {
    const { files, prompt } = bench.make('a cache', { claudex: 'claude/opus' });
    expect(bench.run(files.runner, 'findings').code).toBe(0);
    expect(bench.recorded('arguments').trim().split('\n')).toEqual([
      ...['claude', '--print', '--model', 'opus'],
      ...['--settings', '{"disableAllHooks":true}', '--dangerously-skip-permissions'],
    ]);
    expect(bench.recorded('disable')).toBe('1\n');
    expect(bench.recorded('stdin')).toBe(prompt);
    expect(fs.existsSync(files.findings(1))).toBe(true);
  });

  it.each([
    ['qwen/', ['qwen', '--approval-mode', 'yolo']],
    [
      'gemini/gemini-2.5-pro',
      [
        ...['gemini', '--skip-trust', '--extensions', 'none', '--approval-mode', 'yolo'],
        ...['--model', 'gemini-2.5-pro'],
      ],
    ],
    ['copilot/', ['copilot', '--allow-all', '--no-ask-user']],
    ['opencode/a/b', ['opencode', 'run', '--pure', '--auto', '--model', 'a/b']],
  ])('calls %s and no other program', (claudex, words) => {
    const { files, prompt } = bench.make('a cache', { claudex });
    expect(bench.run(files.runner, 'findings').code).toBe(0);
    expect(bench.recorded('arguments').trim().split('\n')).toEqual(words);
    expect(bench.recorded('disable')).toBe('1\n');
    expect(bench.recorded('stdin')).toBe(prompt);
  });

  it('has words for every program that can review', () => {
    for (const { name } of programs) {
      const { files } = bench.make('a cache', { claudex: `${name}/` });
      expect(fs.readFileSync(files.runner, 'utf8')).toMatch(new RegExp(`^HOLDFAST_DISABLE=1 ${name} `, 'm'));
    }
  });

  it.each(['qwen/', 'gemini/', 'copilot/', 'opencode/'])(
    'refuses a sandboxed %s, which was not seen to work',
    (claudex) => {
      const { files } = bench.make('a cache', { claudex, access: 'sandboxed' });
      const { code, complained } = bench.run(files.runner, 'findings');
      expect(code).toBe(78);
      expect(complained).toContain('cannot be sandboxed in claudex; set "review": {"access": "full"}');
      expect(bench.hasRecorded('arguments')).toBe(false);
    },
  );

  it('gives a sandboxed Claude Code the findings file alone, and refuses where it could not write it', () => {
    const outside = tempFolder();
    const chosen = { claudex: 'claude/', access: 'sandboxed' } as const;
    const { files } = bench.make('a cache', chosen, { CLAUDEX_STATE_DIR: outside });
    expect(bench.run(files.runner, 'findings').code).toBe(0);
    expect(bench.recorded('arguments').trim().split('\n')).toEqual([
      ...['claude', '--print', '--safe-mode', '--permission-mode', 'dontAsk'],
      ...['--tools', 'Read,Grep,Glob,Write', '--allowedTools'],
      `Edit(/${files.findings(1)})`,
      `Read(/${outside}/**)`,
    ]);
    fs.rmSync(outside, { recursive: true });
    fs.rmSync(path.join(bench.record, 'arguments'));
    const below = bench.make('a cache', chosen);
    const { code, complained } = bench.run(below.files.runner, 'findings');
    expect(code).toBe(78);
    expect(complained).toContain('does not let a sandboxed reviewer write below .claude');
    expect(fs.existsSync(path.join(bench.record, 'arguments'))).toBe(false);
  });

  it.each([
    ['claude/', 'claude-limit', 69, 'Claude Code is at its usage limit'],
    ['codex/gpt-5.2-codex', 'limit', 69, 'Codex is at its usage limit'],
    ['claude/', 'crash', 7, 'the last lines of'],
  ])('knows the limit of %s by its own words (%s)', (claudex, behaviour, expected, words) => {
    const { files } = bench.make('a cache', { claudex });
    const { code, complained } = bench.run(files.runner, behaviour);
    expect(code).toBe(expected);
    expect(complained).toContain(words);
  });

  it('says how to install whom it does not find', () => {
    const { files } = bench.make('a cache', { claudex: 'claude/' });
    const { code, complained } = bench.run(files.runner, 'findings', '/bin/sh', '/usr/bin:/bin');
    expect(code).toBe(127);
    expect(complained).toContain(
      'claude was not found on PATH, so nothing was reviewed. Install it with `npm install -g @anthropic-ai/claude-code`',
    );
  });

  it('passes exactly the normalised prompt for any topic, and executes nothing else', {
    tags: ['C3.8.a'],
  }, () => {
    const nasty = fc.constantFrom(
      '"',
      "'",
      '`touch pwned`',
      '$(touch pwned)',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell that must not read this
      '${HOME:=pwned}',
      '\n',
      '\r\n',
      'PROMPTEOF',
      '\nPROMPTEOF\ntouch pwned\n',
      '\nPROMPTEOF_\n',
      '\\',
      '\\n',
      '%s',
      '; touch pwned;',
      '&& touch pwned',
      '| tee pwned',
      '!!',
      '🙂',
      '\u202eright to left',
      'مرحبا',
      '\u0081\u0088',
      '{{topic}}',
      '\t',
      '\x1b[31m',
      '\x7f',
    );
    const topic = fc
      .array(fc.oneof(nasty, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), {
        maxLength: 8,
      })
      .map((parts) => parts.join('').replaceAll('\0', ''));
    const examples: [string, string][] = [
      ['x'.repeat(100_000), 'sh'],
      [`${'🙂$(touch pwned)`touch pwned`\n'.repeat(3000)}`, 'bash'],
    ];
    fc.assert(
      fc.property(topic, fc.constantFrom('sh', 'bash'), (text, shell) => {
        const { files, prompt } = bench.make(text);
        expect(prompt).toContain(`\nTopic: ${normaliseTopic(text)}\nRound: 1 of 3\n`);
        const before = listing(bench.root);
        expect(bench.run(files.runner, 'nothing', shell).code).toBe(0);
        expect(bench.recorded('stdin')).toBe(prompt);
        const made = listing(bench.root).filter((file) => !before.includes(file));
        const expected = [`${ID}`, `${ID}-prompt.txt`, `${ID}/exit-round-1`, `${ID}/output-round-1.txt`];
        expect(made).toEqual(expected.map((file) => `.claude/claudex/${file}`));
        expect(listing(bench.record)).toEqual(['arguments', 'cwd', 'disable', 'pid', 'stdin']);
        fs.rmSync(path.join(bench.root, '.claude'), { recursive: true });
      }),
      { numRuns: 60, examples },
    );
  });

  it('cannot be left early by a line of the prompt, whatever it is', { tags: ['C3.8.a'] }, () => {
    const dir = stateDirOf(projectAt(bench.root));
    const files = filesOf(dir, ID);
    const prompt = 'a\nPROMPTEOF\ntouch pwned\nPROMPTEOF_\n';
    const targets = { folders: [], files: [] };
    const task = {
      title: 't',
      dir,
      files,
      round: 1,
      prompt,
      targets,
      expected: [],
      access: 'full',
      reviewer: reviewerFor(DEFAULT_CONFIG),
    } as const;
    fs.mkdirSync(dir.path, { recursive: true });
    fs.writeFileSync(files.runner, writeRunner({ ...task, deadlineSeconds: 60 }));
    expect(bench.run(files.runner, 'nothing').code).toBe(0);
    expect(bench.recorded('stdin')).toBe(prompt);
    expect(fs.existsSync(path.join(bench.root, 'pwned'))).toBe(false);
  });
});

/** Everything below a folder. */
function listing(folder: string): string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}
