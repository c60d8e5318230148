import { expect, onTestFinished, test } from 'vitest'
import { nameServer, type Zone } from '../../test/support/machines/name-server.ts'
import { type EgressSettings, openEgress } from './connect.ts'
import { withPublicHost } from './own-addresses.ts'
import { askNameServers, hedged, type Resolve } from './resolver.ts'

function egressWith(settings: Partial<EgressSettings> = {}) {
  const egress = openEgress({ allowed: [], ...settings })
  onTestFinished(egress.close)
  return { goTo: (url: string) => egress.destinationOf(new URL(url)) }
}

async function dns(zone: Zone) {
  const server = await nameServer(zone)
  onTestFinished(server.close)
  return { ...server, resolve: askNameServers([server.address]) }
}

const to =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses

const refused = { fault: { kind: 'forbidden_address' } }

/** The answer for any unusable name: a distinct one would reveal the internal network. */
const message = 'the name hooks.test has no address that may be reached from here'
const nowhere = { fault: { kind: 'dns', message } }

const literals = [
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://0x7f.1/',
  'http://127.1:8080/',
  'http://localhost./',
  'http://a.localhost/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a00:1]/',
  'http://[64:ff9b::10.0.0.1]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[2002:a00:1::]/',
  'http://[2001:0:1::1]/',
  'http://[fe80::1]/',
  'http://0/',
  'http://100.64.1.1/',
  'http://169.254.169.254/',
  'http://metadata.google.internal/',
]

test.each(literals)('nothing connects to %s, and no name server is asked', async (url) => {
  const { resolve, questions } = await dns(() => ['93.184.216.34'])
  expect(await egressWith({ resolve }).goTo(url)).toMatchObject(refused)
  expect(questions).toEqual([])
})

const resolved = [
  '127.0.0.1',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.1.1',
  '224.0.0.1',
  '240.0.0.1',
  '::1',
  '::',
  'fe80::1%eth0',
  'fc00::1',
  'ff02::1',
  '::ffff:10.0.0.1',
  '::10.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::10.0.0.1',
  '2002:a00:1::1',
  '2001:0:1::1',
  'no address',
]

test.each(resolved)('a name that resolves to %s is refused', async (address) => {
  const { goTo } = egressWith({ resolve: to(address) })
  expect(await goTo('https://hooks.test/')).toEqual(nowhere)
})

test('one forbidden address among public ones forbids the name', async () => {
  const { resolve } = await dns(() => ['93.184.216.34', '10.0.0.1'])
  expect(await egressWith({ resolve }).goTo('https://hooks.test/')).toEqual(nowhere)
})

test('a private IPv6 address beside a public IPv4 one forbids the name', async () => {
  const { resolve, questions } = await dns(() => ['93.184.216.34', 'fd00::1'])
  expect(await egressWith({ resolve }).goTo('https://hooks.test/')).toEqual(nowhere)
  expect(questions.toSorted()).toEqual(['A hooks.test', 'AAAA hooks.test'])
})

test('a name that rebinds is refused at once, whatever its TTL was', async () => {
  const { resolve } = await dns((_, count) => [count === 1 ? '93.184.216.34' : '127.0.0.1'])
  const { goTo } = egressWith({ resolve })
  expect(await goTo('https://hooks.test:8443/a')).toEqual({
    origin: 'https://hooks.test:8443',
    addresses: ['93.184.216.34'],
  })
  expect(await goTo('https://hooks.test:8443/a')).toEqual(nowhere)
})

test('an allowed subnet is reachable, by address and by name', async () => {
  const { goTo } = egressWith({ allowed: ['10.1.0.0/16', 'fd00::/8'], resolve: to('10.1.2.3') })
  expect(await goTo('http://10.1.2.3:80/')).toEqual({
    origin: 'http://10.1.2.3',
    addresses: ['10.1.2.3'],
  })
  expect(await goTo('http://inside.test')).toHaveProperty('addresses', ['10.1.2.3'])
  expect(await goTo('http://[fd00::1]:81')).toEqual({
    origin: 'http://[fd00::1]:81',
    addresses: ['fd00::1'],
  })
  expect(await goTo('http://10.2.0.1')).toMatchObject(refused)
})

const metadata = [
  '169.254.169.254',
  'fd00:ec2::254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '::ffff:169.254.169.254',
  '64:ff9b::169.254.169.254',
]

test.each(metadata)(
  'a name that resolves to %s is refused whatever is allowed',
  async (address) => {
    const { goTo } = egressWith({ allowed: ['0.0.0.0/0', '::/0'], resolve: to(address) })
    expect(await goTo('http://hooks.test/')).toEqual(nowhere)
  },
)

