/** Wrong usage of the command line: exit code 2, with what to do instead. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
}
