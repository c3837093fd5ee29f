const LINE_END = 10

/** Gives whole lines of a byte stream; `push` is false when one is longer than `maxBytes`. Each byte is copied once. */
export function createLineReader(maxBytes: number, onLine: (line: string) => void): { push(chunk: Buffer): boolean } {
  let parts: Buffer[] = []
  let size = 0
  return {
    push(chunk) {
      let start = 0
      for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
        parts.push(chunk.subarray(start, end))
        const line = Buffer.concat(parts).toString('utf8')
        parts = []
        size = 0
        start = end + 1
        if (line.trim()) onLine(line)
      }
      if (start < chunk.length) parts.push(chunk.subarray(start))
      size += chunk.length - start
      return size <= maxBytes
    },
  }
}
