// Before the scenarios: the plugins are installed in a Codex home once. After them it is removed.

import fs from 'node:fs';
import type { TestProject } from 'vitest/node';
import { installTemplate } from './codex-home.ts';

export default function setUp(project: TestProject): () => void {
  const template = installTemplate();
  project.provide('codexTemplate', template);
  return () => fs.rmSync(template, { recursive: true, force: true });
}

declare module 'vitest' {
  export interface ProvidedContext {
    codexTemplate: string;
  }
}
