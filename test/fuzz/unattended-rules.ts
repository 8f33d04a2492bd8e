// What reads a budget, its transcripts and a driver's record, in one bag. Bundled with planted defects in it, too, so it
// imports nothing but the product.

import { continueCommand } from '../../src/cli/run/words.ts';
import { usage as claudeUsage } from '../../src/clients/claude-code/usage.ts';
import { usage as codexUsage } from '../../src/clients/codex/usage.ts';
import { usage as copilotUsage } from '../../src/clients/copilot/usage.ts';
import { clientNamed } from '../../src/clients/index.ts';
import { usage as qwenUsage } from '../../src/clients/qwen/usage.ts';
import { timeToGoOn } from '../../src/driver/clock.ts';
import { judge } from '../../src/driver/judge.ts';
import { driverOf } from '../../src/driver/one-driver.ts';
import { promptFor } from '../../src/driver/prompts.ts';
import { isDriverRecord, recordName } from '../../src/driver/record.ts';
import { answered, metered, raised, withMoney } from '../../src/engine/budget/changes.ts';
import { newBudget } from '../../src/engine/budget/pin.ts';
import { readUsage } from '../../src/engine/budget/read-usage.ts';
import { isBudget } from '../../src/engine/budget/record.ts';
import { budgetAt } from '../../src/engine/budget/rule.ts';
import { limitsInWords, spentInWords } from '../../src/engine/budget/words.ts';
import { parseJournalLine } from '../../src/store/journal-lines.ts';
import { describeBudgetEvent } from '../../src/view/describe-budget.ts';
import { describeDrive } from '../../src/view/describe-drive.ts';

export const rules = {
  ...{ claudeUsage, codexUsage, copilotUsage, qwenUsage },
  ...{ readUsage, newBudget, isBudget, budgetAt },
  ...{ answered, metered, raised, withMoney, limitsInWords, spentInWords },
  ...{ clientNamed, continueCommand, describeBudgetEvent, describeDrive, driverOf },
  ...{ isDriverRecord, judge, parseJournalLine, promptFor, recordName, timeToGoOn },
};

export type UnattendedRules = typeof rules;
