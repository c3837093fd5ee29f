import { describe, expect, test } from 'vitest'
import { addressKind } from '../../src/network/address-kind.ts'

// The first and the last address of each range, and their neighbours outside.
type Row = readonly [kind: string, first: string, last: string, ...outside: string[]]
const RANGES: readonly Row[] = [
  ['unspecified', '0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['private', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['carrier-grade NAT', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['loopback', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['cloud metadata', '168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['link-local', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['private', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['reserved', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['documentation', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['tunnel', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['private', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['benchmark', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['documentation', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['documentation', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['multicast', '224.0.0.0', '239.255.255.255', '223.255.255.255'],
  ['reserved', '240.0.0.0', '255.255.255.255'],
  ['unspecified', '::', '::'],
  ['loopback', '::1', '::1'],
  ['IPv4-compatible', '::2', '::ffff:ffff'],
  ['discard', '100::', '100::ffff:ffff:ffff:ffff'],
  ['private', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['reserved', '400::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2000::'],
  ['tunnel', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::', '2001:200::'],
  ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7::1', '2001:db9::'],
  ['tunnel', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::', '2003::'],
  ['documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::', '3fff:1000::'],
  ['reserved', '4000::', 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::'],
  ['private', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['private', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
]

describe('an address is judged by its range', () => {
  test.each(RANGES)('%s: %s to %s', (kind, first, last, ...outside) => {
    expect([first, last].map(addressKind)).toEqual([kind, kind])
    expect(outside.map(addressKind)).toEqual(outside.map(() => 'public'))
  })
})

test.each([
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['0:0:0:0:0:ffff:a9fe:a9fe', 'link-local'],
  ['::ffff:8.8.8.8', 'public'],
  ['64:ff9b::10.0.0.1', 'private'],
  ['64:ff9b::808:808', 'public'],
  ['::127.0.0.1', 'IPv4-compatible'],
  ['2002:7f00:1::', 'tunnel'],
  ['::ffff:0:127.0.0.1', 'reserved'],
  ['fe80::1%eth0', 'link-local'],
])('an address inside another is judged by what it leads to: %s', (address, kind) => {
  expect(addressKind(address)).toBe(kind)
})

test.each(['', 'example.com', '127.1', '0x7f.0.0.1', '1.2.3.4.5', ':::', '[::1]'])('%j is no address', text => {
  expect(addressKind(text)).toBe('invalid')
})

test.each(['1.1.1.1', '8.8.8.8', '104.16.0.1', '2606:4700::1111', '2a00:1450:4001:81b::200e'])('%s is public', text => {
  expect(addressKind(text)).toBe('public')
})
