// How many tests a file skips, or leaves alone to run (`.only`). Compared before and after, so that a test which was
// switched off is named. Only files that look like tests are counted, and of those only the code: what stands in a
// comment or a text is none. A method of something else with such a name (`list.skip(3)`) is not counted where it can
// be told.

import { codeOf, type Syntax } from './code-of.ts';

type Language = {
  files: RegExp;
  syntax: Syntax;
  /** Each with the flag g; texts are empty in what they see, their quotes stay. */
  marks: readonly RegExp[];
  /** As written, comments and all. */
  raw?: RegExp;
};

/** Zero for a file that does not look like a test. */
export function countSkips(file: string, text: string): number {
  const language = languageOf(file);
  if (language === null) return 0;
  const code = codeOf(text, language.syntax);
  const found = new Set<number>();
  // By their places, so that one mark is not counted by two patterns.
  for (const mark of language.marks) for (const match of code.matchAll(mark)) found.add(endOf(match));
  return found.size + (language.raw === undefined ? 0 : [...text.matchAll(language.raw)].length);
}

export const looksLikeTest = (file: string): boolean => languageOf(file) !== null;

const endOf = (match: RegExpExecArray): number => match.index + match[0].length;

function languageOf(file: string): Language | null {
  return languages.find(({ files }) => files.test(file)) ?? null;
}

/** A file of one of these endings in a folder for tests. */
const inTestFolder = (endings: string): string =>
  `(?:^|/)(?:tests?|specs?|__tests__|e2e|integration|cypress)/(?:.*/)?[^/]+\\.(?:${endings})$`;

const JAVASCRIPT_FUNCTIONS = 'describe|context|suite|it|test|specify|bench|scenario';
const BEHAVIOUR = 'it|describe|context|specify|test|example|feature|scenario|group';
const QUOTE = '[\'"`]';

