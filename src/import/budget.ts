// How much an import may bring. Counted while unpacking: headers lie.
import { ImportError, quote } from './import-error.ts'

export type ImportLimits = {
  /** Files, folders and links in all. Default: 10,000. */
  readonly entries: number
  /** Bytes of one file. Default: 50 MiB. */
  readonly fileBytes: number
  /** Bytes in all, unpacked; also the most that is downloaded. Default: 200 MiB. */
  readonly totalBytes: number
}

const MIB = 1024 * 1024
export const LIMITS: ImportLimits = { entries: 10_000, fileBytes: 50 * MIB, totalBytes: 200 * MIB }

export type Budget = {
  readonly limits: ImportLimits
  /** Counts one entry. Throws `TOO_LARGE`. */
  entry(): void
  /** Counts bytes of a file that has `size` bytes by now. Throws `TOO_LARGE`. */
  bytes(count: number, file: string, size: number): void
  readonly used: () => { readonly entries: number; readonly bytes: number }
}

export function createBudget(limits: ImportLimits): Budget {
  let entries = 0
  let bytes = 0
  return {
    limits,
    entry() {
      if (++entries > limits.entries) throw tooLarge(`The source has more than ${limits.entries} files and folders.`)
    },
    bytes(count, file, size) {
      bytes += count
      if (size > limits.fileBytes) throw tooLarge(`${quote(file)} is larger than ${mebibytes(limits.fileBytes)}.`)
      if (bytes > limits.totalBytes)
        throw tooLarge(`The source unpacks to more than ${mebibytes(limits.totalBytes)} (seen at ${quote(file)}).`)
    },
    used: () => ({ entries, bytes }),
  }
}

export function tooLarge(message: string): ImportError {
  return new ImportError('TOO_LARGE', message, 'Import only the folder you need: write //folder after the source.')
}

export function mebibytes(count: number): string {
  return count < MIB ? `${count} bytes` : `${Math.round(count / MIB)} MiB`
}
