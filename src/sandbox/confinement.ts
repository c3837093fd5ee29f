import type { Limits } from '../types.ts'

/** The box one program runs in, as plain data. All paths are real and absolute; of two that overlap the deeper one counts. */
export type Confinement = {
  /** Readable: files or folders. What the system and the program itself need is added. */
  readonly read: readonly string[]
  /** Readable and writable. One that lies in another still gets a mount of its own: what is mounted cannot be renamed away. */
  readonly write: readonly string[]
  /** Folders that are shown empty although they lie in something readable. */
  readonly hide: readonly string[]
  /** Readable at most, never writable nor creatable, whether they exist or not. Wins over `write`; a deeper `hide` still hides. */
  readonly protect: readonly string[]
  /** `proxySocket`: only through the proxy that listens there. */
  readonly network: 'none' | 'all' | { readonly proxySocket: string }
  readonly limits: Pick<Limits, 'memoryMb' | 'processes' | 'fileMb' | 'writtenMb' | 'tempMb'>
}
