"use strict";var me=Object.defineProperty;var Kn=Object.getOwnPropertyDescriptor;var Qn=Object.getOwnPropertyNames;var Yn=Object.prototype.hasOwnProperty;var Zn=(e,t)=>{for(var n in t)me(e,n,{get:t[n],enumerable:!0})},er=(e,t,n,r)=>{if(t&&typeof t=="object"||typeof t=="function")for(let i of Qn(t))!Yn.call(e,i)&&i!==n&&me(e,i,{get:()=>t[i],enumerable:!(r=Kn(t,i))||r.enumerable});return e};var tr=e=>er(me({},"__esModule",{value:!0}),e);var Ro={};Zn(Ro,{workflow:()=>So});module.exports=tr(Ro);var x=require("node:path");var{common:nr}=require("./hook.cjs"),$=e=>nr[e],_=$("take:67"),Pe=$("take:68");var je=$("take:70"),Ue=$("take:71"),He=$("take:72"),Je=$("take:73"),D=$("take:74"),Q=$("take:75");var N=$("take:77"),v=$("take:78");var{common:rr}=require("./hook.cjs"),ir=e=>rr[e],C=ir("take:171");var S=require("node:fs");var{common:or}=require("./hook.cjs"),sr=e=>or[e],h=sr("take:21");function qe(e){let t=e.find(n=>S.lstatSync(n,{throwIfNoEntry:!1})?.isSymbolicLink());if(t!==void 0)throw new _(`${t} is a link, and no reviewer is told to write through one; to fix it, run \`rm ${h(t)}\``)}var{common:ar}=require("./hook.cjs"),lr=e=>ar[e],Be=lr("take:1");function b(e,t){let n=Be(e).replace(/\s+/g," ").trim();if(n.length<=t)return n;let r=[...n];return r.length<=t?n:`${r.slice(0,t-1).join("")}\u2026`}var he=["high","medium","low"];function k(e){let t=typeof e=="string"?/^\s*[Ff]([1-9]\d{0,8})\s*$/.exec(e)?.[1]:void 0;return t===void 0?null:Number(t)}function Y(e,t){let n=e+1;for(;t.has(`F${n}`);)n++;return n}function Ge(e){let t=typeof e=="string"?e.trim().toLowerCase():"";return he.find(n=>n===t)??null}function Z(e,t){let n=he.indexOf(e.severity)-he.indexOf(t.severity);return n===0?(k(e.id)??0)-(k(t.id)??0):n}function ze(e,t){return e.review===t.review?!1:e.file!==null&&e.file===t.file||dr(e.claim).has(t.id)?!0:e.file===null&&t.file===null&&ur(e.claim,t.claim)}function dr(e){return new Set(Array.from(e.matchAll(/\bF[1-9]\d{0,8}\b/g),([t])=>t))}function ur(e,t){let[n,r]=[Xe(e),Xe(t)],i=[...n].filter(o=>r.has(o)).length;return i>0&&i*2>=n.size+r.size-i}function Xe(e){return new Set(e.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu)??[])}var cr=200,Ve=2e3,fr=300,pr=20;function ee(e,{list:t},n){let r=new Set(e.findings.filter(({review:d})=>d===n.review).map(ge)),i=e.findings.filter(({status:d})=>d!=="open"),o=new Set(e.findings.map(({id:d})=>d)),s=[],{last:a}=e;for(let d of t.slice(0,cr)){let l=Y(a,o),u=hr(d,n,l);r.has(ge(u))||(a=l,r.add(ge(u)),s.push({...u,earlier:wr(u,i)}))}return s.length===0?e:{...e,last:a,findings:[...e.findings,...s]}}var mr="(the reviewer gave no words for it)";function hr(e,{review:t,round:n,by:r,root:i},o){let{severity:s,line:a,claim:d,evidence:l}=e,u=b(l??"",Ve);return{id:`F${o}`,review:t,round:n,by:r,severity:s,file:gr(e.file,i),line:a!==null&&Number.isSafeInteger(a)&&a>0?a:null,claim:b(d,Ve)||u||mr,evidence:u===""?null:u,status:"open",answer:null,earlier:[],others:{}}}function gr(e,t){let n=b(e??"",fr).replaceAll("\\","/"),i=(n.startsWith(`${t}/`)?n.slice(t.length+1):n).replace(/^(?:\.\/+)+/,"").replace(/:\d+(?:[-:]\d+)?$/,"");return i===""?null:i}function wr(e,t){let n=[];for(let r=t.length-1;r>=0&&n.length<pr;r--){let i=t[r];i!==void 0&&ze(e,i)&&n.push(i.id)}return n.sort((r,i)=>(k(r)??0)-(k(i)??0))}function ge({severity:e,file:t,line:n,claim:r}){return JSON.stringify([e,t,n,r])}var te=class{#t;start;end;#r;#n=0;#e=0;#i=0;#o=0;constructor(t,n,r){this.#t=t,this.start=n,this.end=r,this.#r=n,this.#s()}get indent(){return this.#i}get isBlank(){return this.#o===this.end}rest(){return this.#t.slice(this.#o,this.end)}restRange(){return{start:this.#o,end:this.end}}skipCharacters(t){this.#n+=this.#i+t,this.#r=this.#o+t,this.#e=0,this.#s()}skipColumns(t){if(this.#i<t)return!1;let n=t;for(;n>0;){let r=this.#e>0?this.#e:this.#a(this.#n,this.#r),i=Math.min(r,n);this.#e=r-i,this.#n+=i,n-=i,this.#e===0&&this.#r++}return this.#s(),!0}#s(){let t=this.#n+this.#e,n=this.#e>0?this.#r+1:this.#r;for(;n<this.end&&(this.#t[n]===" "||this.#t[n]==="	");n++)t+=this.#a(t,n);this.#o=n,this.#i=t-this.#n}#a(t,n){return this.#t[n]==="	"?4-t%4:1}};function we(e,t){let n=t.flatMap(o=>xr(e,o)),r=br(n),i=[];for(let o=0;o<n.length;){let s=n[o],a=r[o],d=a===void 0?void 0:n[a];o++,!(s===void 0||d===void 0||a===void 0)&&(i.push({start:s.start,end:d.start+(d.kind==="ticks"?d.length:3)}),o=a+1)}return i}var yr=/\\[\\<]|\\?`+|<!(?=--)|-->/g;function xr(e,t){let n=[];for(let{0:r,index:i}of e.slice(t.start,t.end).matchAll(yr)){let o=t.start+i;r==="<!"?n.push({kind:"comment",start:o}):r==="-->"?n.push({kind:"comment-end",start:o}):r.startsWith("`")?n.push(Ke(o,r.length,r.length)):r.startsWith("\\`")&&n.push(Ke(o+1,r.length-1,r.length-2))}return n}function Ke(e,t,n){return{kind:"ticks",start:e,length:t,opening:n}}function br(e){let t=new Array(e.length).fill(void 0),n=new Map,r;for(let i=e.length-1;i>=0;i--){let o=e[i];switch(o?.kind){case"ticks":t[i]=o.opening>0?n.get(o.opening):void 0,n.set(o.length,i);break;case"comment":t[i]=r;break;case"comment-end":r=i;break;case void 0:break}}return t}function Ye(e){let t=new ye(e),n=/\r\n|\n|\r|$/g;for(let r=0;r<=e.length;){n.lastIndex=r;let i=n.exec(e)?.index??e.length;t.line(r,i),r=i+(e.startsWith(`\r
`,i)?2:1)}return t.finish()}var B={kind:"none"},vr=64,ye=class{#t;#r=[];#n=[];#e=B;constructor(t){this.#t=t}line(t,n){let r=new te(this.#t,t,n),i=this.#i(r),o=i===this.#n.length;if(o&&this.#o(r))return;(this.#e.kind==="fence"||this.#e.kind==="comment")&&(this.#e=B);let s=this.#s(r,i),a=!o&&!s&&this.#e.kind==="paragraph"&&Qe(r,!0,!0)==="text";!a&&!o&&!s&&this.#l(i),this.#a(r,a)}finish(){return this.#l(0),this.#r}#i(t){let n=0;for(let r of this.#n){if(!kr(r,t))break;n++}return n}#o(t){let n=this.#e;return n.kind!=="fence"&&n.kind!=="comment"?!1:(this.#u(t),(n.kind==="fence"?Sr(t,n.marker,n.length):t.rest().includes("-->"))&&(this.#e=B),!0)}#s(t,n){let r=!1;for(;;){let i=!r&&n===this.#n.length&&this.#e.kind==="paragraph";if(this.#n.length>=vr)return r;let o=$r(t,i);if(o===null)return r;r||this.#l(n),this.#n.push(o),r=!0}}#a(t,n){let r=this.#e.kind==="paragraph"?this.#e:null,i=Qe(t,r!==null,n);if(i==="text"&&r!==null){r.lines.push(t.restRange());return}switch(this.#d(),i){case"text":this.#e={kind:"paragraph",lines:[t.restRange()]};break;case"heading":this.#r.push(...we(this.#t,[t.restRange()]));break;case"fence":this.#u(t),this.#e=et(t.rest())??B;break;case"comment":this.#u(t),t.rest().includes("-->",2)||(this.#e={kind:"comment"});break;case"nothing":break}}#l(t){this.#d(),this.#n.length=t}#d(){this.#e.kind==="paragraph"&&this.#r.push(...we(this.#t,this.#e.lines)),this.#e=B}#u(t){this.#r.push({start:t.start,end:t.end})}};function kr(e,t){return e.kind==="quote"?Ze(t):t.isBlank?!e.bare:(e.bare=!1,t.skipColumns(e.indent))}function $r(e,t){if(e.indent>=4)return null;if(Ze(e))return{kind:"quote"};let n=e.rest();if(tt(n))return null;let r=/^(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)/.exec(n);if(r===null)return null;let i=/^[ \t]*$/.test(n.slice(r[0].length));if(t&&(i||r[1]!==void 0&&Number(r[1])!==1))return null;let o=e.indent;e.skipCharacters(r[0].length);let s=e.indent,a=i||s>4?1:s;return i||e.skipColumns(a),{kind:"item",indent:o+r[0].length+a,bare:i}}function Ze(e){return e.indent>=4||!e.rest().startsWith(">")?!1:(e.skipCharacters(1),e.indent>0&&e.skipColumns(1),!0)}function Qe(e,t,n){if(e.isBlank)return"nothing";if(e.indent>=4)return t?"text":"nothing";let r=e.rest();return et(r)!==null?"fence":r.startsWith("<!--")?"comment":Rr(r)?"heading":tt(r)||t&&!n&&/^(?:=+|-+)[ \t]*$/.test(r)?"nothing":"text"}function et(e){let t=/^(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(e),n=t?.[1]??t?.[2];return n===void 0?null:{kind:"fence",marker:n.charAt(0),length:n.length}}function Sr(e,t,n){if(e.indent>=4)return!1;let r=e.rest().trimEnd();return r.length>=n&&r===t.repeat(r.length)}function Rr(e){return/^#{1,6}(?:[ \t]|$)/.test(e)}function tt(e){return/^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(e)}var Lr=2e3;function nt(e){if(!/\bF\d/i.test(e)||!/fixed|rejected/i.test(e))return[];let t=Ye(e),n=[],r=0,i=!1;for(let o of e.matchAll(Er)){for(;(t[r]?.end??Number.POSITIVE_INFINITY)<=o.index;)r++;let s=t[r],a=o.index+o[0].search(/\S|$/),d=s!==void 0&&s.start<=a&&a<s.end,l=/^(?: {4}| {0,3}\t)/.test(o[0]);!l&&o[0].trim()!==""&&(i=Ar.test(o[0]));let u=d||l&&!i?null:Dr(o[0]);u!==null&&n.push(u)}return n}function xe(e,t){let n=new Map(t.map(r=>[r.id,r]));return n.size===0?e:{...e,findings:e.findings.map(r=>Cr(r,n.get(r.id)))}}function Cr(e,t){if(t===void 0||t.text===e.answer)return e;let{status:n,answer:r,...i}=e.others;return{...e,status:t.status,answer:t.text,others:i}}var Er=/[^\r\n]+/g,Ar=/^ {0,3}(?:[-*+\u2022]|\d{1,9}[.)])\s/,Or=new RegExp(["^[ \\t]*(?:#{1,6}[ \\t]+)?(?:(?:[-*+\\u2022]|\\d{1,4}[.)])[ \\t]+){0,3}(?:\\[[ xX]\\][ \\t]+)?","[*_[(]{0,4}(F[1-9]\\d{0,8})[*_\\])]{0,4}","[ \\t]*[:,\\u2013\\u2014-]?[ \\t]*[*_(]{0,4}(fixed|rejected)(?![\\p{L}\\p{N}_-])[*_)]{0,4}","[ \\t]*(?:[:,.;\\uff1a\\u2013\\u2014-][*_]{0,4})?(.*)$"].join(""),"iu");function Dr(e){let[,t="",n="",r=""]=Or.exec(e)??[],i=k(t);if(i===null)return null;let o=n.toLowerCase()==="fixed"?"fixed":"rejected",s=b(r,Lr);return o==="rejected"&&!Fr(s)?null:{id:`F${i}`,status:o,text:s}}function Fr(e){return/[\p{L}\p{N}]/u.test(e.replace(/<[^<>]*>/g,""))}var{common:Tr}=require("./hook.cjs"),_r=e=>Tr[e],p=_r("take:66");function f(e,t,n="message"){let r=new Set,i=e.replace(/\{\{([A-Za-z][A-Za-z0-9_]*)\}\}/g,(s,a)=>{let d=Object.hasOwn(t,a)?t[a]:void 0;if(d===void 0)throw new Error(`${n}: nothing was given for the slot {{${a}}}`);return r.add(a),String(d)}),o=Object.keys(t).filter(s=>!r.has(s));if(o.length>0)throw new Error(`${n}: has no slot for ${o.join(", ")}`);return i.trimEnd()}var{common:Nr}=require("./hook.cjs"),rt=e=>Nr[e],I=rt("take:152"),G=rt("take:153");function ot(e){let t=G(e.replace(/^\uFEFF/,""));if(!I(t)||!Array.isArray(t.findings))return null;let{last:n,findings:r,...i}=t,o=lt(r,typeof n=="number"?n:0,i);return Jr(o)?o:null}function st({last:e,findings:t,strays:n,others:r}){let i={...r,last:e,findings:[...t.map(Mr),...n]};return`${JSON.stringify(i,null,2)}
`}function at(e){let n=Array.from(e.matchAll(Wr),([o])=>G(o)).filter(o=>I(o)&&k(o.id)!==null),i=Array.from(e.matchAll(/\bF([1-9]\d{0,7})\b/g),o=>Number(o[1])).reduce((o,s)=>Math.max(o,s),0);return{...lt(n,i,{}),strays:[]}}var Wr=/\{(?:[^{}"]|"(?:\\.|[^"\\])*")*\}/g;function Mr(e){let{id:t,review:n,round:r,by:i,severity:o,file:s,line:a,claim:d,evidence:l,status:u,answer:w,earlier:c}=e;return{id:t,review:n,round:r,by:i,severity:o,file:s,line:a,claim:d,...l===null?{}:{evidence:l},status:u,...w===null?{}:{answer:w},...c.length===0?{}:{earlier:c},...e.others}}function lt(e,t,n){let r=e.map(Pr),i=r.flatMap(l=>[l?.id,...l?.earlier??[]].flatMap(u=>k(u)??[])),o=0;for(let l of[t,...i])Number.isSafeInteger(l)&&l<1e8&&(o=Math.max(o,l));let s=new Set(r.flatMap(l=>l?.id??[])),a=new Set,d=r.flatMap(l=>{if(l===null)return[];let u=l.id!==""&&!a.has(l.id);u||(o=Y(o,s));let w=u?l.id:`F${o}`;return a.add(w),{...l,id:w}});return{last:o,findings:d,strays:e.filter((l,u)=>r[u]===null),others:n}}function Pr(e){if(!I(e)||typeof e.claim!="string")return null;let t={},n=new Set(["id","claim"]),r=(o,s,a)=>{let d=Object.hasOwn(e,o)?e[o]:void 0,l=d==null?a:s(d);return l!==void 0&&n.add(o),l??a},i={id:dt(e.id)??"",review:r("review",W,""),round:r("round",it,null),by:r("by",W,null),severity:r("severity",o=>Ge(o)??void 0,"medium"),file:r("file",W,null),line:r("line",it,null),claim:e.claim,evidence:r("evidence",W,null),status:r("status",jr,"open"),answer:r("answer",W,null),earlier:r("earlier",Hr,[])};for(let[o,s]of Object.entries(e))n.has(o)||(t[o]=s);return{...i,others:t}}function jr(e){let t=W(e)?.trim().toLowerCase();return Ur.find(n=>n===t)}var Ur=["open","fixed","rejected"];function Hr(e){return Array.isArray(e)?e.flatMap(t=>dt(t)??[]):void 0}function dt(e){let t=k(e);return t===null?null:`F${t}`}var W=e=>typeof e=="string"?e:void 0,it=e=>typeof e=="number"&&Number.isSafeInteger(e)&&e>=0?e:void 0;function Jr({findings:e,strays:t,others:n}){try{return JSON.stringify([t,n,e.map(r=>r.others)]),!0}catch{return!1}}var ut="{{run}}: {{docket}} is not a file that Holdfast may write ({{why}}), so what reviewers list is in their reviews alone. Move it away: `mv {{quoted}} {{quoted}}.old`\n";var ct=`{{run}}: {{docket}} could not be understood, so it was set aside as {{aside}} and begun again, with {{salvaged}} finding(s) that could still be read in it and {{read}} from the reviews. To have the old one back, correct it and give it its name again.
`;function ft({severity:e,text:t,details:n}){let r=Xr(t),i=Gr.exec(r),[,o="",s,a=""]=i??[],d=n.map(l=>l.trim()).join(" ");return{severity:e,file:i===null?null:o,line:s===void 0?null:Number(s),claim:i===null?r:a,evidence:d===""?null:d}}var Gr=/^[`[(]*((?:[\w@.+-]+\/)*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,9})(?::(\d{1,7})(?:[-:\u2013]\d{1,7})?)?[`\])]*\s*(?::|\s[\u2013\u2014-])\s+(.+)$/;function Xr(e){return e.replace(/\s#+\s*$/,"").replace(/\*\*|__/g,"").replace(/^(?:\s|\d{1,3}[.):]\s|[\u2014\u2013:\])-]\s)+/,"").trim()}var ne=new Map([["critical","high"],["high","high"],["medium","medium"],["moderate","medium"],["low","low"],["minor","low"]]),be=new Set(["severity","priority","risk","impact","finding","findings","issue","issues"]);function re(e){let n=(e.toLowerCase().match(new RegExp("\\p{L}+","gu"))??[]).filter(r=>!be.has(r));return n.length===1?ne.get(n[0]??"")??null:null}function ie(e){let t=new RegExp("^(?:\\d{1,3}[.):]|[^\\p{L}\\p{N}])*(\\p{L}+)(?: (?:severity|priority|risk))?(.*)$","u").exec(e),n=ne.get(t?.[1]?.toLowerCase()??""),r=/^(?:\s*[\])]|[*_]+(?![\p{L}\p{N}])|\s*[:\uff1a\u2014\u2013]|\s+-+\s)(.*)$/u.exec(t?.[2]??"")?.[1];return n===void 0||r===void 0||P(r)||M(r)?null:{severity:n,rest:r}}function pt(e){let t=new RegExp("^\\s*(?:[-*+\\u2022]\\s+)?[*_]*(?:severity|priority)[*_]*\\s*[:\\uff1a][*_]*\\s*[^\\p{L}\\p{N}]{0,4}(\\p{L}+)(?![\\p{L}\\p{N}-])","iu").exec(e)?.[1];return ne.get(t?.toLowerCase()??"")??null}function M(e){let t=e.toLowerCase().match(/[\p{L}\p{N}]+/gu)??[];return t.some(n=>/^\d+$/.test(n))&&t.every(n=>/^\d+$/.test(n)||be.has(n)||ne.has(n))}var zr=/^(?:there (?:are|were|is) )?(?:none|nothing|nil|n a|no (?:substantive |material |further |other |new |high |medium |low )*(?:severity |priority )*(?:findings?|issues?))(?: (?:were|found|identified|noted|at this level|here|to report))*$/;function P(e){let t=e.toLowerCase().match(/[\p{L}\p{N}]+/gu)??[];return t.length===0||zr.test(t.join(" "))}function mt(e){return(e.toLowerCase().match(new RegExp("\\p{L}+","gu"))??[]).every(n=>be.has(n)||Vr.has(n))}var Vr=new Set("a all and code current details diff for list new notes of open other overview plan report review round summary the".split(" "));function ht(e,t){if(/^\s*\|[\s|:-]+$/.test(t)&&t.includes("-"))return null;let[n="",...r]=e.trim().replace(/^\||\|$/g,"").split("|"),i=re(n);return i===null||r.every(o=>P(o)||M(o))?null:{severity:i,rest:r.map(o=>o.trim()).filter(o=>o!=="").join(" | ")}}function oe(e){let t=null;return e.split(/\r\n|\n|\r/).filter(n=>{let r=/^ {0,3}(`{3,}|~{3,})/.exec(n)?.[1];return t===null&&r!==void 0?(t=r,!1):t===null?!0:(r?.startsWith(t)&&(t=null),!1)})}function gt(e){let t=/^ {0,3}(#{1,6})(.*)$/.exec(e);if(t!==null)return{text:t[2]??"",level:t[1]?.length??1,isHeading:!0};let n=/^\s*(?:[-*+]\s+)?(\*\*.*\*\*:?|__.*__:?|\w+:?)\s*$/.exec(e)?.[1];return n===void 0?null:{text:n,level:7,isHeading:!1}}function ve(e){return(/^[ \t]*/.exec(e)?.[0]??"").replaceAll("	","    ").length}function j(e){if(e.trim()==="")return null;let t=new ke,n=oe(e);for(let[r,i]of n.entries())t.line(i,n[r+1]??"");return t.finish().map(ft)}var ke=class{#t=se(null,0);#r=[];#n=null;#e=null;#i=null;#o=0;line(t,n){this.#o+=1;let r=gt(t);r?.isHeading&&r.level<=this.#t.level&&this.#s(se(null,0));let{finding:i}=this.#t,o=i!==null&&(!r?.isHeading||r.level>i);o||(this.#t.finding=null);let s=r===null?null:re(r.text);if(o)this.#a(t);else{if(!r?.isHeading&&this.#c(t))return;r!==null&&s!==null?this.#s(se(s,r.level)):r?.isHeading?this.#f(r):this.#p(t,n)}}finish(){return this.#s(se(null,0)),this.#r.sort((t,n)=>t.order-n.order)}#s(t){let{severity:n,bullets:r,headings:i,labelled:o,blocks:s}=this.#t,a=o>0?[]:s,d=r.length>0?r:i.length>0?i:a;n!==null&&this.#r.push(...d.map(l=>({...l,severity:n}))),this.#t=t,this.#n=this.#e=this.#i=null}#a(t){t.trim()!==""&&this.#n?.details.push(t)}#l(t,n={}){return this.#n={order:this.#o,text:t,details:[],...n},this.#n}#d({severity:t,rest:n}){this.#u(this.#l(n),t)}#u(t,n){let{order:r,text:i,details:o}=t;this.#r.push({order:r,severity:n,text:i,details:o}),this.#t.labelled+=1,this.#e=this.#i=null,this.#n=t}#c(t){let r=this.#i?.indent!==void 0&&ve(t)>this.#i.indent+1?this.#i:this.#e,i=r===null?null:pt(t);return r===null||i===null?!1:(r.level!==void 0&&(this.#t.finding=r.level),this.#u(r,i),!0)}#f({text:t,level:n}){let r=this.#t,i=ie(t);if(r.isInBlock=!1,r.severity===null&&(r.indent=null),i!==null){r.finding=n,this.#d(i);return}let o=this.#l(t,{level:n});r.headings.push(o),this.#e=r.severity===null&&n>1&&!mt(t)?o:null,this.#i=null}#p(t,n){let r=this.#t,i=r.isInBlock;r.isInBlock=t.trim()!=="";let o=/^\s*\|/.test(t),s=/^[ \t]*(?:[-*+\u2022]|\d{1,3}[.)])[ \t]+(.*)$/.exec(t)?.[1],a=o?ht(t,n):i?null:ie(t);!o&&s!==void 0?this.#m(t,s):a!==null?this.#d(a):this.#g(t,i)}#m(t,n){let r=this.#t,i=ie(n),o=ve(t);if(r.severity===null&&i===null){this.#h(t,n,o);return}r.indent=Math.min(r.indent??o,o),o>r.indent+1?this.#a(t):P(n)||M(n)?this.#n=null:i===null?r.bullets.push(this.#l(n)):this.#d(i)}#h(t,n,r){let i=this.#n?.indent;if(i!==void 0&&r>i+1){this.#a(t);return}this.#e?.details.push(t),this.#i=this.#l(n,{indent:r})}#g(t,n){let r=this.#t,i=P(t)||M(t);!n&&i&&(r.isInBlock=!1),!n&&!i&&r.severity!==null&&r.bullets.length===0&&r.headings.length===0?r.blocks.push(this.#l(t)):this.#a(t)}};function se(e,t){return{severity:e,level:t,bullets:[],headings:[],labelled:0,blocks:[],isInBlock:!1,indent:null,finding:null}}var wt={last:0,findings:[],strays:[],others:{}};var U="docket.json";function yt(e,t){let n={docket:wt,text:null,broken:null,refused:null},r=p(e.folder,U);if(S.lstatSync(r,{throwIfNoEntry:!1})?.isSymbolicLink())return{...n,refused:"it is a link"};let i;try{i=N(r,e.root)}catch(s){if(Q(s)||Je(s)||!(s instanceof _))throw s;return{...n,refused:s.message}}if(i===null)return n;let o=ot(i);return o===null?Kr(i,e,t()):{...n,docket:o,text:i}}function xt(e,t,n,r){let{text:i,broken:o,refused:s}=e,a=p(n.folder,U),d=`${n.shown}/${U}`;if(s!==null){let Vn={run:r,docket:d,why:s,quoted:h(a)};return{writes:[],notice:t.findings.length===0?null:f(ut,Vn,"not-kept")}}let l=st(t),w=(i===null?t.findings.length>0:l!==i)?[{kind:"replace",path:a,content:l}]:[];if(o===null||i===null)return{writes:w,notice:null};let c=`docket.broken-${C(i).slice(0,8)}.json`,y={kind:"replace",path:p(n.folder,c),content:i},pe={run:r,docket:d,aside:x.posix.join(n.shown,c),...o};return{writes:[y,...w],notice:f(ct,pe,"set-aside")}}function Kr(e,{root:t},n){let r=at(e),i=new Set(r.findings.map(({review:d})=>d)),o=r;for(let{text:d,...l}of n)i.has(l.review)||(o=ee(o,{list:j(d)??[]},{...l,root:t}));let s=r.findings.length,a={salvaged:s,read:o.findings.length-s};return{docket:o,text:e,broken:a,refused:null}}function F({root:e,env:t}){let n=$e(e,t),r=n===null||n==="unusable"?p(e,".claude/claudex"):n,i=v(r),o=n!==null&&n!=="unusable"&&!D(i??r,e);return{root:e,path:r,within:o?i??r:e,shared:o}}function $e(e,t){let n=t.CLAUDEX_STATE_DIR??"";if(n==="")return null;let r=x.resolve(e,n);try{let i=S.statSync(r,{throwIfNoEntry:!1});return i===void 0||i.isDirectory()?r:"unusable"}catch{return"unusable"}}function O(e,t){let n=r=>p(e.path,r);return{state:n(`${t}.state`),lock:n(`${t}.lock`),runner:n(`${t}-runner.sh`),prompt:n(`${t}-prompt.txt`),folder:n(t),heartbeat:p(n(t),"running"),findings:r=>p(n(t),`findings-round-${r}.md`),exit:r=>p(n(t),`exit-round-${r}`),output:r=>p(n(t),`output-round-${r}.txt`),review:p(e.root,`reviews/review-${t}.md`),proposedFixes:p(e.root,`reviews/proposed-fixes-${t}.md`)}}var H=e=>p(e.root,"PLAN.md"),ae=e=>p(e.path,"log"),bt=e=>p(e.path,"swept");function m(e,t){return D(t,e.root)?x.relative(e.root,t):t}function vt(e){let t=j(e);if(t===null)return null;let n={high:0,medium:0,low:0};for(let{severity:r}of t)n[r]+=1;return n}function kt({high:e,medium:t,low:n}){return`high=${e} medium=${t} low=${n}`}var{common:Ps}=require("./hook.cjs");var Qr=/^\d{8}-\d{6}-[0-9a-f]{6}$/;function R(e){return Qr.test(e)&&!e.includes(`
`)}function X(e){let t=Rt(e),n=o=>t.get(o)??"",r=E(n("started_at_epoch")),i=Date.parse(n("started_at"));return{mode:$t(n("mode"),Zr),phase:$t(n("phase"),ei),topic:Yr(n("topic").replaceAll("\0"," ")),round:E(n("round"))??1,maxRounds:E(n("max_rounds")),signal:ti.find(o=>o===n("decision_signal"))??"none",fromDraft:n("from_draft")==="true",interviewUsed:n("interview_used")==="true",repoRoot:n("repo_root"),startedAt:n("started_at"),startedAtMs:r!==null?r*1e3:Number.isNaN(i)?null:i}}function Se(e,t){return Rt(e).get(t)??null}function Rt(e){let t=new Map;for(let n of e.split(`
`)){let r=Et(n);r!==null&&!t.has(r)&&t.set(r,ni(n.slice(n.indexOf(":")+1).trim()))}return t}function z(e,t,n,r){let i=St(e,t,String(n));return t==="last_updated_at"?i:St(i,"last_updated_at",Re(r))}function Lt(e,t,n,r){return Se(e,"phase")===t?z(e,"phase",n,r):null}function Ct(e){return e==="done"||e==="cancelled"||e==="errored"}function Yr(e){return e.replace(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/g," ")}function Re(e){return`${new Date(e).toISOString().slice(0,19)}Z`}function E(e){return/^\d{1,10}$/.test(e)&&Number(e)>0?Number(e):null}var Zr=["plan","review"],ei=["drafting","reviewing","summarizing","done","cancelled","errored"],ti=["none","no-material-findings","max-reached"];function $t(e,t){return t.find(n=>n===e)??"unknown"}function Et(e){return/^\uFEFF?([A-Za-z_][\w-]*)[ \t]*:/.exec(e)?.[1]??null}function ni(e){if(!e.startsWith('"'))return e;let t=G(e);return typeof t=="string"?t:e}function St(e,t,n){let r=e.split(`
`),i=r.findIndex(d=>Et(d)===t),o=(r[Math.max(i,0)]??"").endsWith("\r")?"\r":"",s=`${t}: ${ri(n)}${o}`;return i>=0?r.with(i,s).join(`
`):`${e===""||e.endsWith(`
`)?e:`${e}${o}
`}${s}
`}function ri(e){return e.replace(/[\r\n]+/g," ")}function V(e,t){return N(O(e,t).state,e.within,oi)}var oi=4*1024*1024;function J(e){return Le(e.path).filter(t=>t.endsWith(".state")&&!t.startsWith(".")).map(t=>({name:t,time:Ue(p(e.path,t))})).sort((t,n)=>n.time-t.time||(t.name<n.name?1:-1)).map(({name:t})=>t.slice(0,-6))}function At(e){return J(e).find(t=>!R(t)||Tt(e,Ft(e,t)))??null}function Ot(e){return J(e).filter(R).map(t=>{let n=Ft(e,t);return{id:t,text:n,loop:X(n)}}).filter(({text:t})=>Tt(e,t))}function Le(e){try{return S.readdirSync(e)}catch(t){if(He(t,"ENOENT","ENOTDIR"))return[];throw t}}function Dt(e,t,n){Pe(ae(e),Ce(t,n),e.within)}function Ce(e,t){return`[${Re(e)}] ${t}`}function Ft(e,t){try{return V(e,t)??""}catch{return""}}function Tt(e,t){if(!e.shared)return!0;let n=Se(t,"repo_root")??"";return n===""||v(n)===e.root}var si=1e4;function _t(e,t,n,r){let i=ai(t.heartbeat);if(i===null||Math.abs(r-i)>si)return!1;let o=E((A(t.heartbeat,e.within)??"").trim());return o===null||o===n}function Nt(e,t){let n=Le(t.folder).map(i=>E(/^findings-round-(\d+)\.md$/.exec(i)?.[1]??"")).filter(i=>i!==null).sort((i,o)=>i-o),r=new Map;for(let i of n){let o=vt(A(t.findings(i),e.within)??"");o!==null&&r.set(i,o)}return r}function le(e,t,n){let r=(A(t.exit(n),e.within)??"").trim();return/^\d{1,3}$/.test(r)?Number(r):null}function de(e){let t=v(H(e));return t===null?null:A(t,x.dirname(t))}function A(e,t){try{return N(e,t)}catch(n){if(Q(n))throw n;return null}}function ai(e){return S.statSync(e,{throwIfNoEntry:!1})?.mtimeMs??null}function Mt(e){let{dir:t,files:n}=e,r=e.by.replace(/\/$/,""),i=[...e.rounds.keys()].filter(c=>c<=e.round),o=c=>({review:It(c),round:c,by:r,text:A(n.findings(c),t.within)??""}),s={folder:n.folder,root:t.within,shown:m(t,n.folder)},a=yt(s,()=>i.map(o)),d=nt(li(de(t)??"")),l=xe(a.docket,d),u=l.findings.reduce((c,{round:y})=>Math.max(c,y??0),0);for(let c of i.filter(y=>y>u||y===e.round)){let{text:y,...pe}=o(c);l=ee(l,{list:j(y)??[]},{...pe,root:t.root})}l=xe(l,d);let w=xt(a,l,s,`Claudex loop ${e.id}`);return{docket:l,review:It(e.round),...w}}var It=e=>`findings-round-${e}.md`;function li(e){let t=oe(e),n=t.findIndex(s=>/^ {0,3}#{1,6}\s*change ?log\b/i.test(s));if(n<0)return"";let r=Wt(t[n]??"")??1,i=t.slice(n+1),o=i.findIndex(s=>(Wt(s)??7)<=r);return(o<0?i:i.slice(0,o)).join(`
`)}function Wt(e){return/^ {0,3}(#{1,6})\s/.exec(e)?.[1]?.length??null}function di(e,t){return[...ui(e),...t==="review"?[p(e.root,"reviews")]:[]]}function Pt(e,t,n,r){let i=n==="review"?[t.review,t.proposedFixes]:[t.findings(r)];return{folders:[...di(e,n),t.folder],files:[t.runner,t.prompt,t.heartbeat,t.exit(r),t.output(r),...i]}}function ui({root:e,path:t}){let n=jt(t),r=n.findIndex(i=>{let o=v(i);return o!==null&&D(o,e)});return r===-1?[]:n.slice(r+1)}function jt(e){let t=x.dirname(e);return t===e?[e]:[...jt(t),e]}var{common:ci}=require("./hook.cjs"),fi=e=>ci[e],Ut=fi("take:4");function Ht({findings:e}){let t=n=>e.filter(r=>r.status===n).length;return{found:e.length,fixed:t("fixed"),rejected:t("rejected"),open:t("open"),contested:pi(e)}}function pi(e){let t=new Set(e.flatMap(({earlier:n})=>n));return e.filter(({id:n,status:r})=>r==="rejected"&&t.has(n))}function Jt({found:e,fixed:t,rejected:n,open:r}){return`${e} found: ${t} fixed, ${n} rejected, ${r} open`}var qt=`Open findings, the worst first ({{docket}} has them all):
{{list}}
Answer each in {{where}}, on a line of its own outside code: {{form}}. A rejection counts only with its reason.{{rest}}
`;var ue=10,hi=4200,gi=5;function Bt(e,t){let n=e.findings.filter(({status:c})=>c==="open").sort(Z),[r]=n,i=t.cut>0?` ${t.cut} more were listed than are read.`:"";if(r===void 0)return i.trim();let o=n.filter(({review:c})=>c!==t.review).map(({id:c})=>c),s=o.length>ue?` and ${o.length-ue} more`:"",a=`${o.slice(0,ue).join(", ")}${s}`,d=o.length===0?"":` Left without an answer before: ${a}.`,{docket:l,where:u}=t,w={docket:l,where:u,form:wi(r.id),rest:`${d}${i}`};return f(qt,{...w,list:Gt(e,l)},"open")}function wi(e){return`\`${e} fixed: <what you changed>\` or \`${e} rejected: <why>\``}function Gt(e,t){let n=e.findings.filter(({status:a})=>a==="open").sort(Z),r=new Map(e.findings.map(a=>[a.id,a])),i=[],o=0;for(let a of n.slice(0,ue)){let d=[`- ${Xt(a,240)}`,...vi(a,r)].join(`
`);if(o+=Buffer.byteLength(d)+1,o>hi&&i.length>0)break;i.push(d)}let s=n.length-i.length;return[...i,...s>0?[`- and ${s} more in ${t}`]:[]].join(`
`)}function Xt(e,t){let n=yi(e);return`${e.id} ${e.severity}${n===""?"":` ${n}`}: ${b(e.claim,t)}`}function yi({file:e,line:t}){return e===null?"":`${b(e,120)}${t===null?"":`:${t}`}`}function zt(e,t){let n=Gt(e,t);return[xi(e),...n===""?[]:[`Open, the worst first:
${n}`]].join(`

`)}function xi(e){if(e.findings.length===0)return"";let t=Ht(e),{contested:n}=t,r=`Findings: ${Jt(t)}.`;if(n.length===0)return r;let i=n.toSorted(Z).slice(0,gi).map(bi),o=n.length-i.length,s=o>0?` And ${o} more.`:"";return`${r} Contested, for you to judge (rejected by the agent, and raised again by a reviewer): ${i.join(" ")}${s}`}function bi(e){let t=b(e.answer??"",160);return`${Xt(e,160)} (rejected: ${t===""?"no reason is there":t}).`}function vi(e,t){return e.earlier.flatMap(i=>t.get(i)??[]).filter(({status:i})=>i!=="open").slice(-2).map(i=>{let o=b(i.answer??"",120),s=o===""?i.status:`${i.status}: ${o}`;return`  raised again; earlier ${i.id} (${b(i.claim,80)}) was ${s}`})}var{common:ki}=require("./hook.cjs"),Vt=e=>ki[e];var Kt=Vt("take:143");var Ee=Vt("take:147");var{common:$i}=require("./hook.cjs"),Qt=e=>$i[e],q=Qt("take:148");var Yt=Qt("take:150");function Ae({review:e}){let t=Ee(e.claudex)??Ee(Kt),n=Yt(t?.program??"");if(t===null||n===null)throw new Error(`${e.claudex} is no reviewer`);return{...t,title:n.title,install:n.install}}function Zt(e){return`HOLDFAST_DISABLE=1 ${(e.reviewer.program===q?Ri(e):Si(e)).map(h).join(" ")}`}function en({program:e}){return e===q?"hit your( [a-z0-9-]+)? limit|rejected \\(429\\)":"hit your usage limit"}function tn({reviewer:e,access:t,dir:n}){return e.program!==q||t!=="sandboxed"||!/\/\.claude(\/|$)/.test(n.path)?null:`${e.title} does not let a sandboxed reviewer write below .claude, where its findings go (${n.path}); set "review": {"access": "full"} or {"claudex": "codex/"} in your own holdfast.config.json, or CLAUDEX_STATE_DIR`}function Si({reviewer:e,access:t,dir:n}){let r=n.shared?["--add-dir",n.path]:[],i=t==="sandboxed"?["-s","workspace-write",...r]:["--dangerously-bypass-approvals-and-sandbox"],o=e.model===""?[]:["--model",e.model];return["codex","exec",...i,"--skip-git-repo-check","--disable","hooks",...o]}function Ri({reviewer:e,access:t,dir:n,expected:r}){let i=e.model===""?[]:["--model",e.model];return t==="full"?[q,"--print",...i,"--settings",'{"disableAllHooks":true}',"--dangerously-skip-permissions"]:[q,"--print",...i,"--safe-mode","--permission-mode","dontAsk","--tools","Read,Grep,Glob,Write","--allowedTools",...r.map(o=>`Edit(/${o})`),...n.shared?[`Read(/${n.path}/**)`]:[]]}function nn(e){let{files:t,dir:n,round:r,prompt:i,reviewer:o}=e,{program:s,title:a,install:d}=o,l=tn(e),u=Li(i);return`#!/bin/sh
# ${e.title}
# Written by Holdfast. It hands the prompt below to ${a}, waits for it and keeps its exit code.
echo ${h(e.title)}

round=${r}
deadline=${e.deadlineSeconds}
self=${h(t.runner)}
prompt=${h(t.prompt)}
folder=${h(t.folder)}
exit_file=${h(t.exit(r))}
output=${h(t.output(r))}

# Nothing that is there is written over: what is to be new is removed first.
set -C

finish() {
  rm -f "$exit_file"
  printf '%s\\n' "$1" >"$exit_file"
  rm -f "$folder/running"
  echo "Claudex: the reviewer ended with exit code $1."
  exit "$1"
}

# A link in the place of what is written here came with the repository, or was put there since, and may lead anywhere.
link_among() {
  for place in "$@"; do
    if [ -L "$place" ]; then
      printf 'Claudex: %s is a link, so nothing was reviewed. Remove it, then run this again.\\n' "$place" >&2
      return 0
    fi
  done
  return 1
}

refuse_linked_folders() {
  if link_among ${Oe(e.targets.folders)}; then exit ${K}; fi
}

refuse_linked_files() {
  if link_among ${Oe(e.targets.files)}; then finish ${K}; fi
}

cd ${h(n.root)} || exit 1
refuse_linked_folders
mkdir -p "$folder" || exit 1
refuse_linked_files
rm -f "$exit_file" "$prompt" "$output" "$folder/running"
if ! command -v ${s} >/dev/null 2>&1; then
  echo 'Claudex: ${s} was not found on PATH, so nothing was reviewed. Install it with \`${d}\`, then run this again.' >&2
  finish 127
fi
${l===null?"":`echo ${h(`Claudex: nothing was reviewed: ${l}.`)} >&2
finish ${Fe}
`}
cat >"$prompt" <<'${u}' || finish ${K}
${i}${u}

# A stop takes the runner for dead when its heartbeat is older than ten seconds.
beat() {
  [ -L "$folder/running" ] || printf '%s\\n' "$round" >|"$folder/running"
}

# The reviewer and all it started, listed before anything is ended: what lost its parent cannot be found any more.
tree_of() {
  printf '%s ' "$1"
  for child in $(ps -A -o pid= -o ppid= | while read -r pid parent; do [ "$parent" = "$1" ] && echo "$pid"; done); do
    tree_of "$child"
  done
}

end_reviewer() {
  tree=$(tree_of "$reviewer" 2>/dev/null)
  kill -s TERM $tree 2>/dev/null
  sleep 1
  kill -s KILL $tree 2>/dev/null
}

# Lives only as long as the runner does; says by its exit code why it ended the review.
watch_over() {
  left=$deadline
  while sleep 2; do
    left=$((left - 2))
    why=0
    kill -0 $$ || why=1
    [ -e "$self" ] || why=125
    [ "$left" -gt 0 ] || why=124
    if [ "$why" -ne 0 ]; then
      trap '' TERM
      end_reviewer
      [ "$why" -eq 1 ] && rm -f "$folder/running"
      exit "$why"
    fi
    beat
  done
}

interrupted() {
  trap '' INT TERM HUP
  kill -s KILL "$watcher" 2>/dev/null
  end_reviewer
  finish "$1"
}

refuse_linked_folders
refuse_linked_files
beat
${Zt(e)} <"$prompt" >"$output" 2>&1 &
reviewer=$!
watch_over </dev/null >/dev/null 2>&1 &
watcher=$!
trap 'interrupted 130' INT
trap 'interrupted 143' TERM
trap 'interrupted 129' HUP

wait "$reviewer"
code=$?
kill -s TERM "$watcher" 2>/dev/null
wait "$watcher" 2>/dev/null
case $? in
  124) code=124 && echo "Claudex: the review was ended, since it took longer than $deadline seconds." >&2 ;;
  125) code=125 && echo 'Claudex: the review was ended, since its loop was ended.' >&2 ;;
esac
# Its own words; it ends with 1 whatever its trouble was.
if [ "$code" -eq 1 ] && tail -n 15 "$output" | grep -qE ${h(en(o))}; then
  code=${De} && echo 'Claudex: ${a} is at its usage limit, so nothing was reviewed. Once that has ended, run this again.' >&2
fi
if [ "$code" -ne 0 ]; then
  printf 'Claudex: the last lines of %s:\\n' "$output" >&2
  tail -n 15 "$output" >&2
fi
for file in ${Oe(e.expected)}; do
  if [ -s "$file" ]; then printf 'Written: %s\\n' "$file"; else printf 'Not written: %s\\n' "$file"; fi
done
finish "$code"
`}var K=73,De=69,Fe=78,Oe=e=>e.map(h).join(" ");function Li(e){let t="PROMPTEOF";for(;e.includes(t);)t+="_";return t}function ce(e,{title:t,program:n}){let r=Ci.get(e)??`${t} failed, and the last lines of its output say why`;return`exit code ${e}: ${r.replace("TITLE",t).replace("PROGRAM",n)}`}var Ci=new Map([[0,"TITLE ended well, but wrote no findings"],[De,"TITLE is at its usage limit"],[K,"a link was in the place of what is written"],[Fe,"TITLE may not write its findings where they go"],[124,"it took longer than review.timeout allows"],[125,"its loop was ended"],[127,"PROGRAM was not found on PATH"],[129,"it was ended from outside"],[130,"it was ended from outside"],[137,"it was ended from outside"],[143,"it was ended from outside"]]);var rn=`### Claudex: plan loop complete

Topic: {{topic}}
Rounds: {{count}} of at most {{max}}. Elapsed: {{elapsed}}.

{{table}}

{{docket}}

{{verdict}} Tell the user in a few sentences what the plan is, what the rounds changed in it, and what was rejected and why. Then end your turn.
`;var on=`### Claudex: draft the plan first

{{what}}

Write the plan for this topic to \`{{plan}}\`: {{topic}}

Say what is to be built and why, the steps in order, what each one touches, how it is tested, how it is undone, and what is deliberately left out. Do not start building. Then end your turn: the first review round starts by itself.

To give the loop up instead: \`{{cli}} claudex cancel {{id}}\`
`;var sn="Run it in the background (`run_in_background: true`), since a review outlasts the time limit of a shell call. You may end your turn while it runs: you are woken when it has ended.\n";var an="Ask for escalated permission for this command: it starts {{reviewer}}, which needs the network. If it outlasts the shell call, wait for it with `{{cli}} claudex wait {{id}}`, as often as needed.\n";var ln="It can take several minutes. Start it in the background where your shell can do that, and wait for it with `{{cli}} claudex wait {{id}}`, as often as needed.\n";var dn="Claudex: no progress in {{holds}}, so the agent may stop. Outstanding in {{id}}: {{outstanding}}. To go on: `{{cli}} adopt claudex:{{id}}`. To end it: `{{cli}} claudex cancel {{id}}`\n";var un="### Claudex: review starting\n\n1. Run the reviewer: `sh {{runner}}`\n   {{how}}\n2. When it has ended, read `{{review}}` and `{{fixes}}`, tell the user what was found (or that the run was refused or failed), and end your turn. Apply a fix only if the user asked for that.\n";var cn="Claudex: the review {{id}} failed: {{missing}} was not written. {{how}} `{{cli}} claudex doctor` says whether {{reviewer}} can be run; `{{cli}} claudex review` starts another one.\n";var fn="Claudex: the review {{id}} still runs. It will be in {{review}}; `{{cli}} claudex wait {{id}}` waits for it.\n";var pn='### Claudex round {{round}} of {{max}}, {{label}}\n\n{{previous}}\n\n{{docket}}\n\n1. Run the reviewer: `sh {{runner}}`\n   {{how}}\n2. When it has ended, read `{{findings}}`. Go by that file, not by what the reviewer printed.\n3. Do the one of these that fits, then end your turn:\n   - If there are findings worth acting on, revise `PLAN.md` and note in its `## Changelog` section, for this round, what you took over and what you rejected and why. `{{cli}} findings --run claudex:{{id}}` gives each finding its id; a line `F7 fixed: <what>` or `F7 rejected: <why>` in that section answers one. The next round starts by itself.\n   - If nothing material was found, run `{{cli}} claudex done {{id}}`. The summary closes the loop.\n   - If it ended with exit code 69, {{reviewer}} is at its usage limit. No round is spent on that: ask the user when to go on (`{{cli}} ask "<question>"`), end your turn, and once you have an answer run the same command again.\n   - If the run was refused or wrote no findings file, the round counts as not reviewed: tell the user why.\n';var mn="Claudex: the review of round {{round}} ({{id}}) still runs, so this stop is allowed without spending a round. When it has ended, tell the agent to go on; `{{cli}} claudex status` shows how far it is.\n";var hn=`### Claudex: stopped at max rounds

Topic: {{topic}}
Rounds: {{count}} of {{max}}. Elapsed: {{elapsed}}.

{{table}}

{{docket}}

{{last}} Tell the user where the plan stands and that there are three ways on:

- revise \`PLAN.md\` by hand, with the open findings beside it;
- start another loop on this draft with more rounds: \`{{cli}} claudex plan --from-draft --rounds {{more}} < FILE\`, where FILE holds the topic (write it with your file tool: the user's words never go into a shell line);
- accept the plan as it is.

Choose none of them yourself. Then end your turn.
`;var gn=`### Claudex: stopped at max rounds

Topic: {{topic}}
Rounds: {{count}} of {{max}}. Elapsed: {{elapsed}}.

{{table}}

{{last}} More rounds alone would change nothing. Tell the user so plainly, with the exit codes above, and that there are three ways on:

- get the reviewer to run (\`{{cli}} claudex doctor\` says what is missing), then start another loop on this draft: \`{{cli}} claudex plan --from-draft < FILE\`, where FILE holds the topic (write it with your file tool: the user's words never go into a shell line);
- revise \`PLAN.md\` by hand;
- accept the plan as it is, unreviewed.

Choose none of them yourself. Then end your turn.
`;var wn=`Claudex: {{explained}}
`;var yn="### Claudex round {{round}}: the review is still running\n\nWait for it with `{{cli}} claudex wait {{id}}`; exit code 75 means that it still runs, so wait again. Then read `{{findings}}` and either revise `PLAN.md` or run `{{cli}} claudex done {{id}}`.\n";var xn=`The earlier angles have been covered once. Go deeper into the riskiest parts of the design, of its security and of its operation, and check whether what was revised since has opened new gaps.
`;var Te=`You will be on call for this. Look at how it is undone when it goes wrong, how anybody would notice that it went wrong, how it is rolled out in steps, what happens while old and new versions run side by side, which limits and timeouts are missing, and what the person woken at night finds to work with.
`;var bn=`You are responsible for security and for the integrity of the data. Look at who may do what and how that is enforced, at input nobody validates, at races and reordering, at what is left behind when a step fails half-way, at secrets and where they end up, at actions nobody could reconstruct afterwards, and at every way in which data could be lost, duplicated or silently wrong.
`;var vn=`You are a senior engineer who will have to live with this design. Look for flaws in the design itself, for assumptions that the repository or the outside world does not support, and for places where two competent people would build two different things from the same words. Ask of each step: what does it need to be true, who checks that, and what happens when it is not?
`;function L(e){if(e<=1)return{label:"Senior-engineer review",text:vn.trim()};if(e===2)return{label:"Security and data-integrity review",text:bn.trim()};let t="Ops and SRE review";return e===3?{label:t,text:Te.trim()}:{label:t,text:`${Te.trim()}

${xn.trim()}`}}var Xi=20;function kn(e){let{loop:t,maxRounds:n}=e,r=Math.min(t.round,n),i=Math.max(1,r-Xi+1),o=Array.from({length:r-i+1},(s,a)=>i+a).map(s=>`- Round ${s} (${L(s).label}): ${_e(e,s)}`);return(i>1?[`- Rounds 1 to ${i-1}: see their findings files`,...o]:o).join(`
`)}function _e({rounds:e,dir:t,files:n,reviewer:r},i){let o=e.get(i);if(o!==void 0)return kt(o);let s=le(t,n,i);return s===null?"not reviewed":`not reviewed (${ce(s,r)})`}function Ne({loop:e,maxRounds:t,rounds:n}){let r=Math.min(e.round,t),i=[...n.keys()].filter(o=>o<=r);return i.length===0?null:Math.max(...i)}function $n({loop:e,maxRounds:t,rounds:n}){let r=Math.min(e.round,t),i=[...n.keys()].filter(o=>o<=r);return i.length===0?"No review ran in this loop: nobody but its author has examined the plan. Say so plainly.":n.has(r)?i.length<r?`${r-i.length} of the rounds were not reviewed. Say so plainly.`:`The loop was declared done after the review of round ${r}.`:`Round ${r} was not reviewed, so nobody has examined the plan since round ${Math.max(...i)}. Say so plainly.`}function Sn(e,t){if(e===null)return"unknown";let n=Math.max(0,Math.round((t-e)/6e4));return n<1?"less than a minute":n<60?`${n} min`:`${Math.floor(n/60)} h ${n%60} min`}function Ie(e,t){let n=Array.from(e.slice(0,t*2+2));return n.length<=t?e:`${n.slice(0,t).join("")} \u2026`}var Rn={CLAUDEX_MAX_PLAN_ROUNDS:3,CLAUDEX_MAX_REVIEW_ROUNDS:3,CLAUDEX_STALE_MINUTES:15};function Ln(e,t){let n=[],r=o=>{let s=(t[o]??"").trim(),a=E(s);return s!==""&&a===null&&n.push(o),a??Rn[o]},i={planRounds:r("CLAUDEX_MAX_PLAN_ROUNDS"),reviewRounds:r("CLAUDEX_MAX_REVIEW_ROUNDS"),staleMinutes:r("CLAUDEX_STALE_MINUTES")};return $e(e,t)==="unusable"&&n.push("CLAUDEX_STATE_DIR"),{...i,bad:n}}function Cn(e){if(e==="CLAUDEX_STATE_DIR")return"CLAUDEX_STATE_DIR is not a folder; .claude/claudex is used.";let t=Object.entries(Rn).find(([n])=>n===e)?.[1];return`${e} is not a whole number above 0; ${t} is used.`}function fe(e,t,n){let r=zi[e.name];if(r===void 0)throw new Error(`claudex has no message ${e.name}`);return r(e.slots,t,n).replace(/\n{3,}/g,`

`)}var zi={draft:(e,t,{project:n})=>f(on,{what:Ki[String(e.plan)]??"",plan:m(t.dir,H(t.dir)),topic:Ie(t.loop.topic,400),cli:n.cli,id:t.id}),round:(e,t,n)=>{let r=Number(e.round);return f(pn,{round:r,max:e.max??0,label:L(r).label,previous:r>1?`**Previous round:** ${_e(t,r-1)}`:"",runner:h(t.files.runner),how:An(t,n),reviewer:t.reviewer.title,findings:m(t.dir,t.files.findings(r)),docket:Vi(t),cli:n.project.cli,id:t.id})},wait:(e,t,{project:n})=>f(yn,{round:e.round??0,findings:m(t.dir,t.files.findings(Number(e.round))),cli:n.cli,id:t.id}),complete:(e,t,{project:n})=>f(rn,{...On(t,n.now),docket:En(t),verdict:$n(t)}),stopped:(e,t,{project:n})=>{let r={...On(t,n.now),last:Qi(t),cli:n.cli};return Ne(t)===null?f(gn,r):f(hn,{...r,docket:En(t),more:t.maxRounds+2})},review:(e,t,n)=>f(un,{runner:h(t.files.runner),how:An(t,n),review:m(t.dir,t.files.review),fixes:m(t.dir,t.files.proposedFixes)}),"still-running":(e,t,{project:n})=>f(mn,{round:e.round??0,id:t.id,cli:n.cli}),"review-running":(e,t,{project:n})=>f(fn,{id:t.id,review:m(t.dir,t.files.review),cli:n.cli}),"review-missing":(e,t,{project:n})=>f(cn,{id:t.id,how:Yi(t),reviewer:t.reviewer.title,missing:`${m(t.dir,t.files.review)} or ${m(t.dir,t.files.proposedFixes)}`,cli:n.cli}),variables:e=>f(wn,{explained:String(e.names).split(" ").map(Cn).join(" ")}),released:(e,t,{project:n})=>f(dn,{id:t.id,outstanding:e.phase==="drafting"?"a draft in PLAN.md":`round ${e.round} of ${e.max}, ${L(Number(e.round)).label}`,holds:String(e.holds),cli:n.cli})};function Vi({docket:e,dir:t,files:n}){if(e===void 0)return"";let r=m(t,p(n.folder,U));return Bt(e.docket,{docket:r,where:"the `## Changelog` section of `PLAN.md`",review:e.review,cut:0})}function En({docket:e,dir:t,files:n}){return e===void 0?"":zt(e.docket,m(t,p(n.folder,U)))}var Ki={missing:"There is no `PLAN.md` yet.",empty:"`PLAN.md` is empty.",unchanged:"`PLAN.md` is still what it was before this loop began: replace it or revise it. (To have it reviewed as it is: cancel, and start again with `--from-draft`.)"};function Qi(e){let t=Math.min(e.loop.round,e.maxRounds),n=Ne(e);if(n===null)return"No round was reviewed, so nobody but its author has looked at the plan.";let r=`\`${m(e.dir,e.files.findings(n))}\``;return n===t?`The last findings are in ${r}.`:`Round ${t} was not reviewed, so nobody has looked at the plan as it is now. The last findings, those of round ${n}, are in ${r}.`}function Yi({dir:e,files:t,loop:n,reviewer:r}){let i=le(e,t,n.round);return i===null?"Its runner was not run to its end.":`Its runner ended with ${ce(i,r)}.`}function An(e,{stop:t,project:n}){let r={cli:n.cli,id:e.id};switch(Ut(t.client).longCommands){case"wakes":return f(sn,{});case"sandboxed":return f(an,{...r,reviewer:Zi(e)});default:return f(ln,r)}}function Zi({reviewer:{program:e,title:t}}){return e==="codex"?`another ${t}`:t}function On(e,t){return{topic:Ie(e.loop.topic,400),count:Math.min(e.loop.round,e.maxRounds),max:e.maxRounds,elapsed:Sn(e.loop.startedAtMs,t),table:kn(e)}}var Dn="The findings of round {{round}} are in `{{findings}}`. The author has revised PLAN.md since; its `## Changelog` says what was taken and what was rejected. Do not repeat what is settled. Do report a finding again that was dismissed without a reason that holds.\n";var Fn=`Round {{round}} ({{label}}) was not reviewed, so its questions are still open. Answer them too:

{{persona}}
`;var Tn=`# Adversarial plan review: {{label}}

{{persona}}

## Task

Read \`PLAN.md\` in the current folder, and as much of this repository as you need to check its claims. Argue against the plan: report what will fail, cost or surprise, not what is fine. Prefer a few findings you can defend to many you cannot. Change nothing: the only file you write is the findings file named below.

Topic: {{topic}}
Round: {{round}} of {{max}}

{{earlier}}

## Severity

- High: as written, the plan fails, loses data, opens a hole, or cannot be built.
- Medium: it works, but a foreseeable situation is missing or will be costly to repair later.
- Low: worth changing, but nothing breaks if it stays.

## Output

Write \`{{findings}}\` (make its folder if it is missing), in exactly this form, leaving out sections that would be empty:

\`\`\`
# Round {{round}} findings

## High
- description (recommendation)

## Medium
- description (recommendation)

## Low
- description (recommendation)
\`\`\`

When there is nothing material to report, write exactly this line under the title instead:

\`\`\`
No substantive findings.
\`\`\`
`;var _n=`# Diff review

You review a change before it is merged. You did not write it, and nobody has checked it yet.

## Task

Look at the current diff of this repository: what is staged (\`git diff --cached\`), what is not (\`git diff\`), and files that are not tracked yet (\`git status --porcelain --untracked-files=all\`; read those in full). Read as much of the surrounding code as you need. Look for what is wrong or will break: errors in logic, missing cases, races, security holes, data loss, misuse of an interface, tests that cannot fail. Leave taste aside. Do not change the code: the only files you write are the two named below.

## Output

Write \`{{review}}\` (make its folder if it is missing), in this form, leaving out sections that would be empty:

\`\`\`
# Review of the current diff

## High
- file:line: description (recommendation)

## Medium
- file:line: description (recommendation)

## Low
- file:line: description (recommendation)
\`\`\`

When there is nothing material to report, write exactly \`No substantive findings.\` under the title instead.

Write \`{{fixes}}\` too: for each finding, in the same order, the smallest change that resolves it, as a unified diff where that is possible. When there is nothing to fix, say so in one line.
`;function Nn(e,t,n){let r=L(t),i=f(Tn,{label:r.label,persona:r.text,topic:e.loop.topic,round:t,max:e.maxRounds,earlier:[...io(e,t),...oo(t,n)].join(`

`),findings:m(e.dir,e.files.findings(t))},"prompt-plan");return Wn(i)}function In({dir:e,files:t}){let n={review:m(e,t.review),fixes:m(e,t.proposedFixes)};return Wn(f(_n,n,"prompt-review"))}function io({dir:e,files:t,rounds:n},r){let i=[...n.keys()].filter(s=>s<r).at(-1);if(i===void 0)return[];let o={round:i,findings:m(e,t.findings(i))};return[f(Dn,o,"earlier-findings")]}function oo(e,t){return[1,2].filter(r=>r>=t&&r<e).map(r=>{let{label:i,text:o}=L(r);return f(Fn,{round:r,label:i,persona:o},"earlier-owed")})}function Wn(e){return`${e.replace(/\n{3,}/g,`

`)}
`}function Pn(e,t,n){let{dir:r,saved:i}=t,{now:o}=n.project,s=lo(e,t,o),a=e.round??t.loop.round,d=so(e,t,n);return d!==null&&(t.docket=d),{writes:[...d?.writes??[],...e.runner===void 0?[]:[uo(e.runner,t,n)],...e.cleanUp?ao(t.files):[],{kind:"append",path:ae(r),line:Ce(o,co(e.log,t,n))},...e.setAside?[Un(r,t.files.state,o)]:[],...s===t.text?[]:[{kind:"replace",path:t.files.state,content:s}]],within:r.within,stateHash:s===t.text&&!R(t.id)?C(t.id):C(s),saved:{...i,transcript:n.stop.transcriptPath??i.transcript,...e.waited==="held"?{waitHeld:a}:{},...e.waited==="notified"?{waitNotified:a}:{},warned:[...i.warned,...e.warned??[]]},...d?.notice?{notice:d.notice}:{}}}function so(e,t,{project:n}){if(!(e.round!==void 0||e.swap?.to==="summarizing")||t.loop.mode!=="plan")return null;let{id:i,dir:o,files:s,rounds:a,loop:d}=t;return Mt({id:i,dir:o,files:s,rounds:a,round:d.round,by:n.config.review.claudex})}function ao(e){return[e.runner,e.prompt,e.lock].map(t=>({kind:"remove",path:t}))}function lo(e,t,n){if(R(t.id)&&V(t.dir,t.id)!==t.text)throw Mn(t);let r=t.text;if(e.round!==void 0&&(r=z(r,"round",e.round,n)),e.signal!==void 0&&(r=z(r,"decision_signal",e.signal,n)),e.swap===void 0)return r;let i=Lt(r,e.swap.from,e.swap.to,n);if(i===null)throw Mn(t);return i}function Mn({files:e}){return new _(`${e.state} was changed by someone else during this stop and was left as it is`)}function uo(e,t,n){let{dir:r,files:i,loop:o}=t,{round:s}=e,{access:a,timeoutMs:d}=n.project.config.review,l=o.mode==="plan",u=Pt(r,i,l?"plan":"review",s);qe([...u.folders,...u.files]);let w=nn({title:l?`Claudex round ${s} of ${t.maxRounds}: ${L(s).label} (loop ${t.id})`:`Claudex round ${s}: Diff review (loop ${t.id})`,dir:r,files:i,round:s,prompt:l?Nn(t,s,e.owedFrom):In(t),targets:u,expected:l?[i.findings(s)]:[i.review,i.proposedFixes],access:a,reviewer:t.reviewer,deadlineSeconds:Math.ceil(d/1e3)});return{kind:"replace",path:i.runner,content:w,mode:493}}function jn(e,t){if(!e.shared)for(let n of J(e).filter(r=>!R(r))){let{state:r}=O(e,n);je(Un(e,r,t),e.within),Dt(e,t,`set aside ${Hn(e,r)}: ${Jn["malformed-id"]}`)}}function Un(e,t,n){return{kind:"move",from:t,to:x.join(bt(e),`${n}-${x.basename(t)}`)}}function co(e,t,n){if(e.answer==="hold"){let i=fe(e.message,t,n).replace(/\s+/g," ");return`hold ${t.id}: ${Array.from(i).slice(0,80).join("")}`}return`allow ${R(t.id)?t.id:Hn(t.dir,t.files.state)}: ${Jn[e.why]}`}var Hn=(e,t)=>JSON.stringify(m(e,t)),Jn={"malformed-id":"the name of this state file is no id; it was moved to swept/",elsewhere:"the stop came from a folder outside of repo_root","unknown-mode":"the state names no known mode","unknown-phase":"the state names no known phase","runner-in-background":"the runner runs in the background","runner-running":"the runner still runs","summary-given":"the summary was given; the loop is done",finished:"the loop is done","review-finished":"the review is done","review-missing":"the review is done, but its files are missing",cancelled:"the loop was cancelled",errored:"the loop ended in an error"};function qn(e,t){return yo(fo(e,t),t.unwarned)}function fo(e,t){if(t.id==="malformed")return{...g("malformed-id",{setAside:!0}),over:"cancelled"};if(t.cwd==="elsewhere")return g("elsewhere");switch(e.mode){case"plan":return po(e,t);case"review":return go(e,t);case"unknown":return g("unknown-mode")}}function po(e,t){let{round:n,maxRounds:r}=e;switch(e.phase){case"drafting":return t.plan!=="drafted"?T({name:"draft",slots:{plan:t.plan}}):T({name:"round",slots:{round:n,max:r}},{swap:{from:"drafting",to:"reviewing"},runner:{round:n,owedFrom:n}});case"reviewing":return mo(e,t);case"summarizing":return g("summary-given",{swap:{from:"summarizing",to:"done"},cleanUp:!0});case"done":return g("finished",{cleanUp:!0});case"cancelled":case"errored":return g(e.phase);case"unknown":return g("unknown-phase")}}function mo({round:e,maxRounds:t,signal:n},r){let i={from:"reviewing",to:"summarizing"};return n==="no-material-findings"?T({name:"complete",slots:{round:e,max:t}},{swap:i}):r.runner!=="idle"?ho(e,r):e+1>t?T({name:"stopped",slots:{round:e,max:t}},{swap:i,signal:"max-reached"}):T({name:"round",slots:{round:e+1,max:t}},{round:e+1,runner:{round:e+1,owedFrom:r.lastReviewed+1}})}function ho(e,t){return t.runner==="in-background"?{...g("runner-in-background"),quiet:!0}:t.waited==="no"?T({name:"wait",slots:{round:e}},{waited:"held"}):t.waited==="notified"?g("runner-running"):g("runner-running",{waited:"notified"},{name:"still-running",slots:{round:e}})}function go(e,t){switch(e.phase){case"reviewing":return T({name:"review",slots:{}},{swap:{from:"reviewing",to:"done"},runner:{round:e.round,owedFrom:e.round}});case"done":return wo(t);case"cancelled":case"errored":return g(e.phase);case"drafting":case"summarizing":case"unknown":return g("unknown-phase")}}function wo(e){if(e.runner==="in-background")return{...g("runner-in-background"),quiet:!0};if(e.runner==="running")return e.waited==="notified"?g("runner-running"):g("runner-running",{waited:"notified"},{name:"review-running",slots:{}});switch(e.reviewFiles){case"written":return g("review-finished",{cleanUp:!0});case"missing":return g("review-missing",{cleanUp:!0},{name:"review-missing",slots:{}});case"unread":return g("finished",{cleanUp:!0})}}function T(e,t={}){return{kind:"hold",message:e,notice:null,change:{log:{answer:"hold",message:e},...t}}}function g(e,t={},n=null){return{kind:"allow",notice:n,change:{log:{answer:"allow",why:e},...t}}}function yo(e,t){let n=e.kind==="allow"&&e.quiet===!0;if(t.length===0||e.notice!==null||e.change===null||n)return e;let r={name:"variables",slots:{names:t.join(" ")}};return{...e,notice:r,change:{...e.change,warned:t}}}function Me(e){let t=I(e)?e:{};return{plan:typeof t.plan=="string"?t.plan:null,waitHeld:We(t.waitHeld),waitNotified:We(t.waitNotified)??We(t.waitTold),transcript:typeof t.transcript=="string"?t.transcript:null,warned:Array.isArray(t.warned)?t.warned.filter(n=>typeof n=="string"):[]}}var We=e=>typeof e=="number"?e:null;function Bn(e){let{project:t,run:n}=e,r=F(t);if(!R(n))return J(r).includes(n)?xo(e,r):null;let i=V(r,n);if(i===null)return null;let o=O(r,n),s=X(i),a=Ln(t.root,t.env),d=s.maxRounds??(s.mode==="review"?a.reviewRounds:a.planRounds),l=Me(e.saved),u=Nt(r,o),w=Ae(t.config),c={id:n,dir:r,files:o,text:i,loop:s,maxRounds:d,rounds:u,saved:l,reviewer:w};return{world:c,state:Gn(c),facts:{id:"valid",cwd:bo(e,s)?"elsewhere":"inside",plan:s.mode==="plan"&&s.phase==="drafting"?vo(c):"unread",runner:ko(e,c),waited:l.waitNotified===s.round?"notified":l.waitHeld===s.round?"held":"no",lastReviewed:Math.max(0,...[...c.rounds.keys()].filter(y=>y<=s.round)),reviewFiles:s.mode==="review"?$o(c):"unread",unwarned:a.bad.filter(y=>!l.warned.includes(y))},stateHash:C(i)}}function xo(e,t){let n=O(t,e.run),r=X(""),i=Me(e.saved),o=Ae(e.project.config),s={text:"",maxRounds:1,rounds:new Map},a={id:e.run,dir:t,files:n,loop:r,saved:i,reviewer:o,...s};return{world:a,state:Gn(a),facts:{id:"malformed",cwd:"inside",plan:"unread",runner:"idle",waited:"no",lastReviewed:0,reviewFiles:"unread",unwarned:[]},stateHash:C(e.run)}}function Gn({loop:e,maxRounds:t}){let{mode:n,phase:r,round:i,signal:o}=e;return{mode:n,phase:r,round:i,maxRounds:t,signal:o}}function bo({project:e,stop:t},{repoRoot:n}){let r=n===""?e.root:v(n),i=(t.cwd===null?null:v(t.cwd))??e.root;return r===null||!D(i,r)}function vo({dir:e,loop:t,saved:n}){let r=de(e);return r===null?"missing":r.trim()===""?"empty":!t.fromDraft&&n.plan===C(r)?"unchanged":"drafted"}function ko({project:e,stop:t},{id:n,dir:r,files:i,loop:o}){return t.backgroundTasks.some(({command:s})=>s?.includes(`${n}-runner.sh`))?"in-background":_t(r,i,o.round,e.now)?"running":"idle"}function $o({dir:e,files:t,loop:n}){return n.phase==="done"&&A(t.runner,e.within)===null?"unread":[t.review,t.proposedFixes].every(i=>(A(i,e.root)??"").trim()!=="")?"written":"missing"}function Xn(e){return At(F(e))}function zn(e){return Ot(F(e)).filter(({loop:t})=>!Ct(t.phase)).map(({id:t})=>({run:`claudex:${t}`,adopt:`${e.cli} adopt claudex:${t}`}))}var So={name:"claudex",guard:{unmoved:3,tools:12},disabled:()=>!1,newestRun:Xn,unfinishedRuns:zn,putAway:e=>jn(F(e),e.now),observe:Bn,decide:qn,commit:Pn,asksForReview:({runner:e})=>e!==void 0,artifacts:({dir:e,files:t,rounds:n})=>[H(e),...Array.from(n.keys(),r=>t.findings(r))],say:fe,released:({phase:e,round:t,maxRounds:n},r,i)=>({name:"released",slots:{phase:e,round:t,max:n,holds:i}})};0&&(module.exports={workflow});
