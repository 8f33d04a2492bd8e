// Group 1: in a project without a run Holdfast is not there at all.

import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { claudePrint, codexExec, converse, run, saw, say, stageFor } from '../scenario.ts';

describe('1. no run', () => {
  it.for([claudePrint, codexExec])('has no effect and creates nothing ($mode)', async (host, context) => {
    const stage = await stageFor();
    stage.agent(run('ls -a'), say('There is nothing here.'));
    const played = await host.play(stage, 'What is in this folder?');
    expect(played.exitCode).toBe(0);
    expect(played.result).toBe('There is nothing here.');
    expect(played.notices.filter((line) => line.includes('Holdfast'))).toEqual([]);
    expect(stage.cast.of('agent')).toHaveLength(2);
    expect(fs.readdirSync(stage.root)).toEqual(['.git']);
    saw(context, host.mode, 'not held, the answer unchanged, no file created');
  });

  it('has no effect on several user turns (Claude Code stream-json)', async (context) => {
    const stage = await stageFor();
    stage.agent(say('One.'), say('Two.'));
    const conversation = converse(stage);
    expect((await conversation.say('Say one.')).result).toBe('One.');
    expect((await conversation.say('Say two.')).result).toBe('Two.');
    expect((await conversation.end()).notices).toEqual([]);
    expect(fs.readdirSync(stage.root)).toEqual(['.git']);
    saw(context, 'Claude Code stream-json', 'two turns, each ended with its own answer, no file created');
  });
});
