// The rules of a docket in one bag. Bundled with planted defects in it, too, so it imports nothing but the product.

import { asMarkdown, asScreen } from '../../src/cli/findings-text.ts';
import { accountsOf } from '../../src/engine/docket/accounts.ts';
import { addFindings } from '../../src/engine/docket/add.ts';
import { answersIn, withAnswers } from '../../src/engine/docket/answers.ts';
import { docketText, parseDocket, salvageDocket } from '../../src/engine/docket/format.ts';
import { readFindings } from '../../src/engine/docket/review-file.ts';
import { sayAccounts, sayClosing, sayOpen } from '../../src/engine/docket/words.ts';

export const rules = {
  accountsOf,
  addFindings,
  answersIn,
  asMarkdown,
  asScreen,
  docketText,
  parseDocket,
  readFindings,
  salvageDocket,
  sayAccounts,
  sayClosing,
  sayOpen,
  withAnswers,
};

export type DocketRules = typeof rules;
