// The commands that are not a workflow's own, in the order `holdfast help` lists them.

import type { Command } from '../engine/workflow-cli.ts';
import { adopt } from './adopt.ts';
import { ask } from './ask.ts';
import { cancel } from './cancel.ts';
import { check } from './check.ts';
import { demo } from './demo.ts';
import { dismiss } from './dismiss.ts';
import { doctor } from './doctor.ts';
import { exportCommand } from './export.ts';
import { findings } from './findings.ts';
import { init } from './init.ts';
import { install } from './install.ts';
import { log } from './log.ts';
import { notify } from './notify.ts';
import { replay } from './replay.ts';
import { report } from './report.ts';
import { resume } from './resume.ts';
import { run } from './run.ts';
import { status } from './status.ts';
import { trust } from './trust.ts';
import { uninstall } from './uninstall.ts';
import { wait } from './wait.ts';
import { watch } from './watch.ts';
import { web } from './web.ts';
import { why } from './why.ts';

export const commands: readonly Command[] = [
  ...[status, why, log, findings, report, cancel, dismiss, adopt, resume],
  ...[watch, web],
  ...[init, run, check, trust],
  ...[ask, wait],
  ...[notify, exportCommand],
  ...[doctor, install, uninstall],
  ...[replay, demo],
];
