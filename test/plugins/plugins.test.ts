// What the clients load, checked without a client. `claude plugin validate --strict` and the installation in
// both real clients belong to the client suite.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { registry } from '../../src/workflows/registry.ts';
import { allFiles, built, manifestOf, pluginNames, readJson, sources, workflowNames } from './plugins.ts';

const { version } = readJson<{ version: string }>(import.meta.dirname, '../../package.json');

describe('the marketplace', () => {
  it('lists the core and the workflows of the registry, each from its own folder', () => {
    expect(pluginNames()).toEqual(['holdfast', ...registry.map(({ name }) => name)]);
    const folders = fs.readdirSync(sources).filter((name) => !name.startsWith('.'));
    expect(folders.toSorted()).toEqual(pluginNames().toSorted());
    type Listed = { description: string; plugins: { name: string; source: string; description?: string }[] };
    const { plugins, description: own } = readJson<Listed>(built, '.claude-plugin/marketplace.json');
    expect(own, 'strict validation wants it').toMatch(/\w/);
    for (const { name, source, description } of plugins) {
      expect(source).toBe(`./${name}`);
      expect(description).toMatch(/\w/);
    }
  });
});

describe('every plugin', () => {
  it('says its name, what it is, who made it and its license', () => {
    for (const plugin of pluginNames()) {
      const manifest = manifestOf(plugin);
      const author = { name: 'The Holdfast authors' };
      // By the version clients tell an upgrade.
      expect(manifest).toMatchObject({ name: plugin, license: 'MIT', author, version });
      expect(manifest.description).toMatch(/\w/);
    }
  });

  it('depends on the core, unless it is the core', () => {
    for (const plugin of workflowNames()) expect(manifestOf(plugin).dependencies).toEqual(['holdfast']);
    expect(manifestOf('holdfast').dependencies).toBeUndefined();
  });

  it('is skills and what they read alone in the repository, if it is a workflow', () => {
    for (const plugin of workflowNames()) {
      const files = allFiles(path.join(sources, plugin)).filter((file) => fs.statSync(file).isFile());
      const others = files.map((file) => path.relative(path.join(sources, plugin), file));
      expect(others.filter((file) => !file.endsWith('.md'))).toEqual([]);
      expect(fs.existsSync(path.join(sources, plugin, 'skills'))).toBe(true);
    }
  });

  it('begins a run with a skill of its own, if it is a workflow', () => {
    for (const { name, begin } of registry)
      expect(fs.existsSync(path.join(sources, name, 'skills', begin, 'SKILL.md')), name).toBe(true);
  });

  it('has a copy in the core of what its reviewers read beside the skills', () => {
    for (const plugin of workflowNames())
      for (const entry of fs.readdirSync(path.join(sources, plugin)).filter((name) => name !== 'skills'))
        expect(fs.existsSync(path.join(built, 'holdfast', plugin, entry)), `${plugin}/${entry}`).toBe(true);
  });

  it('has no commands, agents or servers: Codex drops what is no skill', () => {
    for (const plugin of pluginNames())
      for (const entry of ['commands', 'agents', 'output-styles', '.mcp.json', '.lsp.json', 'settings.json'])
        expect(fs.existsSync(path.join(built, plugin, entry))).toBe(false);
  });

  it('is built without links: Codex drops them from its copy', () => {
    const links = allFiles(built).filter((file) => fs.lstatSync(file).isSymbolicLink());
    expect(links).toEqual([]);
  });

  it('names no path of the machine it was built on', () => {
    const root = path.resolve(sources, '..');
    const named = allFiles(built)
      .filter((file) => fs.statSync(file).isFile() && !file.endsWith('.node'))
      .filter((file) => fs.readFileSync(file, 'utf8').includes(root));
    expect(named).toEqual([]);
  });
});
