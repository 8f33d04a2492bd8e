import { expect, it } from 'vitest';
import { codeOf, type Syntax } from './code-of.ts';

it.each<[Syntax, ...string[]]>([
  ['javascript', 'a // b\nc ⇒ a  \nc', 'a // to the end ⇒ a  ', 'a /* b\nc */ d ⇒ a   d', 'a /* never ⇒ a  '],
  ['javascript', 'a /*/ b */ c ⇒ a   c', "x('// no') // one ⇒ x('')  ", `x('a"b', "c'd") ⇒ x('', "")`],
  ['javascript', "x('it\\'s') ⇒ x('')", "x('not closed\ny ⇒ x(''\ny", "x('not closed ⇒ x(''"],
  ['javascript', 'x(`a\nb`) y ⇒ x(``) y', 'x(`a\\`b`) y ⇒ x(``) y'],
  ['python', 'a # b\nc ⇒ a  \nc', 'a // b ⇒ a // b', '#[x] a\nb ⇒  \nb', 'x("""a\n"b" # c""") y ⇒ x("") y'],
  ['python', "x('''a\n'b' ''') y ⇒ x('') y", `x('a', "b\\"c") ⇒ x('', "")`],
  [
    'go',
    'a /* b */ c // d ⇒ a   c  ',
    'x(`a\\`) y ⇒ x(``) y',
    'x(\'a\', "b") ⇒ x(\'\', "")',
    'x(`@{`) y ⇒ x(``) y',
  ],
  ['go', "(/it('a')/) ⇒ (/it('')/)"],
  [
    'rust',
    'a /* b */ c // d ⇒ a   c  ',
    'x(r"a\\") y ⇒ x("") y',
    'x(r#"a"b"#) y ⇒ x("") y',
    'x("a\nb") y ⇒ x("") y',
  ],
  [
    'rust',
    'x(r##"a"#b"##) y ⇒ x("") y',
    'x(r"a\nb") y ⇒ x("") y',
    'for"a" b ⇒ for"" b',
    "x('a') y ⇒ x('') y",
  ],
  [
    'rust',
    "x('\\u{1F600}') y ⇒ x('') y",
    "fn a<'b>(c: &'b str) ⇒ fn a<'b>(c: &'b str)",
    "x('\"') y ⇒ x('') y",
  ],
  ['java', 'a /* b */ c // d ⇒ a   c  ', 'x("""a\n"b" """) y ⇒ x("") y', `x('a', "b") ⇒ x('', "")`],
  ['ruby', 'a # b\nc ⇒ a  \nc', 'a\n=begin\nb\n=end\nc ⇒ a \nc', `x 'a', "b" ⇒ x '', ""`, "x <<~SQL ⇒ x ''"],
  [
    'ruby',
    "x <<~SQL, 1\n  skip\nSQL\ny ⇒ x ''\ny",
    'x <<-"SQL"\n  skip\n  SQL\ny ⇒ x \'\'\ny',
    "x <<~SQL\n  skip ⇒ x ''",
  ],
  ['ruby', 'a << b\nskip ⇒ a << b\nskip', "x <<~SQL\nSQLS\nSQL\ny ⇒ x ''\ny"],
  ['php', 'a # b\nc // d\n/* e */ ⇒ a  \nc  \n ', '#[Ignore] a ⇒ #[Ignore] a', `x('a', "b") ⇒ x('', "")`],
  [
    'csharp',
    'a /* b */ c // d ⇒ a   c  ',
    'x(@"a\\") y ⇒ x("") y',
    'x(@"a\nb", "c", \'d\') y ⇒ x("", "", \'\') y',
  ],
  ['swift', 'a /* b */ c // d ⇒ a   c  ', 'x("""\na "b"\n""", "c") y ⇒ x("", "") y'],
  ['elixir', 'a # b\nc ⇒ a  \nc', 'a // b ⇒ a // b', 'x("""\na "b"\n""", "c") y ⇒ x("", "") y'],
])('in %s comments become blanks, and texts keep their quotes: %j', (syntax, ...examples) => {
  for (const example of examples) {
    const [source = '', code] = example.split(' ⇒ ');
    expect(codeOf(source.replaceAll('@{', '${'), syntax)).toBe(code?.replaceAll('@{', '${'));
  }
});

/** A hole is written `@{` here, since these are no templates themselves. */
it.each([
  'x(`a @{b} c`) d',
  'x(`@{b("`")}`) d',
  'x(`@{b(`}`)}`) d',
  'x(`@{{ a: { b: 1 } }}`) d',
  "x(`@{'}'}`) d",
  'x(`$ {a`) d',
  'x(`\\@{a`) d',
])('a template with holes ends where it ends: %s', (source) => {
  expect(codeOf(source.replaceAll('@', '$'), 'javascript')).toBe('x(``) d');
});

it('templates in templates are followed twenty deep, and no further; one never closed is all that follows', () => {
  const nested = (depth: number): string => (depth === 0 ? 'x' : `\`\${${nested(depth - 1)}}\``);
  expect(codeOf(`${nested(20)} after`, 'javascript')).toBe('`` after');
  expect(codeOf(`${nested(21)} after`, 'javascript')).toBe('``');
  expect(codeOf('x(`@{never closed'.replace('@', '$'), 'javascript')).toBe('x(``');
});

it('a slash begins an expression where no value stands before it, and else divides', () => {
  for (const before of '( , = : [ ! & | ? { } ; + - * % < > ~ ^ return typeof case in of do else void await yield'.split(
    ' ',
  ))
    expect(codeOf(`${before} /it('a')/ b`, 'javascript')).toBe(`${before} // b`);
  for (const before of 'a ) ] 1 xreturn $'.split(' '))
    expect(codeOf(`${before} / it('a') / b`, 'javascript')).toBe(`${before} / it('') / b`);
});

it.each([
  ["/it('a')/ b", '// b'],
  ['(/[/]/) b', '(//) b'],
  ['(/\\//) b', '(//) b'],
  ['(/[\\]/]/) b', '(//) b'],
  ["(/a\nit('b')", "(/a\nit('')"],
  ['(/a', '(/a'],
  ['(/[a/', '(/[a/'],
  [`(/${'a'.repeat(298)}/) b`, '(//) b'],
  [`(/${'a'.repeat(299)}/) b`, `(/${'a'.repeat(299)}/) b`],
])('an expression in %.20j ends with its slash, or is none', (source, code) => {
  expect(codeOf(source, 'javascript')).toBe(code);
});
