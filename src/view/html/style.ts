// The style of a frozen run page: light and dark, phone and print, no request to anywhere. Words are never broken in a
// table: a column of sentences wraps between them, the rest stays in one line, and what is wider scrolls, with a shadow.

export const STYLE = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#5b636d;--line:#d8dee4;--edge:rgb(31 35 40/22%);--good:#1a7f37;--warn:#9a6700;--bad:#cf222e;--blue:#1d6b72;--low:#9aa3ad}
@media (prefers-color-scheme:dark){:root{--bg:#14171a;--fg:#e6e8ea;--dim:#a2abb5;--line:#30363c;--edge:rgb(160 172 184/34%);--good:#6dc796;--warn:#e8b25a;--bad:#f08a80;--blue:#6cc5c9;--low:#76808b}}
body{margin:0 auto;max-width:60rem;padding:1.5rem 1rem 3rem;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif;overflow-wrap:break-word}
h1{font-size:1.6rem;line-height:1.25;margin:.2rem 0 .8rem;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:2.2rem 0 .8rem;padding-bottom:.3rem;border-bottom:1px solid var(--line)}
p{overflow-wrap:anywhere}.dim{color:var(--dim);font-size:.85rem}summary{cursor:pointer;color:var(--blue)}
.end{padding:.6rem .9rem;border-left:4px solid var(--low);font-weight:600}.end.good{border-color:var(--good);color:var(--good)}.end.bad{border-color:var(--bad)}.end.attention{border-color:var(--warn)}.end.active{border-color:var(--blue)}
.costs{display:flex;flex-wrap:wrap;gap:.2rem 1.5rem;margin:0;padding:0;list-style:none;color:var(--dim);font-size:.9rem}
svg{width:100%;height:auto}.label,.verdict{text-anchor:middle;font-size:12px;fill:var(--dim)}.label.start{text-anchor:start}.label.end{text-anchor:end}
table{border-collapse:collapse;min-width:100%;font-size:.9rem}th,td{text-align:left;padding:.35rem .9rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:top;white-space:nowrap}th{color:var(--dim);font-weight:500}td.words{white-space:normal;min-width:11rem}
.scroll{overflow-x:auto;background:linear-gradient(to right,var(--bg) 30%,transparent) 0 0/44px 100% local,linear-gradient(to left,var(--bg) 30%,transparent) 100% 0/44px 100% local,linear-gradient(to right,var(--edge),transparent) 0 0/16px 100% scroll,linear-gradient(to left,var(--edge),transparent) 100% 0/16px 100% scroll;background-repeat:no-repeat}
.axis{stroke:var(--line)}.burn{fill:none;stroke:var(--blue);stroke-width:2}
.held{fill:var(--blue)}.allowed{fill:var(--bg);stroke:var(--blue);stroke-width:2}.passed,.clean{fill:var(--good)}.receipt{opacity:.45}.let-go,.medium,.timed-out{fill:var(--warn)}.failed,.high,.findings,.cannot-run{fill:var(--bad)}.waits,.low,.none,.running,.not-reviewed,.untrusted{fill:var(--low)}
.key{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.2rem 0 .8rem;padding:0;list-style:none;color:var(--dim);font-size:.85rem}.key svg{width:12px;height:12px;margin-right:.35rem}
details{margin:.5rem 0}code{font-size:.85rem}section ul:not(.key){padding-left:1.2rem}
@media(max-width:36rem){.label,.verdict{font-size:20px}}
@media print{.scroll{overflow:visible;background:none}td,td.words{white-space:normal;min-width:0}body{max-width:none}section{break-inside:avoid-page}*{print-color-adjust:exact}}
`;
