// Every function that reads what somebody else wrote, in one bag: defects.test.ts puts broken ones in their place.

import { parseCommandLine } from '../../src/cli/arguments.ts';
import { encodeAnswer } from '../../src/clients/encode.ts';
import { parseObject } from '../../src/clients/fields.ts';
import { clientNamed, decodeStop } from '../../src/clients/index.ts';
import { guardLimits, loadConfig } from '../../src/config/config.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { readRecordedStep } from '../../src/engine/recorded-step.ts';
import { claude } from '../../src/reviewers/claude.ts';
import { codex } from '../../src/reviewers/codex.ts';
import { isReviewerName, parseReviewer } from '../../src/reviewers/names.ts';
import { countFindings as countListed } from '../../src/reviewers/read-answer.ts';
import { appendLine } from '../../src/store/files.ts';
import { fingerprint } from '../../src/store/fingerprint.ts';
import { attemptFolder, sessionPath, sidecarPath } from '../../src/store/home.ts';
import { parseJournalLine } from '../../src/store/journal-lines.ts';
import { isAbandoned } from '../../src/store/lock-owner.ts';
import { parseSession, parseSidecar } from '../../src/store/parse-records.ts';
import { linesFromEnd } from '../../src/text/backward.ts';
import { readLastMessage } from '../../src/text/last-message.ts';
import { limitAtEnd, timeAtLimits } from '../../src/text/limit.ts';
import { render } from '../../src/text/render.ts';
import { shellQuote } from '../../src/text/shell.ts';
import { findSignal, findSignalByScan } from '../../src/text/signals.ts';
import { activitySince, personBegan } from '../../src/text/transcript.ts';
import { explain as explainClaudex } from '../../src/workflows/claudex/cli/explain.ts';
import { redecide as redecideClaudex } from '../../src/workflows/claudex/cli/replay.ts';
import { countFindings } from '../../src/workflows/claudex/findings.ts';
import { isId } from '../../src/workflows/claudex/id.ts';
import { readSaved as readClaudexSaved } from '../../src/workflows/claudex/saved.ts';
import { readLoop, setField } from '../../src/workflows/claudex/state-format.ts';
import { explain as explainIdle } from '../../src/workflows/idle/cli/explain.ts';
import { redecide as redecideIdle } from '../../src/workflows/idle/cli/replay.ts';
import { readFallback, withIteration } from '../../src/workflows/idle/fallback.ts';
import { reasonOf } from '../../src/workflows/idle/observe.ts';
import { readSaved as readIdleSaved } from '../../src/workflows/idle/saved.ts';
import { nextBody, readBody } from '../../src/workflows/idle/state-format.ts';
import { HOOK_REACH, latestOf, post } from '../../src/workflows/idle/topic-log.ts';
import { explain as explainTaskie } from '../../src/workflows/taskie/cli/explain.ts';
import { readRecord as readTaskieRecord } from '../../src/workflows/taskie/cli/replay.ts';
import { editStateText } from '../../src/workflows/taskie/edit-state.ts';
import { isPlanId } from '../../src/workflows/taskie/names.ts';
import { readSaved as readTaskieSaved } from '../../src/workflows/taskie/saved.ts';
import { readState as readTaskieState } from '../../src/workflows/taskie/state-format.ts';
import { parseSubtasks } from '../../src/workflows/taskie/subtasks.ts';
import { parseTasks } from '../../src/workflows/taskie/tasks-table.ts';
import { findViolations } from '../../src/workflows/taskie/validation.ts';

export const readers = {
  limitAtEnd,
  timeAtLimits,
  activitySince,
  appendLine,
  attemptFolder,
  claude,
  clientNamed,
  codex,
  countListed,
  isReviewerName,
  parseReviewer,
  countFindings,
  decodeStop,
  editStateText,
  encodeAnswer,
  explainClaudex,
  explainIdle,
  explainTaskie,
  readRecordedStep,
  findSignal,
  findSignalByScan,
  findViolations,
  fingerprint,
  guardLimits,
  isAbandoned,
  isId,
  isPlanId,
  latestOf,
  linesFromEnd,
  loadConfig,
  nextBody,
  reasonOf,
  parseCommandLine,
  parseConfig,
  parseJournalLine,
  parseObject,
  parseSession,
  parseSidecar,
  parseSubtasks,
  readTaskieSaved,
  readTaskieRecord,
  parseTasks,
  personBegan,
  post,
  readBody,
  readClaudexSaved,
  readFallback,
  readIdleSaved,
  readLastMessage,
  readLoop,
  readTaskieState,
  redecideClaudex,
  redecideIdle,
  render,
  HOOK_REACH,
  sessionPath,
  setField,
  shellQuote,
  sidecarPath,
  withIteration,
};

export type Readers = typeof readers;
