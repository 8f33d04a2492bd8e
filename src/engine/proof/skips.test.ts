import { describe, expect, it } from 'vitest';
import { countSkips, looksLikeTest } from './skips.ts';

/** Each skips or focuses once; `¦` stands between two. */
const skipping: Readonly<Record<string, readonly string[]>> = {
  'src/a.test.ts': [
    "it.skip('adds', () => {}); ¦ test.only('adds', () => {}); ¦ describe.skip('sums', () => {});",
    "suite.only('sums', () => {}); ¦ test.describe.skip('sums', () => {});",
    "test.serial.only('adds', t => {}); ¦ it.todo('adds'); ¦ test.fixme('adds', async ({ page }) => {});",
    "it.skip.each([1, 2])('adds %i', () => {}); ¦ test.only.each`\n a | b\n`",
    "it.skipIf(process.platform === 'win32')('adds', () => {});",
    "const onPosix = it.skipIf(process.platform === 'win32'); ¦ it.only<Context>('adds', () => {});",
    "Deno.test.ignore('adds', () => {}); ¦ t.test.skip('adds', () => {}); ¦ xit('adds', () => {});",
    "xdescribe('sums', () => {}); ¦ xtest(\"adds\", () => {}); ¦ xit.each([1])('adds', () => {});",
    "fit('adds', () => {}); ¦ fdescribe('sums', () => {}); ¦ it(\"adds\", function () { this.skip(); });",
    "test('adds', t => { t.skip('later'); }); ¦ test('adds', ctx => { ctx.skip(); });",
    "test('adds', { skip: true }, () => {});",
    "test('adds', { timeout: 5, skip: 'not on CI' }, () => {});",
    'describe("sums", { only: true }, () => {}); ¦ it(\'adds\', { skip: !hasNetwork }, () => {});',
    'xit ("adds", () => {}); ¦ xit.each`a` ¦ xcontext("sums", () => {});',
    'fdescribe.each([1])("adds", () => {}); ¦ fcontext ("sums", () => {}); ¦ fdescribe.each`a`',
    't.todo ("adds"); ¦ testContext.skip(); ¦ ftest("adds", () => {}); ¦ fit.each ( "adds")',
  ],
  'tests/test_sum.py': [
    "@pytest.mark.skip\ndef test_a(): ... ¦ @pytest.mark.skip(reason='later')",
    "@pytest.mark.skipif(sys.platform == 'win32', reason='posix') ¦ @pytest.mark.xfail",
    "pytestmark = pytest.mark.skip ¦     pytest.skip('no database') ¦ np = pytest.importorskip('numpy')",
    "@unittest.skip('later') ¦ @unittest.skipIf(True, \"x\") ¦ @skipUnless(HAS, 'x')",
    "@unittest.expectedFailure ¦         self.skipTest('later') ¦     raise unittest.SkipTest('later')",
    "collect_ignore = ['test_b.py'] ¦     __test__ = False",
    '    pytest.param(1, marks=pytest.mark.skip), ¦ pytest.skip ("later") ¦ pytest.xfail("later")',
    '@skip\ndef test_a(): ... ¦ @expectedFailure ¦ self.skipTest ("later") ¦ raise  SkipTest',
    "raise a.b.SkipTest() ¦ collect_ignore_glob = ['*'] ¦ collect_ignore += ['a']",
    "collect_ignore+=['a'] ¦     collect_ignore  = ['a'] ¦ \tcollect_ignore = [] ¦ A.__test__=False",
    '__test__  =  False',
  ],
  'sum_test.go': [
    '\tt.Skip("later") ¦ \tt.Skipf("no %s", tool) ¦ \tb.SkipNow() ¦ \ts.T().Skip("later")',
    'var _ = FDescribe("sums", func() {}) ¦ \tXIt("adds", func() {})',
    '\tPContext("sums", func() {}) ¦ \tSkip("later") ¦ //go:build ignore\n',
    'GinkgoT().Skip("later") ¦ \tt.Skip ("later") ¦ FIt ("adds", func() {}) ¦ PEntry("adds")',
    'XWhen("sums") ¦ FDescribeTable("sums") ¦ Skip ( "later") ¦ Skip(`later`) ¦ // +build ignore',
    '//+build  ignore',
  ],
  'src/lib.rs': [
    '    #[ignore]\n    fn adds() {} ¦     #[ignore = "slow"] ¦ #[cfg_attr(windows, ignore)]',
    '#[cfg_attr(not(feature = "net"), ignore = "needs net")] ¦ #[ ignore ]',
    '#[ cfg_attr (windows,ignore)]',
  ],
  'src/test/java/SumTest.java': [
    '@Disabled\n@Test void adds() {} ¦ @Disabled("later") ¦ @DisabledOnOs(OS.WINDOWS)',
    '@Ignore("later") ¦ @org.junit.Ignore ¦ @Test(enabled = false) ¦ Assumptions.assumeTrue(false);',
    'Assume.assumeThat(a, is(b)); ¦ @IgnoreIf({ os.windows }) ¦ @PendingFeature ¦ @a.b.Disabled',
    '@Test(enabled=false) ¦ @Test(enabled  =  false) ¦ Assumptions.abort ("later");',
  ],
  'src/test/kotlin/SumSpec.kt': [
    'xtest("adds") {} ¦ xdescribe("sums") {} ¦ @Ignored ¦ @Disabled ¦ xshould ( "add") {}',
    'xgiven("two") {}',
  ],
  'spec/sum_spec.rb': [
    "xit 'adds' do ¦ xdescribe Sum do ¦ fit 'adds' do ¦ fcontext \"with two\" do ¦ it 'adds', :skip do",
    "it 'adds', skip: true do ¦ it 'adds', skip: 'later' do",
    'RSpec.describe "Sum", :browser, type: :feature, js: true, skip: true do',
    "RSpec.describe Sum, skip: true do ¦ describe 'sums', :focus do ¦     skip ¦     skip 'later'",
    "    skip('later') ¦     skip 'later' unless ENV['CI'] ¦     skip if windows?",
    "    pending 'not yet' ¦ it('adds') { skip }",
  ],
  'tests/SumTest.php': [
    "$this->markTestSkipped('later'); ¦ self::markTestIncomplete();",
    "it('adds', function () {})->skip(); ¦ it('adds', function () {\n})->skip('later');",
    "test('adds', function () {})->only(); ¦ it('adds', function () {})->todo();",
    "it('adds', function () {})->skip(fn () => ! extension_loaded('gd'), NO_GD);",
    "$this->markTestSkipped ('later'); ¦ it('adds', function () { } ) -> skip ();",
  ],
  'Sum.Tests/SumTests.cs': [
    '[Fact(Skip = "later")] ¦ [Theory(DisplayName = "adds", Skip = "later")] ¦ [Ignore]',
    '[Test, Ignore("later")] ¦ [TestMethod, Ignore] ¦ [Explicit] ¦ [TestCase(1, Ignore = "later")]',
    'Assert.Ignore("later"); ¦ Assert.Inconclusive(); ¦ Skip.If(true);',
    '[ NUnit.Framework.Ignore("later")] ¦ [IgnoreAttribute] ¦ [Explicit , Test]',
    '[Xunit.Fact(Skip="later")] ¦ [ Fact(Skip  = "later")]',
    '[Test,  TestCase(1, IgnoreReason = "later")] ¦ Assert.Skip("later"); ¦ Assert.SkipWhen(true);',
    'Assert.Ignore (); ¦ Skip.IfNot (true);',
  ],
  'Tests/SumTests.swift': [
    'throw XCTSkip("later") ¦ try XCTSkipIf(true, "later") ¦ try XCTSkipUnless(hasNetwork)',
    '@Test(.disabled("later")) func adds() {} ¦ @Test("adds", .disabled()) func adds() {}',
    'xit("adds") {} ¦ throw XCTSkip ("later") ¦ @Suite (.disabled()) struct Sums {}',
    'fdescribe ( "sums") {}',
  ],
  'test/sum_test.exs': [
    '@tag :skip ¦ @tag skip: "later" ¦ @moduletag :skip ¦ @describetag skip: true',
    '  @tag [:skip, timeout: 5] ¦ @tag  [ :skip] ¦ @tag\tskip: true ¦ @tag [  skip: true]',
    '@tag skip: falsehood',
  ],
};

