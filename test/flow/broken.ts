// Flows that are refused, each with the place and the sentence a person is shown. Lines and columns are
// counted from 1.

export type Broken = readonly [title: string, text: string, at: string, says: string];

/** The names of the checks that the config has. */
export const CHECKS = ['test', 'lint'] as const;

/** A sound flow, in which one thing at a time is broken. */
export const SOUND = `flow: sample
start: work
states:
  work:
    say: Do {{task}}
    leave:
      - when: { signal: done, check: test }
        to: finished
  finished: { end: completed }
`;

const swap = (from: string, to: string): string => {
  if (!SOUND.includes(from)) throw new Error(`the sound flow has no ${from}`);
  return SOUND.replace(from, to);
};

/** Another state between the two. */
const withState = (state: string): string => `${SOUND}${state}\n`;

export const broken: readonly Broken[] = [
  // The text itself.
  ['an empty file', '', '1:1', 'the file is empty'],
  ['a tab', swap('    say:', '\tsay:'), '5:1', 'a tab cannot indent in YAML: use blanks'],
  ['a key twice', swap('start: work', 'start: work\nstart: work'), '3:1', 'this key is there twice'],
  ['a state twice', `${SOUND}  work: { end: completed }\n`, '10:3', 'this key is there twice'],
  [
    'a second document',
    `${SOUND}---\nflow: other\n`,
    '10:1',
    'one file holds one flow: a second document begins here',
  ],
  [
    'an anchor',
    swap('say: Do {{task}}', 'say: &text Do {{task}}'),
    '5:16',
    'a flow has no anchors and aliases: write it out',
  ],
  [
    'an alias',
    swap('say: Do {{task}}', 'say: *text'),
    '5:10',
    'a flow has no anchors and aliases: write it out',
  ],
  [
    'a tag of its own',
    swap('say: Do {{task}}', 'say: !shell ls'),
    '5:17',
    'a flow has no tags such as !shell',
  ],
  ['a key that is a list', `${SOUND}? [a, b]\n: c\n`, '10:3', 'a key is a plain word'],
  [
    'a bracket left open',
    swap('{ end: completed }', '{ end: completed'),
    '10:1',
    'this is no YAML: Flow map in block collection must be sufficiently indented and end with a }',
  ],
  [
    'a quote left open',
    swap('say: Do {{task}}', 'say: "Do {{task}}'),
    '10:1',
    'this is no YAML: Missing closing "quote',
  ],
  ['a list in place of a flow', '- flow: sample\n', '1:1', 'a flow is a table with keys'],
  ['a plain text', 'Do the work.\n', '1:1', 'a flow is a table with keys'],
  ['brackets without end', `${'['.repeat(5000)}\n`, '1:321', 'this is nested deeper than 16 levels'],
  [
    'a text that is too long',
    `# ${'x'.repeat(70_000)}\n${SOUND}`,
    '1:1',
    'the file is longer than 64 kB; a flow is some twenty lines',
  ],
  // The flow.
  [
    'an unknown key',
    swap('start: work', 'start: work\nstaets: {}'),
    '3:1',
    'a flow has no key "staets" (did you mean "states"?); it has: flow, about, holds, start, states, reviews',
  ],
  ['no name', swap('flow: sample\n', ''), '1:1', 'a flow has no `flow`'],
  [
    'a name with capitals',
    swap('flow: sample', 'flow: Sample'),
    '1:7',
    'a flow is called by small letters, digits and "-", beginning with a letter, not "Sample"',
  ],
  ['a name that is a number', swap('flow: sample', 'flow: 7'), '1:7', 'a flow is a text'],
  ['no start', swap('start: work\n', ''), '1:1', 'a flow has no `start`'],
  [
    'a start that is not there',
    swap('start: work', 'start: wrok'),
    '2:8',
    'there is no state "wrok" (did you mean "work"?)',
  ],
  [
    'a start that is an end',
    swap('start: work', 'start: finished'),
    '2:8',
    'a flow starts in a state with work to do, and "finished" is an end',
  ],
  [
    'a start that is a pause',
    withState('  rest:\n    pause: true\n    leave: [ { when: { visits: 1 }, to: work } ]').replace(
      'start: work',
      'start: rest',
    ),
    '2:8',
    'a flow starts in a state with work to do, and "rest" is a pause',
  ],
  ['no states', 'flow: sample\nstart: work\n', '1:1', 'a flow has no `states`'],
  [
    'states that are a list',
    'flow: sample\nstart: work\nstates: [work]\n',
    '3:9',
    '`states` is a table with keys',
  ],
  ['states that are empty', 'flow: sample\nstart: work\nstates: {}\n', '2:8', 'there is no state "work"'],
  [
    'a state with a capital',
    swap('  finished: {', '  Finished: {').replace('to: finished', 'to: Finished'),
    '9:3',
    'a state is called by small letters, digits and "-", beginning with a letter, not "Finished"',
  ],
  [
    'holds of zero',
    swap('start: work', 'holds: 0\nstart: work'),
    '2:8',
    '`holds` is a whole number from 1 to 1000',
  ],
  [
    'holds below zero',
    swap('start: work', 'holds: -3\nstart: work'),
    '2:8',
    '`holds` is a whole number from 1 to 1000',
  ],
  [
    'holds in words',
    swap('start: work', 'holds: ten\nstart: work'),
    '2:8',
    '`holds` is a whole number from 1 to 1000',
  ],
  [
    'holds above the most',
    swap('start: work', 'holds: 5000\nstart: work'),
    '2:8',
    '`holds` is a whole number from 1 to 1000',
  ],
  ['an empty about', swap('start: work', 'about: ""\nstart: work'), '2:8', '`about` is empty'],
  // A state.
  [
    'an unknown key of a state',
    swap('    leave:', '    run: ls\n    leave:'),
    '6:5',
    'a state has no key "run"; it has: say, leave, holds, otherwise, pause, end',
  ],
  [
    'a state that says nothing',
    swap('    say: Do {{task}}\n', ''),
    '4:3',
    'this state has no `say`: the agent would be held and not know why',
  ],
  ['an empty say', swap('say: Do {{task}}', 'say: ""'), '5:10', '`say` is empty'],
  ['a say that is a list', swap('say: Do {{task}}', 'say: [a]'), '5:10', '`say` is a text'],
  [
    'an unknown slot',
    swap('{{task}}', '{{tsk}}'),
    '5:10',
    'there is no slot "{{tsk}}" (did you mean "task"?); there are: task, visits, holds, checks, findings',
  ],
  [
    'a slot with blanks',
    swap('{{task}}', '{{ task }}'),
    '5:10',
    'there is no slot "{{ task }}"; there are: task, visits, holds, checks, findings',
  ],
  [
    'a state without leave',
    withState('  rest: { say: Rest }').replace('to: finished', 'to: rest'),
    '10:3',
    'this state has no `leave`, and is no `end`',
  ],
  [
    'a leave that is empty',
    swap('    leave:\n      - when: { signal: done, check: test }\n        to: finished', '    leave: []'),
    '6:12',
    '`leave` is empty: nothing would ever leave this state',
  ],
  [
    'a leave that is a table',
    swap(
      '    leave:\n      - when: { signal: done, check: test }\n        to: finished',
      '    leave: { to: finished }',
    ),
    '6:12',
    '`leave` is a list',
  ],
  ['an unknown end', swap('{ end: completed }', '{ end: complete }'), '9:20', '`end` is completed or let-go'],
  [
    'an end that leads on',
    swap('{ end: completed }', '{ end: completed, leave: [ { when: { visits: 1 }, to: work } ] }'),
    '9:31',
    'an end has no `leave`',
  ],
  [
    'an end with holds',
    swap('{ end: completed }', '{ end: completed, holds: 3 }'),
    '9:31',
    'an end has no `holds`',
  ],
  [
    'a pause with holds',
    withState('  rest:\n    pause: true\n    holds: 3\n    leave: [ { when: { visits: 1 }, to: work } ]'),
    '12:5',
    'a pause has no `holds`',
  ],
  [
    'a pause that is a word',
    swap('    say: Do {{task}}', '    say: Do {{task}}\n    pause: maybe'),
    '6:12',
    '`pause` is true or false',
  ],
  [
    'holds without otherwise',
    swap('    say: Do {{task}}', '    say: Do {{task}}\n    holds: 3'),
    '6:5',
    '`holds` of a state needs `otherwise`: where does it go then?',
  ],
  [
    'otherwise without holds',
    swap('    say: Do {{task}}', '    say: Do {{task}}\n    otherwise: finished'),
    '6:5',
    '`otherwise` needs `holds`: after how many is it taken?',
  ],
  [
    'an otherwise that is not there',
    swap('    say: Do {{task}}', '    say: Do {{task}}\n    holds: 3\n    otherwise: stuck'),
    '7:16',
    'there is no state "stuck"',
  ],
  [
    'holds of a state of zero',
    swap('    say: Do {{task}}', '    say: Do {{task}}\n    holds: 0\n    otherwise: finished'),
    '6:12',
    '`holds` is a whole number from 1 to 1000',
  ],
  [
    'holds of a state above the run’s',
    swap('    say: Do {{task}}', '    say: Do {{task}}\n    holds: 200\n    otherwise: finished'),
    '6:12',
    'the whole run has 100 holds, so these 200 are never reached',
  ],
  // A line.
  ['a line without to', swap('        to: finished\n', ''), '7:9', 'a line of `leave` has no `to`'],
  [
    'a line without when',
    swap('- when: { signal: done, check: test }\n        to', '- to'),
    '7:9',
    'a line of `leave` has no `when`',
  ],
  [
    'an unknown key of a line',
    swap('        to: finished', '        to: finished\n        then: x'),
    '9:9',
    'a line of `leave` has no key "then" (did you mean "when"?); it has: when, to',
  ],
  [
    'a to that is not there',
    swap('to: finished', 'to: finishd'),
    '8:13',
    'there is no state "finishd" (did you mean "finished"?)',
  ],
  [
    'an empty condition',
    swap('{ signal: done, check: test }', '{}'),
    '7:15',
    'this condition is empty; `visits: 1` always holds, if that is meant',
  ],
  [
    'an unknown condition',
    swap('{ signal: done, check: test }', '{ shell: "make test" }'),
    '7:17',
    'a condition has no key "shell"; it has: signal, check, review, file, visits, is',
  ],
  [
    'a misspelled condition',
    swap('{ signal: done, check: test }', '{ signl: done }'),
    '7:17',
    'a condition has no key "signl" (did you mean "signal"?); it has: signal, check, review, file, visits, is',
  ],
  [
    'a signal with a capital',
    swap('signal: done', 'signal: Done'),
    '7:25',
    'a signal is called by small letters, digits and "-", beginning with a letter, not "Done"',
  ],
  [
    'an unknown check',
    swap('check: test', 'check: tset'),
    '7:38',
    'there is no check "tset" (did you mean "test"?); the config has: test, lint',
  ],
  [
    'a command in the place of a check',
    swap('check: test', 'check: "npm test"'),
    '7:38',
    'there is no check "npm test"; the config has: test, lint',
  ],
  ['an empty list of checks', swap('check: test', 'check: []'), '7:38', 'this list of checks is empty'],
  [
    'an unknown word for a check',
    swap('check: test', 'check: test, is: green'),
    '7:48',
    '`is` of a check is passed or failed',
  ],
  [
    'an is that belongs to nothing',
    swap('signal: done, check: test', 'signal: done, is: passed'),
    '7:31',
    '`is` belongs to a check, a review or a file, and there is none here',
  ],
  [
    'an is that could belong to two',
    swap('signal: done, check: test', 'check: test, file: a.txt, is: missing'),
    '7:43',
    'nobody can tell which condition this `is` belongs to: write `check: { name: test, is: failed }`',
  ],
  [
    'an is beside several checks',
    swap('check: test', 'check: [test, lint], is: failed'),
    '7:52',
    'with several checks each has its own: write `{ name: test, is: failed }`',
  ],
  [
    'an is given twice',
    swap('check: test', 'check: { name: test, is: failed }, is: passed'),
    '7:66',
    '`is` is there twice for this check',
  ],
  ['a check without a name', swap('check: test', 'check: { is: failed }'), '7:38', '`check` has no `name`'],
  [
    'an unknown review',
    swap('check: test', 'review: critic'),
    '7:39',
    '`reviews` has no "critic"; there is none',
  ],
  ['visits of zero', swap('check: test', 'visits: 0'), '7:39', '`visits` is a whole number from 1 to 100'],
  [
    'a file outside the project',
    swap('check: test', 'file: ../secret'),
    '7:37',
    '"../secret" leads out of the project: write it relative to the project, without ".."',
  ],
  [
    'an absolute file',
    swap('check: test', 'file: /etc/passwd'),
    '7:37',
    '"/etc/passwd" leads out of the project: write it relative to the project, without ".."',
  ],
  [
    'a file of ours',
    swap('check: test', 'file: .holdfast/journal.jsonl'),
    '7:37',
    '".holdfast/journal.jsonl" is no content of the project',
  ],
  [
    'a file of the user’s home',
    swap('check: test', 'file: "~/.ssh/*"'),
    '7:37',
    '"~/.ssh/*" leads out of the project: write it relative to the project, without ".."',
  ],
  // A review.
  [
    'a review without a prompt',
    swap('start: work', 'start: work\nreviews: { critic: { files: [src] } }'),
    '3:20',
    'a review has no `prompt`',
  ],
  [
    'a review with a command',
    swap('start: work', 'start: work\nreviews: { critic: { prompt: Look, run: ls } }'),
    '3:36',
    'a review has no key "run"; it has: prompt, files',
  ],
  [
    'a review of files outside',
    swap('start: work', 'start: work\nreviews: { critic: { prompt: Look, files: ["../**"] } }'),
    '3:44',
    '"../**" leads out of the project: write it relative to the project, without ".."',
  ],
  [
    'a review with a slot it has not',
    swap('start: work', 'start: work\nreviews: { critic: { prompt: "Look {{findings}}" } }'),
    '3:30',
    "a reviewer's prompt has the slot {{task}} alone, not {{findings}}",
  ],
  [
    'two reviews in a state',
    swap('start: work', 'start: work\nreviews: { one: { prompt: Look }, two: { prompt: Look } }')
      .replace('check: test }', 'review: one }')
      .replace(
        '        to: finished\n',
        '        to: finished\n      - when: { review: two }\n        to: finished\n',
      ),
    '10:9',
    'a state asks for one review, and this one asks for one already',
  ],
  // What shows only when it is gone through.
  [
    'a state that nothing leads to',
    withState('  lonely: { end: let-go }'),
    '10:3',
    'the state "lonely" cannot be reached: no line leads to it',
  ],
  [
    'a state whose only line is never taken',
    withState('  never: { end: let-go }').replace(
      '        to: finished\n',
      '        to: finished\n      - when: { signal: done, check: [test, lint] }\n        to: never\n',
    ),
    '9:9',
    'this line of "work" (to never) can never be taken: whenever it holds, line 7 is taken before it',
  ],
  [
    'no end at all',
    'flow: sample\nstart: a\nstates:\n  a:\n    say: Go\n    leave: [ { when: { visits: 1 }, to: a } ]\n',
    '4:3',
    'no state of this flow is an `end`',
  ],
  [
    'a state that leads nowhere',
    withState('  trap:\n    say: Stay\n    leave: [ { when: { signal: out }, to: trap } ]').replace(
      '        to: finished\n',
      '        to: finished\n      - when: { signal: lost }\n        to: trap\n',
    ),
    '12:3',
    'from the state "trap" no end can be reached',
  ],
  [
    'two states that lead to each other',
    withState(
      '  ping:\n    say: Ping\n    leave: [ { when: { visits: 1 }, to: pong } ]\n  pong:\n    say: Pong\n    leave: [ { when: { visits: 1 }, to: ping } ]',
    ).replace(
      '        to: finished\n',
      '        to: finished\n      - when: { signal: lost }\n        to: ping\n',
    ),
    '12:3',
    'from the state "ping" no end can be reached',
  ],
  [
    'a line behind one that always holds',
    swap(
      '        to: finished\n',
      '        to: finished\n      - when: { visits: 1 }\n        to: work\n      - when: { signal: other }\n        to: finished\n',
    ),
    '11:9',
    'this line of "work" (to finished) can never be taken: whenever it holds, line 9 is taken before it',
  ],
  [
    'a line behind one that asks less',
    swap(
      '        to: finished\n',
      '        to: finished\n      - when: { signal: done, check: [test, lint] }\n        to: work\n',
    ),
    '9:9',
    'this line of "work" (to work) can never be taken: whenever it holds, line 7 is taken before it',
  ],
  [
    'a line behind both ends of a check',
    swap(
      '{ signal: done, check: test }\n        to: finished\n',
      '{ check: test }\n        to: finished\n      - when: { check: test, is: failed }\n        to: work\n      - when: { signal: done }\n        to: finished\n',
    ),
    '11:9',
    'this line of "work" (to finished) can never be taken: whenever it holds, line 7 or line 9 is taken before it',
  ],
  [
    'a line whose parts exclude each other',
    swap('check: test }', 'check: [test, { name: test, is: failed }] }').replace(
      '        to: finished\n',
      '        to: finished\n      - when: { signal: done }\n        to: finished\n',
    ),
    '7:9',
    'this line of "work" (to finished) can never be taken: its parts never hold together',
  ],
  [
    'visits that are never reached',
    swap('check: test }', 'visits: 2 }').replace(
      '        to: finished\n',
      '        to: finished\n      - when: { signal: done }\n        to: finished\n',
    ),
    '7:9',
    'this line of "work" (to finished) can never be taken: its parts never hold together, or "work" is never entered 2 times',
  ],
  [
    'an otherwise that is never taken',
    swap('    say: Do {{task}}', '    say: Do {{task}}\n    holds: 3\n    otherwise: work').replace(
      '{ signal: done, check: test }\n        to: finished',
      '{ visits: 1 }\n        to: finished',
    ),
    '7:16',
    '`otherwise` of "work" can never be taken: the visit never lasts 3 holds',
  ],
  [
    'a state beyond the run’s holds',
    `flow: sample\nholds: 1\nstart: a\nstates:\n  a: { say: A, leave: [ { when: { signal: on }, to: b } ] }\n  b: { say: B, leave: [ { when: { signal: on }, to: c } ] }\n  c: { say: C, leave: [ { when: { signal: on }, to: z } ] }\n  z: { end: completed }\n`,
    '7:3',
    'the state "c" cannot be reached within the one hold of a run: it takes 2',
  ],
  [
    'more combinations than can be gone through',
    `flow: sample\nstart: s0\nstates:\n${Array.from({ length: 12 }, (_, n) => `  s${n}: { say: S, leave: [ { when: { visits: 90, signal: z }, to: z }, { when: { signal: n }, to: s${(n + 1) % 12} }, { when: { signal: m }, to: s${(n + 5) % 12} } ] }`).join('\n')}\n  z: { end: completed }\n`,
    '1:1',
    'there are too many combinations to go through; use fewer or smaller `visits` and `holds`, or fewer checks in a state',
  ],
];
