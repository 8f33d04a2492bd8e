// A usage limit as each of the two APIs tells a subscriber of it. `resetsAt` is in seconds, as there.

import type { Reply } from './script.ts';

/** Claude Code (2.1.325) reads the headers: without them it is a limit like any other, and no reset is known. */
export function claudeLimit(resetsAt: number): Reply {
  const reset = String(resetsAt);
  return {
    fails: {
      status: 429,
      type: 'rate_limit_error',
      message: 'the scripted account has used up its five hours',
      headers: {
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-reset': reset,
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
        'anthropic-ratelimit-unified-5h-status': 'rejected',
        'anthropic-ratelimit-unified-5h-reset': reset,
        'anthropic-ratelimit-unified-5h-utilization': '1.0',
        'anthropic-ratelimit-unified-overage-status': 'rejected',
      },
    },
  };
}

export function codexLimit(resetsAt: number): Reply {
  return {
    fails: {
      status: 429,
      type: 'usage_limit_reached',
      message: 'the scripted account has used up its five hours',
      details: { plan_type: 'pro', resets_at: resetsAt },
    },
  };
}
