// ULIDs, the ids in the topic log: 48 bits of time and 80 of chance in Crockford's base 32, so that they sort
// by time. By hand, since the package for it would cost every stop a quarter of node's start.

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export function ulid(now: number): string {
  let time = '';
  for (let rest = now, digit = 0; digit < 10; digit++, rest = Math.floor(rest / 32))
    time = digitOf(rest % 32) + time;
  let chance = '';
  for (let digit = 0; digit < 16; digit++) chance += digitOf(Math.floor(Math.random() * 32));
  return time + chance;
}

function digitOf(value: number): string {
  return DIGITS.charAt(value);
}
