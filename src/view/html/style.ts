// The style of a frozen run page: light and dark, phone and print, no request to anywhere.

export const STYLE = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#636c76;--line:#d0d7de;--good:#1a7f37;--warn:#9a6700;--bad:#cf222e;--blue:#0969da}
@media (prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--dim:#9198a1;--line:#3d444d;--good:#3fb950;--warn:#d29922;--bad:#f85149;--blue:#58a6ff}}
body{margin:0 auto;max-width:60rem;padding:1rem;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem;border-bottom:1px solid var(--line)}
svg{width:100%;height:auto}.dim,.label{color:var(--dim);fill:var(--dim);font-size:.8rem}.label,.verdict{text-anchor:middle;font-size:12px}
table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{text-align:left;padding:.3rem .5rem;border-bottom:1px solid var(--line);vertical-align:top}
.scroll{overflow-x:auto}.axis{stroke:var(--line)}.burn{fill:none;stroke:var(--blue);stroke-width:2}
.held{fill:var(--blue)}.allowed,.passed,.clean{fill:var(--good)}.let-go,.waits,.medium,.timed-out{fill:var(--warn)}.failed,.high,.findings,.cannot-run,.untrusted{fill:var(--bad)}.low,.none,.running,.not-reviewed{fill:var(--dim)}
.needs{border-left:4px solid var(--warn);padding:.2rem .8rem}details{margin:.3rem 0}code{font-size:.85rem}
@media print{details{display:block}body{max-width:none}}
`;
