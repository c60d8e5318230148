import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf, openWorld, type World } from '../../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ env: { FLIGHTDECK_PUBLIC_URL: 'https://ads.example.com' } })
})
afterAll(() => world.close())

const inward = [
  ...['127.0.0.1', '127.8.9.10', '[::1]', '[0:0:0:0:0:0:0:1]', '127.1', '2130706433', '0177.0.0.1'],
  ...['0x7f.0.0.1', '0x7f000001', '１２７.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', '127.0.0.1.'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.b.localhost', 'ip6-localhost', 'ｌocalhost'],
  ...['0.0.0.0', '0', '0.1.2.3', '[::]', '10.0.0.5', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['[fd12:3456::1]', '[fc00::1]', '100.64.0.1', '100.127.255.254', '169.254.1.1', '[fe80::1]'],
  ...['169.254.169.254', '2852039166', '0xa9fea9fe', '100.100.100.200', '[fd00:ec2::254]'],
  ...['metadata.google.internal', 'Metadata.Google.Internal.', '224.0.0.1', '255.255.255.255'],
  ...['[ff02::1]', '192.0.2.1', '198.18.0.1', '240.0.0.1', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ...['[64:ff9b::127.0.0.1]', '[2002:7f00:1::1]', 'ads.example.com', 'example.com:5432'],
]

test.each(['slack', 'teams', 'google_chat', 'webhook'])(
  'of 50 and more ways to spell an address inward, %s takes none',
  async (kind) => {
    const { owner } = await world.organization()
    expect(inward.length).toBeGreaterThan(49)
    for (const host of inward) {
      const target = `https://${host}/services/T0`
      const body = { kind, name: 'Inward', target, events: ['*'] }
      const reply = await owner.post('/notification_channels', body)
      expect([host, faultsOf(reply).join()]).toEqual([
        host,
        expect.stringMatching(/^\/target (?:forbidden_host|invalid_format)$/),
      ])
    }
    expect((await owner.get('/notification_channels')).json().data).toEqual([])
  },
)