test('user-info, a trailing dot and capitals do not change the target of a URL', async () => {
  const { goTo } = egressWith({ resolve: to('93.184.216.34') })
  const found = await goTo('https://me:secret@HOOKS.test.:443/path')
  expect(found).toHaveProperty('origin', 'https://hooks.test')
})

test('a name that does not resolve gets the same answer as an internal one', async () => {
  const { resolve } = await dns(() => [])
  expect(await egressWith({ resolve }).goTo('https://hooks.test/')).toEqual(nowhere)
  const failing = async () => {
    throw Object.assign(new Error('no'), { code: 'ESERVFAIL' })
  }
  const { goTo } = egressWith({ resolve: failing })
  expect(await goTo('https://hooks.test/')).toEqual(nowhere)
})

test('an address of this machine is refused, by address and by name, also a new one', async () => {
  let own = new Set<string>()
  const { goTo } = egressWith({ own: () => own, resolve: to('93.184.216.34') })
  const urls = ['https://93.184.216.34/', 'https://hooks.test/']
  for (const url of urls) expect(await goTo(url)).toHaveProperty('addresses')
  own = new Set(['93.184.216.34'])
  expect(await goTo('https://93.184.216.34/')).toMatchObject(refused)
  expect(await goTo('https://hooks.test/')).toEqual(nowhere)
  const opened = egressWith({ allowed: ['93.184.216.34'], own: () => own })
  expect(await opened.goTo('https://93.184.216.34/')).toHaveProperty('addresses')
})

test('a database port is refused, by address and by name, except in an allowed subnet', async () => {
  const { goTo } = egressWith({ resolve: to('93.184.216.34') })
  expect(await goTo('http://93.184.216.34:5432/')).toMatchObject(refused)
  expect(await goTo('http://hooks.test:25/')).toMatchObject(refused)
  const allowed = ['10.1.0.0/16']
  const inside = egressWith({ allowed, resolve: to('10.1.2.3') })
  expect(await inside.goTo('http://hooks.test:5432/')).toHaveProperty('addresses', ['10.1.2.3'])
  const outside = egressWith({ allowed, resolve: to('93.184.216.34') })
  expect(await outside.goTo('http://hooks.test:5432/')).toEqual({
    fault: { kind: 'dns', message: `${message} at port 5432 (PostgreSQL)` },
  })
})

test('name servers that do not answer cause only a short delay', async () => {
  const { resolve } = await dns(() => null)
  const found = await egressWith({ resolve, connectTimeoutMs: 30 }).goTo('https://hooks.test/')
  expect(found).toEqual(nowhere)
})

test('simultaneous attempts share a question, later ones ask again', async () => {
  const { resolve, questions } = await dns(() => ['93.184.216.34'])
  const { goTo } = egressWith({ resolve })
  await Promise.all([goTo('https://hooks.test/a'), goTo('https://hooks.test/b')])
  expect(questions).toHaveLength(2)
  await goTo('https://hooks.test/')
  expect(questions).toHaveLength(4)
})

test('while the system resolver is slow, name servers are asked directly', async () => {
  const { resolve } = await dns((name) => [name === 'hooks.test' ? '93.184.216.34' : '127.0.0.1'])
  const never: Resolve = () => new Promise(() => {})
  expect(await hedged(never, resolve, 5)('hooks.test')).toEqual(['93.184.216.34'])
  expect(await hedged(to('10.0.0.1'), resolve, 5)('hooks.test')).toEqual(['10.0.0.1'])
})

test('names in the hosts file of the system are resolved', async () => {
  const found = await egressWith({ allowed: ['127.0.0.0/8', '::1'] }).goTo('http://localhost:3000')
  expect(found).toMatchObject({ origin: 'http://localhost:3000' })
  expect(JSON.stringify(found)).toContain('127.0.0.1')
})

test('nothing connects to the public name of the service, whatever it resolves to', async () => {
  const own = withPublicHost(() => new Set(['93.184.216.35']), 'https://ads.example.com:8443')
  const { goTo } = egressWith({ own, resolve: to('93.184.216.34') })
  expect(await goTo('https://ads.example.com/hook')).toMatchObject(refused)
  expect(await goTo('https://hooks.example.com/hook')).toHaveProperty('addresses')
  expect(await goTo('https://93.184.216.35/')).toMatchObject(refused)
  const literal = withPublicHost(() => new Set(), 'http://[2001:DB9::1]:8080')
  expect([...literal()]).toEqual(['2001:db9:0:0:0:0:0:1'])
  const local = () => new Set<string>()
  expect(withPublicHost(local, 'http://localhost:8080')).toBe(local)
})
