"use strict";var c=Object.defineProperty;var p=Object.getOwnPropertyDescriptor;var h=Object.getOwnPropertyNames;var m=Object.prototype.hasOwnProperty;var u=(e,t)=>{for(var s in t)c(e,s,{get:t[s],enumerable:!0})},k=(e,t,s,o)=>{if(t&&typeof t=="object"||typeof t=="function")for(let n of h(t))!m.call(e,n)&&n!==s&&c(e,n,{get:()=>t[n],enumerable:!(o=p(t,n))||o.enumerable});return e};var v=e=>k(c({},"__esModule",{value:!0}),e);var $={};u($,{demo:()=>S});module.exports=v($);var d=require("node:fs");var l=require("node:path");var a=".taskie/plans/greeting",f=`#!/bin/sh
for prompt; do :; done
file=$(printf '%s' "$prompt" | grep -o '/[^ ]*-review-[0-9]*[.]md' | head -n 1)
case $file in
  */plan-review-1.md) verdict=FAIL; printf '# Review\\n\\n1. It is not said which languages greet.\\n' >"$file" ;;
  *) verdict=PASS; printf '# Review\\n\\nNothing has to be changed.\\n' >"$file" ;;
esac
printf '{"type":"result","subtype":"success","is_error":false,"result":"{}","structured_output":{"verdict":"%s"}}\\n' "$verdict"
`,y=`# Greeting

## Overview

Greet the user in English and German.
`,w=`| Id | Status | Priority | Description | Test strategy |
| --- | --- | --- | --- | --- |
| 1 | STATUS | high | Greet | unit tests |
`,g=`# Task 1

### Subtask 1.1: Greet
- **Short description**: say hello
- **Status**: completed
`,S={about:"plan, tasks and code, each reviewed by a fresh reviewer until two in a row are clean",programs:{claude:f},turns:[{does:"writes the plan and records it",act:async e=>{e.write(`${a}/plan.md`,y),await r(e,"new-plan")},says:"The plan is written."},i("plan","answers the finding and records the post-review"),i("plan","notes that the second review was clean"),{does:"is asked to go on, and creates the tasks",act:async e=>{await e.cli(["taskie","next"]),e.write(`${a}/tasks.md`,w.replace("STATUS","pending")),e.write(`${a}/task-1.md`,g),await r(e,"create-tasks")},says:"The tasks are written."},i("tasks","notes that the review was clean"),{does:"is asked to go on, and implements task 1",act:async e=>{await e.cli(["taskie","next"]),e.write("greet.js",`export const greet = (name) => 'Hello ' + name;
`),e.write(`${a}/tasks.md`,w.replace("STATUS","done")),await r(e,"complete-task","--task","1")},says:"Task 1 is implemented."},i("code","notes that the code review was clean"),{does:"is asked to go on: no task is left, so all code is reviewed",act:async e=>{await e.cli(["taskie","next"])},says:"All tasks are done."},i("all-code","notes that the review of all code was clean"),{does:"is asked to go on, and closes the plan",act:async e=>{await e.cli(["taskie","next"]),await r(e,"complete")},says:"Everything is done."}]};function i(e,t){return{does:t,act:async s=>{s.write(`${a}/${T(s,e)}`,`# Post-review

What was asked for is done.
`),await r(s,`post-${e}-review`)},says:"The review is worked in."}}function T({root:e},t){let s=t==="code"?"task-1":t,o=d.readdirSync(l.join(e,a)).filter(n=>n.startsWith(`${s}-review-`));return`${s}-post-review-${o.length}.md`}async function r(e,t,...s){await e.cli(["taskie","record",...s,t])}0&&(module.exports={demo});
