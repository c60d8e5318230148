import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Environment, openEnvironment } from '../faults/environment.ts'
import { isInstalled } from '../support/machines/programs.ts'
import { unexpectedAlerts } from '../support/machines/promtool.ts'
import { type Recording, recordSeries } from '../support/machines/recording.ts'

const token = 'scrape-me'
/** Between two scrapes, for promtool: the recording itself takes no longer than it must. */
const intervalSeconds = 15

/** The database of a real service goes away and comes back, and each scrape is kept. */
describe.skipIf(!isInstalled('promtool'))('a total outage', () => {
  let environment: Environment
  let recording: Recording
  let goneAt: number
  let backAt: number

  beforeAll(async () => {
    const env = { FLIGHTDECK_METRICS_TOKEN: token }
    environment = await openEnvironment({ replicas: [{ env }] })
    const { postgres, services } = environment
    const tenant = await environment.found({})
    const url = services[0]?.url ?? ''
    recording = recordSeries(`${url}/metrics`, token)
    const headers = { authorization: `Bearer ${tenant.token}` }
    const scrapeFor = async (minutes: number) => {
      for (let left = (minutes * 60) / intervalSeconds; left > 0; left -= 1) {
        const call = () => fetch(`${url}/api/v1/campaigns`, { headers })
        await Promise.all(Array.from({ length: 5 }, call))
        await recording.scrape()
      }
      return recording.count * intervalSeconds
    }
    const isReady = async () => (await fetch(`${url}/readyz`)).status === 200

    await vi.waitFor(async () => expect(await isReady()).toBe(true), 20_000)
    goneAt = await scrapeFor(3)
    await postgres.stop()
    await vi.waitFor(async () => expect(await isReady()).toBe(false), 20_000)
    backAt = await scrapeFor(13)
    await postgres.start()
    await vi.waitFor(async () => expect(await isReady()).toBe(true), 20_000)
    await scrapeFor(3)
  }, 120_000)
  afterAll(() => environment.close())

  test.each([
    ['FlightdeckNoneReady', 30],
    ['FlightdeckNotReady', 60],
    ['FlightdeckErrors', 6 * 60],
  ])('%s fires %i s after the database has gone, until it is back', (alert, afterSeconds) => {
    const at = (seconds: number) => `${seconds}s`
    const alerts = [
      { alert, at: at(goneAt - intervalSeconds), fires: false },
      { alert, at: at(goneAt + intervalSeconds), fires: false },
      { alert, at: at(goneAt + afterSeconds + intervalSeconds), fires: true },
      { alert, at: at(backAt - intervalSeconds), fires: true },
    ]
    const recovered = { alert, at: at(backAt + 2 * intervalSeconds), fires: false }
    const samples = recording.samples({ job: 'flightdeck', instance: 'a' })
    const all = alert === 'FlightdeckErrors' ? alerts : [...alerts, recovered]
    expect(unexpectedAlerts({ samples, interval: at(intervalSeconds), alerts: all })).toBe('')
  })

  test('shows in no alert on processes, as the process answers each scrape', () => {
    const samples = recording.samples({ job: 'flightdeck', instance: 'a' })
    expect(samples['up{job="flightdeck",instance="a"}']).toMatch(/^1( 1)+$/)
    const alerts = ['FlightdeckDown', 'FlightdeckGone', 'FlightdeckRestarting'].map((alert) => ({
      alert,
      at: `${backAt - intervalSeconds}s`,
      fires: false,
    }))
    expect(unexpectedAlerts({ samples, interval: `${intervalSeconds}s`, alerts })).toBe('')
  })
})
