"use strict";var n=Object.defineProperty;var i=Object.getOwnPropertyDescriptor;var d=Object.getOwnPropertyNames;var r=Object.prototype.hasOwnProperty;var c=(t,e)=>{for(var s in e)n(t,s,{get:e[s],enumerable:!0})},f=(t,e,s,a)=>{if(e&&typeof e=="object"||typeof e=="function")for(let o of d(e))!r.call(t,o)&&o!==s&&n(t,o,{get:()=>e[o],enumerable:!(a=i(e,o))||a.enumerable});return t};var l=t=>f(n({},"__esModule",{value:!0}),t);var u={};c(u,{demo:()=>w});module.exports=l(u);var h=["red=0","for test in *.test; do",'  [ -e "$test" ] || continue','  if [ -e "${test%.test}.code" ]; then echo "ok     $test"; else echo "not ok $test"; red=1; fi',"done","exit $red"].join(`
`),w={about:"a team's own loop (here the built-in tdd): a failing test, the code for it, a clean-up, and round again",programs:{},config:{checks:{test:{run:h,timeout:15}}},turns:[{does:"starts the flow tdd and writes a failing test",act:async t=>{await t.cli(["flow","start","tdd"],"a word count"),t.write("empty-text.test",`counts no words in an empty text
`)},says:"The first test is there, and it fails."},{does:"writes the code for it",act:t=>t.write("empty-text.code",`return 0
`),says:"It passes."},{does:"cleans up",act:()=>{},says:`Nothing to clean up.

<flow>clean</flow>`},{does:"has nothing left to test",act:()=>{},says:`That was all of it.

<flow>finished</flow>`}]};0&&(module.exports={demo});