/** Look like it, and are none. */
const others: Readonly<Record<string, readonly string[]>> = {
  'src/a.test.ts': [
    'list.skip(3); ¦ const page = cursor.skip(10).limit(5); ¦ await collection.find().skip(20);',
    'model.fit(data, labels); ¦ const curve = fit(model); ¦ fit(points, { degree: 2 });',
    "User.only('name'); ¦ query.only(['id']); ¦ const rest = _.skip(1); ¦ // it.skip('adds')",
    "/* describe.only('sums') */ ¦ expect(text).toContain('it.skip(');",
    'const source = `it.only("adds")`; ¦ const source = `a ${f(`it.only(`)} it.skip(`;',
    'expect(code).toMatch(/it\\.skip\\(/); const quote = /[\'"`]/; // it.skip(',
    'const half = total / 2; const third = total / 3; ¦ split.skip(1); edit.only(2); submit.todo(3);',
    "test('adds', { skip: false }, () => {}); ¦ parser.parse(text, { skip: true });",
    "function xit(name) {} ¦ const skip = 3; ¦ it('skips what is marked .skip(', () => {});",
    'prefixit(1); exit(1); process.exit(1); ¦ const unit = benefit("x"); outfit("y"); profit("z");',
    'await page.context().skip(1); ¦ tests.xit("a"); $xit("b"); taxit("c");',
    'tests.fdescribe("a"); $fdescribe("b"); offcontext("c"); ¦ function fdescribe(name) {}',
    'const other = xit; ¦ const other = fdescribe; ¦ a.t.skip(); $t.skip(); cat.skip();',
    'const how = t.skip; ¦ fit.each(points);',
  ],
  'tests/test_sum.py': [
    '# @pytest.mark.skip ¦ """\n@pytest.mark.skip\n""" ¦ text = \'@unittest.skip\'',
    'rows = rows.skip(3) ¦ model.fit(x, y) ¦ itertools.islice(skip, 3) ¦ skip = True ¦ def skip(): pass',
    '@skip.setter ¦ bookmark.skip ¦ mark.skipped ¦ mypytest.skip("a") ¦ pytest.skip.Exception',
    '@skipped ¦ @unittest.skipped ¦ @skipIf.a ¦ myskipTest(1) ¦ skipTest = 3 ¦ raise SkipTests',
    'praise SkipTest ¦ config.collect_ignore = [] ¦ collect_ignore.append("a") ¦ __test__ = Falsehood',
    'x__test__ = False ¦ __test__ = True',
  ],
  'sum_test.go': [
    '// t.Skip("later") ¦ iter.Skip(3) ¦ text := "t.Skip()" ¦ list.Skip(n) ¦ x := `t.Skip()`',
    'func Skip(a string) {} ¦ at.Skip("a") ¦ a.t.Skip("a") ¦ t.Skipped() ¦ how := t.Skip',
    'myGinkgoT().Skip("a") ¦ g.FIt("a") ¦ MyFIt("a") ¦ It("a") ¦ how := FIt ¦ Skip(n)',
    'mySkip("a") ¦ //go:build ignored ¦ x //go:build ignore ¦ //go:build linux ¦ //go:buildignore',
  ],
  'src/lib.rs': [
    '// #[ignore] ¦ let a = "#[ignore]"; ¦ let a = r#"#[ignore]"#;',
    "fn f<'a>(x: &'a str) {} // #[ignore] ¦ iter.skip(3) ¦ #[allow(unused)]",
    "let quote = '\"'; let other = '\\''; // #[ignore] ¦ #[ignored] ¦ #[cfg_attr(windows, ignored)]",
    '#[cfg_attr(windows, allow(a))] a, ignore',
  ],
  'src/test/java/SumTest.java': [
    '@JsonIgnore ¦ // @Disabled ¦ stream.skip(3) ¦ String a = "@Disabled"; ¦ button.setEnabled(false);',
    '@Ignores ¦ @PendingFeatures ¦ isenabled = false ¦ enabled = falsehood ¦ enabled = true',
    'MyAssume.assumeTrue(a); ¦ Assume.assumeTrue; ¦ Assume.assum(a);',
  ],
  'spec/sum_spec.rb': [
    "records.skip(3) ¦ # skip ¦ skip = 3 ¦ before_action :skip ¦ it 'skips', type: :feature do",
    "expect(page).to have_text 'skip' ¦ it 'adds', skip: false do",
    "    expect_offense(<<~RUBY)\n      it 'adds', skip: true do\n      skip\n    RUBY",
    'skip_before_action :verify ¦ model.fit "x" ¦ pending_orders.each do |order|',
  ],
  'tests/SumTest.php': [
    "$query->skip(3)->take(5); ¦ $request->only(['name']);",
    'LazyCollection::make(function () {\n})->skip(1)->each(fn () => 1);',
    "collect($rows)->map(function () {})->only(['a']); ¦ // $this->markTestSkipped();",
    '#[Test]\npublic function adds() {} ¦ unmarkTestSkipped(); ¦ $how = markTestSkipped;',
    'map(function () {})->skip( 3); ¦ map(function () {})->only( $a); ¦ map(function () {})->skip;',
  ],
  'Sum.Tests/SumTests.cs': [
    'list.Skip(3).Take(2); ¦ // [Ignore] ¦ var a = "[Ignore]"; ¦ [Fact] ¦ query.Skip(count);',
    '[Ignored] ¦ F(a, Ignore(b)); ¦ [Fact(NoSkip = "later")] ¦ [Fact(Skips = "later")]',
    'MyAssert.Ignore(); ¦ Assert.Ignored(); ¦ var how = Assert.Ignore; ¦ a.Skip.If(b); ¦ NoSkip.If(b);',
    'var how = Skip.If;',
  ],
  'Tests/SumTests.swift': [
    'Button("x").disabled(true) ¦ // throw XCTSkip() ¦ model.fit("x") ¦ MyXCTSkip()',
    'catch is XCTSkip { ¦ @Test(.disabledHere) func adds() {} ¦ @Tests(.disabled()) ¦ a.xit("b")',
    'func xit("b") ¦ exit("b") ¦ xit(b)',
  ],
  'test/sum_test.exs': [
    '# @tag :skip ¦ @tag :slow ¦ @tag skip: false ¦ Enum.drop(list, 3) ¦ text = "@tag :skip"',
    '@tag :skipped ¦ @tag skip: nil ¦ @tag skip:false ¦ @tags :skip',
  ],
  'src/test/kotlin/SumSpec.kt': ['a.xit("b") ¦ exit("b") ¦ xit(b) ¦ fun xtest("a") ¦ def xtest("a")'],
};

