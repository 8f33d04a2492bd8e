// Says at the start who reviews, where it is not who the specification names.

import type { Project } from '../../../engine/project.ts';
import type { Call } from '../../../engine/workflow-cli.ts';
import { whoReviews } from '../../../reviewers/who-reviews.ts';
import { sayStandIn } from '../messages.ts';

export function printStandIn(call: Call, project: Project): void {
  const standIn = whoReviews(project)?.standIn ?? null;
  if (standIn !== null) call.print(sayStandIn(standIn));
}
