// Which addresses are the public internet. Everything else is refused by name of its range, and so is what carries such
// an address inside (RFC 6890 and the registries that followed it).
import { isIPv4, isIPv6 } from 'node:net'

/** `public`, or why the address is not. What is no address at all is `invalid`. */
export function addressKind(address: string): string {
  if (isIPv4(address)) return kindOf4(bytesOf4(address))
  const [plain = ''] = address.split('%')
  return isIPv6(plain) ? kindOf6(bytesOf6(plain)) : 'invalid'
}

type Range = readonly [prefix: readonly number[], bits: number, kind: string]

const RANGES_4: readonly Range[] = [
  [[0], 8, 'unspecified'],
  [[10], 8, 'private'],
  [[100, 64], 10, 'carrier-grade NAT'],
  [[127], 8, 'loopback'],
  [[168, 63, 129, 16], 32, 'cloud metadata'],
  [[169, 254], 16, 'link-local'],
  [[172, 16], 12, 'private'],
  [[192, 0, 0], 24, 'reserved'],
  [[192, 0, 2], 24, 'documentation'],
  [[192, 88, 99], 24, 'tunnel'],
  [[192, 168], 16, 'private'],
  [[198, 18], 15, 'benchmark'],
  [[198, 51, 100], 24, 'documentation'],
  [[203, 0, 113], 24, 'documentation'],
  [[224], 4, 'multicast'],
  [[240], 4, 'reserved'],
]

/** The first that fits counts; only what lies in 2000::/3 and nowhere else here is public. */
const RANGES_6: readonly Range[] = [
  [[...zeros(15), 1], 128, 'loopback'],
  [zeros(16), 128, 'unspecified'],
  [zeros(12), 96, 'IPv4-compatible'],
  [[0, 0x64, 0xff, 0x9b, 0, 1], 48, 'private'],
  [[1, 0], 64, 'discard'],
  [[0x20, 0x01, 0x0d, 0xb8], 32, 'documentation'],
  [[0x20, 0x01, 0], 23, 'tunnel'],
  [[0x20, 0x02], 16, 'tunnel'],
  [[0x3f, 0xff, 0], 20, 'documentation'],
  [[0xfc], 7, 'private'],
  [[0xfe, 0x80], 10, 'link-local'],
  [[0xfe, 0xc0], 10, 'private'],
  [[0xff], 8, 'multicast'],
  [[0x20], 3, 'public'],
  [[], 0, 'reserved'],
]

/** Ranges that a router or the system itself turns into the IPv4 address in the last four bytes. */
const CARRIERS_OF_4: readonly Range[] = [
  [[...zeros(10), 0xff, 0xff], 96, 'mapped'],
  [[0, 0x64, 0xff, 0x9b, ...zeros(8)], 96, 'NAT64'],
]

function kindOf4(bytes: readonly number[]): string {
  return RANGES_4.find(range => isIn(range, bytes))?.[2] ?? 'public'
}

function kindOf6(bytes: readonly number[]): string {
  if (CARRIERS_OF_4.some(range => isIn(range, bytes))) return kindOf4(bytes.slice(12))
  return RANGES_6.find(range => isIn(range, bytes))![2]
}

function isIn([prefix, bits]: Range, bytes: readonly number[]): boolean {
  const whole = bits >> 3
  for (let i = 0; i < whole; i++) if (bytes[i] !== (prefix[i] ?? 0)) return false
  const mask = (0xff00 >> (bits & 7)) & 0xff
  return ((bytes[whole] ?? 0) & mask) === ((prefix[whole] ?? 0) & mask)
}

function bytesOf4(address: string): number[] {
  return address.split('.').map(Number)
}

function bytesOf6(address: string): number[] {
  const [before = '', after] = address.split('::')
  const head = groups(before)
  const tail = groups(after ?? '')
  return [...head, ...zeros(16 - head.length - tail.length), ...tail]
}

function groups(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap(group => {
    if (group.includes('.')) return bytesOf4(group)
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}

function zeros(count: number): number[] {
  return new Array<number>(count).fill(0)
}
