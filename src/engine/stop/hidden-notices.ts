// Notices of a client that shows a hook's messages to nobody: they go with the next hold, or the next session's start, to
// the agent, who passes them on. Until then they lie in the user's state folder: a repository could put words into the
// agent's ear otherwise.

import type { Answer } from '../../clients/stop.ts';
import type { Environment } from '../../store/environment.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { hasShape, isListOf, isText } from '../../store/shape.ts';
import { changeUserRecord, hasUserRecord } from '../../store/user-state.ts';
import { messageOf } from '../../text/message-of.ts';
import type { StopContext } from '../context.ts';
import type { Answered } from './answer.ts';

/** More of them would bury the task. */
const MOST = 5;
const LONGEST = 2_000;

type Kept = { notices: readonly string[] };
const isKept = hasShape<Kept>({ notices: isListOf(isText) });

type Place = { root: string; env: Environment };

/** The answer as such a client's agent is to hear it. What cannot be kept is said on standard error. */
export function passOn(answered: Answered, { project }: Pick<StopContext, 'project'>): Answered {
  const { answer } = answered;
  try {
    if (answer.kind === 'hold') return { ...answered, answer: withNotices(answer, project) };
    if (answer.notice !== null) keep(answer.notice, project);
    return answered;
  } catch (error) {
    const complaint = `Holdfast: a notice could not be kept for the agent to pass on: ${messageOf(error)}`;
    return { ...answered, complaints: [...answered.complaints, complaint] };
  }
}

/** What was kept is taken, and is the caller's to say now; null: there is nothing. */
export function takeNotices(project: Place, beside: string | null): string | null {
  let kept: readonly string[] = [];
  if (hasUserRecord(project.env, placeOf(project)))
    changeUserRecord(project.env, placeOf(project), isKept, (known) => {
      kept = known?.notices ?? [];
      return null;
    });
  const all = [...new Set([...kept, ...(beside === null ? [] : [beside])])];
  return all.length === 0 ? null : `${TO_PASS_ON}\n${all.join('\n')}`;
}

const TO_PASS_ON =
  'Your client shows the user no messages of Holdfast. Pass this on to them, in your own words, when you end your turn:';

function withNotices(answer: Extract<Answer, { kind: 'hold' }>, project: Place): Answer {
  const notices = takeNotices(project, answer.notice);
  return notices === null ? answer : { ...answer, reason: `${notices}\n\n${answer.reason}` };
}

function keep(whole: string, project: Place): void {
  const notice = whole.slice(0, LONGEST);
  changeUserRecord(project.env, placeOf(project), isKept, (known) => {
    const others = (known?.notices ?? []).filter((each) => each !== notice);
    return { notices: [...others, notice].slice(-MOST) };
  });
}

const placeOf = ({ root }: Place): string => `unshown/${fingerprint(root)}.json`;
