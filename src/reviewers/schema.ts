// What a reviewer is asked to answer, from one source. Claude Code checks an answer itself and asks again where it does
// not fit; Codex hands the schema to its API, which takes it only where every property is required and no other allowed.

const VERDICTS = ['PASS', 'FAIL'];
export const SEVERITIES = ['high', 'medium', 'low'] as const;

/** What may be left out is null there, since one of the two can leave nothing out. */
const finding = {
  severity: { type: 'string', enum: SEVERITIES },
  file: { type: ['string', 'null'] },
  line: { type: ['integer', 'null'] },
  claim: { type: 'string' },
  evidence: { type: ['string', 'null'] },
};

const verdict = { type: 'string', enum: VERDICTS };

/** For Claude Code: a reviewer that gives its verdict alone is heard. */
export const LENIENT_SCHEMA = JSON.stringify(
  answer({ properties: finding, required: ['severity', 'claim'] }, { required: ['verdict'] }),
);

/** For Codex. */
export const STRICT_SCHEMA = JSON.stringify(
  answer(
    { properties: finding, required: Object.keys(finding), additionalProperties: false },
    { required: ['verdict', 'findings'], additionalProperties: false },
  ),
);

function answer(each: object, whole: object): object {
  const findings = { type: ['array', 'null'], items: { type: 'object', ...each } };
  return { type: 'object', properties: { verdict, findings }, ...whole };
}
