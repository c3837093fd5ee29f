/** Whether a timer can hold this many milliseconds. */
export function isTimeLimit(ms: number): boolean {
  return ms > 0 && ms < 2 ** 31
}
