import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, deflateRawSync, gzipSync } from 'node:zlib'
import { skillMd } from './folders.ts'

export type ArchiveEntry = {
  readonly name: string
  readonly text?: string
  readonly mode?: number
  readonly type?: 'file' | 'folder' | 'link' | 'hardlink' | 'fifo' | 'device' | 'unknown'
  readonly target?: string
  /** Repeats the entry; the name has a `%d`. */
  readonly times?: number
}

const MAKER = join(import.meta.dirname, '../import/fixtures/make-archive.py')

/** Makes a real archive with Python's libraries, which write whatever they are told. */
export function makeArchive(file: string, entries: readonly ArchiveEntry[]): string {
  makeArchives([{ file, entries }])
  return file
}

export function makeArchives(requests: readonly { file: string; entries: readonly ArchiveEntry[] }[]): void {
  execFileSync('python3', [MAKER], { input: JSON.stringify(requests) })
}

/** A good skill as archive entries. */
export function skillEntries(name: string, body?: string): ArchiveEntry[] {
  return [
    { name: `${name}/SKILL.md`, text: skillMd(name, '', body) },
    { name: `${name}/scripts/run.sh`, text: '#!/bin/sh\n# Runs.\necho hi\n', mode: 0o755 },
  ]
}

/** Deflated zeros without end: one flushed block of a mebibyte, again and again. */
function deflatedZeros(mebibytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH })
  const last = deflateRawSync(Buffer.alloc(0))
  return Buffer.concat([...Array.from({ length: mebibytes }, () => block), last])
}

/** A tar.gz whose one file is that many mebibytes of zeros. */
export function makeTarBomb(file: string, mebibytes: number, declared = mebibytes * 1024 * 1024): string {
  const start = deflateRawSync(tarHeader('bomb/SKILL.md', declared), { finishFlush: constants.Z_FULL_FLUSH })
  const gzipHeader = gzipSync('').subarray(0, 10)
  writeFileSync(file, Buffer.concat([gzipHeader, start, deflatedZeros(mebibytes), Buffer.alloc(8)]))
  return file
}

/** A tar.gz with that many empty files in a folder. */
export function makeTarCrowd(file: string, folder: string, count: number): string {
  const headers = Array.from({ length: count }, (_, i) => tarHeader(`${folder}/${i}`, 0))
  writeFileSync(file, gzipSync(Buffer.concat([...headers, Buffer.alloc(1024)])))
  return file
}

function tarHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(512)
  header.write(name)
  header.write('0000644\0', 100)
  header.write('0000000\0'.repeat(2), 108)
  header.write(`${size.toString(8).padStart(11, '0')} `, 124)
  header.write('00000000000 ', 136)
  header.write('        0', 148)
  header.write('ustar\x0000', 257)
  let sum = 0
  for (let i = 0; i < header.length; i++) sum += header[i]!
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** A zip whose one file is that many mebibytes of zeros, whatever its headers say. */
export function makeZipBomb(file: string, mebibytes: number, declared: number): string {
  const data = deflatedZeros(mebibytes)
  const name = Buffer.from('bomb/SKILL.md')
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(8, 4)
  common.writeUInt32LE(data.length, 14)
  common.writeUInt32LE(declared, 18)
  common.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name])
  const central = Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), common, Buffer.alloc(14), name])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length + data.length, 16)
  writeFileSync(file, Buffer.concat([local, data, central, end]))
  return file
}