const pairs = (examples: typeof others): [string, string][] =>
  Object.entries(examples).flatMap(([file, lines]) =>
    lines.flatMap((line) => line.split(' ¦ ').map((text): [string, string] => [file, text])),
  );

describe('a test that is skipped or focused', () => {
  it.each(pairs(skipping))('is counted once in %s: %s', (file, text) => {
    expect(countSkips(file, `${text}\n`)).toBe(1);
  });

  it.each(Object.keys(skipping))('is counted each time in %s', (file) => {
    const texts = pairs(skipping).flatMap(([of, text]) =>
      of === file && !/^it\("adds", function|go:build/.test(text) ? [text] : [],
    );
    expect(countSkips(file, texts.join('\n\n'))).toBe(texts.length);
  });

  it.each(pairs(others))('is none in %s: %s', (file, text) => {
    expect(countSkips(file, `${text}\n`)).toBe(0);
  });
});

it.each([
  ['src/query.ts', "it.skip('a')"],
  ['src/latest.ts', "it.skip('a')"],
  ['src/contest/a.py', '@pytest.mark.skip'],
  ['sum.go', 't.Skip()'],
  ['lib/sum.rb', 'skip'],
  ['sum_test.go.txt', 't.Skip()'],
  ['lib.rs.bk', '#[ignore]'],
  ['sum_test.exs.eex', '@tag :skip'],
  ['a.test.ts.snap', "it.skip('a')"],
  ['mytests/a.ts', "it.skip('a')"],
  ['latest/a.py', '@pytest.mark.skip'],
])('%s is no test', (file, text) => {
  expect([looksLikeTest(file), countSkips(file, text)]).toEqual([false, 0]);
});

it('tests are known by their names and folders', () => {
  const files = [
    'a.spec.tsx src/a.test.mjs src/__tests__/a.js test/a.ts e2e/login.ts a.cy.ts app-test.js test_a.py a_test.py',
    'tests/helpers.py conftest.py src/lib.rs a_test.go SumTest.java SumIT.java src/test/java/Sum.java SumSpec.kt',
    'sum_spec.rb test/sum_test.rb SumTest.php SumTests.cs Sum.Tests/Sum.cs SumTests.swift sum_test.exs',
  ];
  for (const file of files.join(' ').split(' ')) expect([file, looksLikeTest(file)]).toEqual([file, true]);
});

it.each([
  ['a.test.ts', '`${'.repeat(100_000)],
  ['a.test.ts', '(/['.repeat(100_000)],
  ['a.test.ts', `it${'.a'.repeat(200_000)}`],
  ['a.test.ts', `it('', {${'skip '.repeat(100_000)}`],
  ['a.test.ts', "it('', {".repeat(50_000)],
  ['test_a.py', '@a.'.repeat(100_000)],
  ['test_a.py', `raise ${'a.'.repeat(150_000)}`],
  ['a_spec.rb', `it "${', :a'.repeat(70_000)}`],
  ['a_spec.rb', '<<~A\n'.repeat(60_000)],
  ['Tests.cs', '[a('.repeat(100_000)],
  ['a.rs', '#[cfg_attr('.repeat(30_000)],
  ['ATest.php', '})'.repeat(100_000) + ' '.repeat(100_000)],
])('a text made to take long does not: %s %.20s', (file, text) => {
  // Of the processor's time: the machine may have other things to do.
  const before = process.cpuUsage();
  countSkips(file, text);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000);
});
