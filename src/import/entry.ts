/** One thing in a source, seen before anything of it is written. Readers make them, `writeTree` judges them. */
export type Entry =
  | { readonly type: 'folder'; readonly path: string }
  | {
      readonly type: 'file'
      readonly path: string
      readonly executable: boolean
      /** The bytes; asked for at most once, before the next entry. */
      readonly read: () => AsyncIterable<Uint8Array>
    }
  | { readonly type: 'link'; readonly path: string; readonly target: string }
  /** Never imported: a device, a FIFO, a hard link … */
  | { readonly type: 'other'; readonly path: string; readonly what: string; readonly hint: string }

/** What the upper bits of a Unix mode say a file is. */
export const FILE_TYPE = 0o170000
const SPECIAL = new Map([
  [0o010000, 'a FIFO'],
  [0o020000, 'a character device'],
  [0o060000, 'a block device'],
  [0o140000, 'a socket'],
])
export const LINK = 0o120000
export const FOLDER = 0o040000

/** What a file is that is neither regular, folder nor link. */
export const specialType = (mode: number): string | undefined => SPECIAL.get(mode & FILE_TYPE)

export const NO_SPECIAL_FILES = 'A skill consists of plain files; ask its author for a clean copy.'

/** Whether the owner may run it: the only part of a mode that is kept. */
export const isExecutable = (mode: number): boolean => (mode & 0o100) !== 0
