// A loop's id: when it began and six hex digits. Checked strictly before it touches a path.

const ID = /^\d{8}-\d{6}-[0-9a-f]{6}$/;

export function isId(text: string): boolean {
  return ID.test(text) && !text.includes('\n');
}

/** `random` is a number from 0 up to 1, as Math.random gives it. */
export function newId(now: number, random: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  const suffix = Math.floor(random * 0x1000000)
    .toString(16)
    .padStart(6, '0');
  return `${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${suffix}`;
}
