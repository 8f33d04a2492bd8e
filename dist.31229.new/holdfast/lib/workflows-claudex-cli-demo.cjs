"use strict";var a=Object.defineProperty;var l=Object.getOwnPropertyDescriptor;var h=Object.getOwnPropertyNames;var u=Object.prototype.hasOwnProperty;var c=(e,n)=>{for(var t in n)a(e,t,{get:n[t],enumerable:!0})},f=(e,n,t,i)=>{if(n&&typeof n=="object"||typeof n=="function")for(let s of h(n))!u.call(e,s)&&s!==t&&a(e,s,{get:()=>n[s],enumerable:!(i=l(n,s))||i.enumerable});return e};var p=e=>f(a({},"__esModule",{value:!0}),e);var b={};c(b,{demo:()=>g});module.exports=p(b);var r=require("node:fs");var o=require("node:path");var m=`#!/bin/sh
file=$(grep -o '[^\` ]*findings-round-[0-9]*[.]md' | tail -n 1)
mkdir -p "\${file%/*}"
case $file in
  *round-1.md) printf '# Round 1 findings\\n\\n## High\\n- No way back when the migration stops halfway (make each step repeatable)\\n\\n## Low\\n- Name the owner of the roll-out (add a line)\\n' >"$file" ;;
  *) printf '# Round 2 findings\\n\\nNo substantive findings.\\n' >"$file" ;;
esac
echo "wrote $file"
`,d=`# Plan: move the sessions to Redis

1. Write to both stores.
2. Migrate.
3. Read from Redis.
`,w=`${d}
Each step can be repeated and undone.

## Changelog
- Round 1: every step made repeatable; the owner is named elsewhere.
`,g={about:"a plan is attacked in rounds by another model, under changing personas, until nothing material is left",programs:{codex:m},turns:[{does:"starts a plan loop on a topic full of quotes",act:async e=>{await e.cli(["claudex","plan","--rounds","3","--skip-interview"],`move "sessions" to Redis, it's $(urgent)`)},says:"I will draft the plan next."},{does:"drafts PLAN.md",act:e=>e.write("PLAN.md",d),says:"The draft is there."},{does:"runs the first round\u2019s reviewer, reads the findings, revises the plan",act:async e=>{await e.shell("sh .claude/claudex/*-runner.sh"),e.write("PLAN.md",w)},says:"I took over the finding about repeatable steps."},{does:"runs the second round, which finds nothing, and says so with `claudex done`",act:async e=>{await e.shell("sh .claude/claudex/*-runner.sh"),await e.cli(["claudex","done",y(e)])},says:"The reviewer has nothing material left."},{does:"passes the summary on to the user",act:()=>{},says:"The plan stood two rounds."}]};function y({root:e}){let n=r.readdirSync(o.join(e,".claude","claudex"));return o.basename(n.find(t=>t.endsWith(".state"))??"",".state")}0&&(module.exports={demo});