const languages: readonly Language[] = [
  {
    files: new RegExp(`[.-](?:test|spec|tests|specs|e2e|cy)\\.[cm]?[jt]sx?$|${inTestFolder('[cm]?[jt]sx?')}`),
    syntax: 'javascript',
    marks: [
      // it.skip(, test.describe.only(, test.skip.each`…`, Deno.test.ignore(
      new RegExp(
        `(?<![\\w$.])(?:Deno\\.|t\\.)?(?:${JAVASCRIPT_FUNCTIONS})(?:\\.\\w+){0,3}?\\.(?:skip|only|todo|fixme|ignore|skipIf|runIf|failing|fails)\\b(?=\\s*[(.<\`])`,
        'g',
      ),
      // xit(, fdescribe.each(; a method, or a function that is being made, is another thing
      /(?<![\w$.]|function )x(?:it|describe|test|context|specify|scenario)(?:\.\w+)?(?=\s*[(`])/g,
      /(?<![\w$.]|function )f(?:describe|context)(?:\.\w+)?(?=\s*[(`])/g,
      // fit is a word of its own in many a library: here it takes a test's name
      new RegExp(`(?<![\\w$.])(?:fit|ftest)(?:\\.\\w+)?(?=\\s*\\(\\s*${QUOTE})`, 'g'),
      // this.skip(), t.skip(), ctx.skip(): from within a test
      /(?<![\w$.])(?:this|t|ctx|testContext)\.(?:skip|todo)(?=\s*\()/g,
      // test('name', { skip: true }, …)
      new RegExp(
        `\\b(?:${JAVASCRIPT_FUNCTIONS})\\s*\\(\\s*${QUOTE} *${QUOTE}\\s*,\\s*\\{[^{}()]{0,200}?\\b(?:skip|only|todo|fails)\\s*(?=:(?!\\s*(?:false|undefined|null)\\b))`,
        'g',
      ),
    ],
  },
  {
    files: new RegExp(`(?:^|/)(?:test_[^/]*|[^/]*_tests?|tests?|conftest)\\.py$|${inTestFolder('py')}`),
    syntax: 'python',
    marks: [
      /\bmark\.(?:skip|skipif|xfail)\b/g,
      /\bpytest\.(?:skip|xfail|importorskip)(?=\s*\()/g,
      /@(?:\w+\.)?(?:skip(?:If|Unless)?|expectedFailure)\b(?!\.)/g,
      /\bskipTest(?=\s*\()/g,
      /\braise\s+(?:\w+\.)*SkipTest\b/g,
      /^[ \t]*collect_ignore(?:_glob)?(?=\s*\+?=)/gm,
      /\b__test__\s*=\s*False\b/g,
    ],
  },
  {
    files: /_test\.go$/,
    syntax: 'go',
    marks: [
      /(?:(?<![\w.])(?:t|b|f|tb|tt|c)|\.T\(\)|\bGinkgoT\(\))\.Skip(?:f|Now)?(?=\s*\()/g,
      // ginkgo
      /(?<![\w.])(?:[FXP](?:It|Describe|Context|When|Specify|Entry|DescribeTable))(?=\s*\()/g,
      /(?<![\w.]|func )Skip(?=\s*\(\s*["`])/g,
    ],
    raw: /^\/\/(?:go:build|\s*\+build)\s+ignore\b/gm,
  },
  {
    // Tests of a Rust crate stand in any of its files, and this mark is for nothing else.
    files: /\.rs$/,
    syntax: 'rust',
    marks: [/#\[\s*ignore\b/g, /#\[\s*cfg_attr\s*\([^\]]{0,200}?,\s*ignore\b/g],
  },
  {
    files: new RegExp(
      `(?:Tests?|TestCase|IT|Specs?)\\.(?:java|kt|kts|groovy|scala)$|${inTestFolder('java|kt|kts|groovy|scala')}`,
    ),
    syntax: 'java',
    marks: [
      /@(?:\w+\.)*(?:Disabled\w*|Ignore|Ignored|IgnoreIf|PendingFeature)\b/g,
      /\benabled\s*=\s*false\b/g,
      /\b(?:Assume|Assumptions)\.(?:assum\w+|abort)(?=\s*\()/g,
      /(?<![\w.]|fun |def )(?:x(?:it|describe|test|context|given|should|feature|scenario))(?=\s*\(\s*")/g,
    ],
  },
  {
    files: new RegExp(`_(?:spec|test)\\.rb$|(?:^|/)test_[^/]*\\.rb$|${inTestFolder('rb')}`),
    syntax: 'ruby',
    marks: [
      new RegExp(`(?<![\\w.:]|def )[xf](?:${BEHAVIOUR})\\b(?=[ (]+(?:${QUOTE}|[A-Z:]|do\\b))`, 'g'),
      // As a statement of its own, with or without a reason.
      new RegExp(
        `(?:^|;|\\bdo\\b|\\{)[ \\t]*(?:skip|pending)(?=\\s*(?:\\(|${QUOTE}|[;}]|$|(?:if|unless)\\b))`,
        'gm',
      ),
      // it "name", :skip do; it "name", skip: true do
      new RegExp(
        `\\b(?:${BEHAVIOUR})\\b[ (]+["'A-Z:][^\\n]{0,200}?,\\s*(?::(?:skip|pending|focus)\\b(?!\\s*=>\\s*false)|(?:skip|pending|focus):(?!\\s*(?:false|nil)\\b))`,
        'g',
      ),
    ],
  },
  {
    files: new RegExp(`Test\\.php$|${inTestFolder('php')}`),
    syntax: 'php',
    marks: [
      /\bmarkTest(?:Skipped|Incomplete)(?=\s*\()/g,
      // Pest: a test's own function ends right before it; a collection's skip(3) and only([…]) take something else.
      /\}\s*\)\s*->\s*(?:skip|only|todo)(?=\s*\((?!\s*[\d[$]))/g,
    ],
  },
  {
    files: new RegExp(
      `Tests?\\.cs$|(?:^|/)[^/]*\\.(?:Unit|Integration)?Tests?/(?:.*/)?[^/]+\\.cs$|${inTestFolder('cs')}`,
    ),
    syntax: 'csharp',
    marks: [
      /(?:\[|,)\s*(?:\w+\.)*(?:Ignore|Explicit)(?:Attribute)?(?=\s*[(\],])(?=[^\n]{0,200}\])/g,
      /[[,]\s*[\w.]{1,80}\([^()[\]\n]{0,200}?\b(?:Skip|Ignore|IgnoreReason)\s*(?==)/g,
      /\bAssert\.(?:Ignore|Inconclusive|Skip\w*)(?=\s*\()/g,
      /(?<![\w.])Skip\.(?:If|IfNot|Unless|When)(?=\s*\()/g,
    ],
  },
  {
    files: new RegExp(
      `(?:Tests?|Specs?)\\.swift$|(?:^|/)[^/]*Tests/(?:.*/)?[^/]+\\.swift$|${inTestFolder('swift')}`,
    ),
    syntax: 'swift',
    marks: [
      /\bXCTSkip(?:If|Unless)?(?=\s*\()/g,
      // A view of SwiftUI is disabled by the same word.
      /@(?:Test|Suite)\s*\([^\n]{0,200}?\.disabled\b/g,
      /(?<![\w.]|func )[xf](?:it|describe|context)(?=\s*\(\s*")/g,
    ],
  },
  {
    files: /_test\.exs$/,
    syntax: 'elixir',
    marks: [/@(?:tag|moduletag|describetag)\s+\[?\s*(?::skip\b|skip:(?!\s*(?:false|nil)\b))/g],
  },
];
