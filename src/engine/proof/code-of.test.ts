import { describe, expect, it } from 'vitest';
import { codeOf, type Syntax } from './code-of.ts';

describe('a comment becomes a blank', () => {
  it.each<[Syntax, string, string]>([
    ['javascript', 'a // b\nc', 'a  \nc'],
    ['javascript', 'a // to the end of the file', 'a  '],
    ['javascript', 'a /* b\nc */ d', 'a   d'],
    ['javascript', 'a /* never closed', 'a  '],
    ['javascript', 'a /*/ b */ c', 'a   c'],
    ['python', 'a # b\nc', 'a  \nc'],
    ['python', 'a // b', 'a // b'],
    ['python', '#[x] a\nb', ' \nb'],
    ['go', 'a /* b */ c // d', 'a   c  '],
    ['rust', 'a /* b */ c // d', 'a   c  '],
    ['java', 'a /* b */ c // d', 'a   c  '],
    ['ruby', 'a # b\nc', 'a  \nc'],
    ['ruby', 'a\n=begin\nb\n=end\nc', 'a \nc'],
    ['php', 'a # b\nc // d\n/* e */', 'a  \nc  \n '],
    ['php', '#[Ignore] a', '#[Ignore] a'],
    ['csharp', 'a /* b */ c // d', 'a   c  '],
    ['swift', 'a /* b */ c // d', 'a   c  '],
    ['elixir', 'a # b\nc', 'a  \nc'],
    ['elixir', 'a // b', 'a // b'],
  ])('in %s: %j', (syntax, source, code) => {
    expect(codeOf(source, syntax)).toBe(code);
  });
});

describe('of a text its quotes stay', () => {
  it.each<[Syntax, string, string]>([
    ['javascript', `x('a"b', "c'd")`, `x('', "")`],
    ['javascript', "x('it\\'s')", "x('')"],
    ['javascript', "x('not closed\ny", "x(''\ny"],
    ['javascript', "x('not closed", "x(''"],
    ['javascript', 'x(`a\nb`) y', 'x(``) y'],
    ['javascript', 'x(`a\\`b`) y', 'x(``) y'],
    ['javascript', "x('// no comment') // one", "x('')  "],
    ['python', 'x("""a\n"b" # c""") y', 'x("") y'],
    ['python', "x('''a\n'b' ''') y", "x('') y"],
    ['python', `x('a', "b\\"c")`, `x('', "")`],
    ['go', 'x(`a\\`) y', 'x(``) y'],
    ['go', 'x(\'a\', "b")', 'x(\'\', "")'],
    ['rust', 'x(r"a\\") y', 'x("") y'],
    ['rust', 'x(r#"a"b"#) y', 'x("") y'],
    ['rust', 'x(r##"a"#b"##) y', 'x("") y'],
    ['rust', 'x("a\nb") y', 'x("") y'],
    ['rust', 'x(r"a\nb") y', 'x("") y'],
    ['rust', 'for"a" b', 'for"" b'],
    ['java', 'x("""a\n"b" """) y', 'x("") y'],
    ['java', `x('a', "b")`, `x('', "")`],
    ['ruby', `x 'a', "b"`, `x '', ""`],
    ['php', `x('a', "b")`, `x('', "")`],
    ['csharp', 'x(@"a\\") y', 'x("") y'],
    ['csharp', 'x(@"a\nb", "c", \'d\') y', 'x("", "", \'\') y'],
    ['swift', 'x("""\na "b"\n""", "c") y', 'x("", "") y'],
    ['elixir', 'x("""\na "b"\n""", "c") y', 'x("", "") y'],
  ])('in %s: %j', (syntax, source, code) => {
    expect(codeOf(source, syntax)).toBe(code);
  });
});

/** A hole is written `@{` here, since these are no templates themselves. */
const withHoles = (source: string): string => source.replaceAll('@', '$');

describe('a template', () => {
  it.each([
    ['x(`a @{b} c`) d', 'x(``) d'],
    ['x(`@{b("`")}`) d', 'x(``) d'],
    ['x(`@{b(`}`)}`) d', 'x(``) d'],
    ['x(`@{{ a: { b: 1 } }}`) d', 'x(``) d'],
    ["x(`@{'}'}`) d", 'x(``) d'],
    ['x(`@{never closed', 'x(``'],
    ['x(`$ {a`) d', 'x(``) d'],
    ['x(`\\@{a`) d', 'x(``) d'],
  ])('with holes ends where it ends: %s', (source, code) => {
    expect(codeOf(withHoles(source), 'javascript')).toBe(code);
  });

  it('in templates is followed twenty deep, and no further', () => {
    const nested = (depth: number): string => (depth === 0 ? 'x' : `\`\${${nested(depth - 1)}}\``);
    expect(codeOf(`${nested(20)} after`, 'javascript')).toBe('`` after');
    expect(codeOf(`${nested(21)} after`, 'javascript')).toBe('``');
  });

  it('of Go has no holes', () => {
    expect(codeOf(withHoles('x(`@{`) y'), 'go')).toBe('x(``) y');
  });
});

describe('a slash', () => {
  it.each([
    '(',
    ',',
    '=',
    ':',
    '[',
    '!',
    '&',
    '|',
    '?',
    '{',
    '}',
    ';',
    '+',
    '-',
    '*',
    '%',
    '<',
    '>',
    '~',
    '^',
    ...['return', 'typeof', 'case', 'in', 'of', 'do', 'else', 'void', 'await', 'yield'],
  ])('after %s begins an expression', (before) => {
    expect(codeOf(`${before} /it('a')/ b`, 'javascript')).toBe(`${before} // b`);
  });

  it.each(['a', ')', ']', '1', 'xreturn', '$'])('after %s divides', (before) => {
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
  ])('as the beginning of %j', (source, code) => {
    expect(codeOf(source, 'javascript')).toBe(code);
  });

  it('begins no expression of more than three hundred characters', () => {
    const longest = `(/${'a'.repeat(298)}/) b`;
    expect(codeOf(longest, 'javascript')).toBe('(//) b');
    const longer = `(/${'a'.repeat(299)}/) b`;
    expect(codeOf(longer, 'javascript')).toBe(longer);
  });

  it('begins none in a language without such', () => {
    expect(codeOf("(/it('a')/)", 'go')).toBe("(/it('')/)");
  });
});

describe('what is only of one language', () => {
  it.each([
    ['x <<~SQL, 1\n  skip\nSQL\ny', "x ''\ny"],
    ['x <<-"SQL"\n  skip\n  SQL\ny', "x ''\ny"],
    ['x <<~SQL\n  skip', "x ''"],
    ['x <<~SQL', "x ''"],
    ['a << b\nskip', 'a << b\nskip'],
    ['x <<~SQL\nSQLS\nSQL\ny', "x ''\ny"],
  ])('a heredoc of Ruby: %j', (source, code) => {
    expect(codeOf(source, 'ruby')).toBe(code);
  });

  it.each([
    ["x('a') y", "x('') y"],
    ["x('\\n') y", "x('') y"],
    ["x('\\u{1F600}') y", "x('') y"],
    ["fn a<'b>(c: &'b str)", "fn a<'b>(c: &'b str)"],
    ["x('\"') y", "x('') y"],
  ])('a letter of Rust, which is no lifetime: %j', (source, code) => {
    expect(codeOf(source, 'rust')).toBe(code);
  });
});
