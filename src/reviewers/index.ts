// All reviewers by name. Loaded when a review is due.

import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { qwen } from './qwen.ts';
import type { FindReviewer } from './reviewer.ts';

export const reviewers = [claude, codex, qwen, gemini, copilot, opencode];

export const findReviewer: FindReviewer = async (name) => {
  const reviewer = reviewers.find((each) => each.name === name);
  if (reviewer === undefined) throw new Error(`there is no reviewer called ${name}`);
  return reviewer;
};
