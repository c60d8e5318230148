import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { isReachable, readHost } from './address-policy.ts'
import { ownAddresses, ownAddressesOf } from './own-addresses.ts'

const own = () => new Set(['93.184.216.34', '2606:2800:220:1:0:0:0:1'])

const read = (text: string, allowed: readonly string[] = []) =>
  readHost(text, { pointer: '/host', port: 443, rules: { allowed, own } })

const refusedHosts = [
  ['loopback', '127.0.0.1', '127.8.9.10', '::1', '[::1]', '0:0:0:0:0:0:0:1'],
  ['loopback in other spellings', '127.1', '2130706433', '0177.0.0.1', '0x7f.0.0.1', '0x7f000001'],
  ['loopback in look-alike text', '１２７.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', '127.0.0.1.'],
  ['names of this machine', 'localhost', 'LOCALHOST', 'localhost.', 'localhost..', 'a.b.localhost'],
  ['names of this machine, again', 'ip6-localhost', 'localhost.localdomain', 'ｌocalhost'],
  ['this network', '0.0.0.0', '0', '0.1.2.3', '::'],
  ['private', '10.0.0.5', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd12:3456::1', 'fc00::1'],
  ['carrier NAT', '100.64.0.1', '100.127.255.254'],
  ['link-local', '169.254.1.1', 'fe80::1', 'fe80::1%eth0', '[fe80::1%25eth0]', 'fec0::1'],
  ['metadata', '169.254.169.254', '2852039166', '0xa9fea9fe', '100.100.100.200', 'fd00:ec2::254'],
  ['metadata by name', 'metadata.google.internal', 'Metadata.Google.Internal.'],
  ['multicast and broadcast', '224.0.0.1', '239.1.1.1', '255.255.255.255', 'ff02::1'],
  ['reserved', '192.0.0.8', '192.0.2.1', '198.18.0.1', '198.51.100.7', '203.0.113.1', '240.0.0.1'],
  ['reserved in IPv6', '2001:db8::1', '100::1', '4000::1', '3fff::1'],
  ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8'],
  ['IPv4-compatible', '::127.0.0.1', '::7f00:1', '::8.8.8.8'],
  ['NAT64', '64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1'],
  ['6to4 and Teredo', '2002:7f00:1::1', '2002:808:808::1', '2001:0:1::1'],
] as const

const tabled = refusedHosts.map(([kind, ...hosts]) => ({ kind, hosts }))

describe.each(tabled)('$kind', ({ hosts }) => {
  test.each(hosts)('%s is a forbidden host', (host) => {
    expect(read(host)).toMatchObject({ fault: { code: 'forbidden_host', pointer: '/host' } })
  })
})

const accepted = [
  ['proxy.example.com', 'proxy.example.com'],
  ['Proxy.EXAMPLE.com.', 'proxy.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['under_score.example', 'under_score.example'],
  ['gateway', 'gateway'],
  ['8.8.8.8', '8.8.8.8'],
  ['134744072', '8.8.8.8'],
  ['2606:4700:4700:0:0:0:0:1111', '2606:4700:4700::1111'],
  ['[2606:4700:4700::1111]', '2606:4700:4700::1111'],
  ['localhost.example.com', 'localhost.example.com'],
] as const

test.each(accepted)('%s is normalized to %s', (text, host) => {
  expect(read(text)).toEqual({ host })
})

const malformed = [
  '',
  ' ',
  'a b',
  'example.com:80',
  'user@example.com',
  'http://example.com',
  'example.com/path',
  'example.com?x',
  'a..b',
  '999.1.1.1',
  '1.2.3.4.5',
  '[::1]:80',
  '[127.0.0.1]',
  ':::',
  `${'a'.repeat(64)}.com`,
]

test.each(malformed)('"%s" is not a host', (text) => {
  expect(read(text)).toMatchObject({ fault: { code: 'invalid_format' } })
})

const subnets = ['127.0.0.0/8', '10.1.0.0/16', '192.168.7.7', 'fd00::/8', '169.254.0.0/16', '::/0']

const opened = ['127.0.0.1', 'localhost', '::ffff:10.1.2.3', '10.1.2.3', '192.168.7.7', 'fd00::5']

test.each(opened)('%s is allowed once its subnet is', (host) => {
  expect(read(host, subnets)).toHaveProperty('host')
})

const everywhere = [...subnets, '0.0.0.0/0', '64:ff9b::/96']
const neverOpened = [
  '169.254.169.254',
  '100.100.100.200',
  'fd00:ec2::254',
  '::ffff:169.254.169.254',
  '::a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  '2001:0:1:1:1:1:5601:5601',
  'metadata.google.internal',
]

test.each(neverOpened)('%s stays forbidden whatever is allowed', (host) => {
  expect(read(host, everywhere)).toMatchObject({ fault: { code: 'forbidden_host' } })
})

test('an allowed subnet allows only its own addresses', () => {
  expect(read('10.2.0.1', ['10.1.0.0/16'])).toHaveProperty('fault')
  expect(read('192.168.7.8', ['192.168.7.7'])).toHaveProperty('fault')
})

test('resolved addresses are checked like those in a body', () => {
  const at = (address: string) => isReachable({ address, port: 443 }, { allowed: [], own })
  expect(at('8.8.8.8')).toBe(true)
  expect(at('fe80::1%eth0')).toBe(false)
  expect(at('not an address')).toBe(false)
})

describe('an address of this machine', () => {
  const spellings = ['93.184.216.34', '1572395042', '2606:2800:220:1::1', '[2606:2800:220:1:0::1]']

  test.each(spellings)('%s is forbidden although it is public, unless it is allowed', (host) => {
    expect(read(host)).toMatchObject({ fault: { code: 'forbidden_host' } })
    expect(read(host, ['93.184.216.0/24', '2606:2800::/32'])).toHaveProperty('host')
  })

  test('follows the current network interfaces', () => {
    const all = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    const known = ownAddressesOf()()
    expect(known.size).toBeGreaterThan(0)
    for (const { address } of all) {
      expect(known).toContain(ipaddr.parse(address).toNormalizedString())
    }
    expect(ownAddresses()).toEqual(known)
  })

  test('is looked up only occasionally', () => {
    let asked = 0
    const own = ownAddressesOf(() => {
      asked += 1
      return {}
    })
    for (let at = 0; at < 100; at += 1) own()
    expect(asked).toBe(1)
  })
})

describe('a port', () => {
  const at = (host: string, port: number, allowed: readonly string[] = []) =>
    readHost(host, { pointer: '/host', port, rules: { allowed, own } })

  test.each([
    1, 22, 25, 53, 79, 81, 442, 444, 1023, 1433, 1521, 3306, 5432, 5984, 6379, 9042, 9200,
  ])('%i is forbidden at public addresses and names, unless the subnet is allowed', (port) => {
    for (const host of ['8.8.8.8', '2606:4700:4700::1111', 'db.example.com']) {
      expect(at(host, port)).toMatchObject({ fault: { code: 'forbidden_host' } })
    }
    expect(at('8.8.8.8', port, ['8.8.8.0/24'])).toHaveProperty('host')
    expect(at('8.8.8.8', port, ['10.0.0.0/8'])).toHaveProperty('fault')
    // The name's addresses are checked on connect.
    expect(at('db.example.com', port, ['10.0.0.0/8'])).toHaveProperty('host')
  })

  test.each([80, 443, 1024, 1080, 3128, 8080, 8443, 65535])('%i is allowed', (port) => {
    for (const host of ['8.8.8.8', 'proxy.example.com']) {
      expect(at(host, port)).toHaveProperty('host')
    }
  })
})
