import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Service } from '../support/machines/command-line.ts'
import { type Environment, openEnvironment, type Tenant } from './environment.ts'
import { kindsOf } from './incident-log.ts'
import { expectRecovery } from './recovery.ts'

let environment: Environment

beforeAll(async () => {
  environment = await openEnvironment({ replicas: [{}, {}, {}] })
})
afterAll(() => environment.close())

const lastOf = (): Service => {
  const service = environment.services.pop()
  if (!service) throw new Error('no replica is left')
  return service
}

test('one of three replicas is killed with -9 under load: clients use the others', async () => {
  const load = await environment.load()
  await lastOf().stop('SIGKILL')
  // Another replica delivers its webhooks once its lease has expired.
  await expectRecovery(environment, load, { met: /^lost|^409/, deliveredWithinMs: 35_000 })
  expect(load.incidentLog.incidents).not.toEqual([])
})

test('one of two replicas gets a SIGTERM under load: it finishes its requests, then exits', async () => {
  const [load, tenant] = [await environment.load(), await environment.found({})]
  const service = lastOf()
  const halfway = await beginRequest(service, tenant)
  const began = performance.now()
  const ended = service.stop('SIGTERM')
  await vi.waitFor(
    () => expect(kindsOf(load.incidentLog)).toHaveProperty('503: shutting_down'),
    5_000,
  )
  expect(await halfway.finish()).toBe(201)
  expect(await ended).toBe(0)
  expect(performance.now() - began).toBeLessThan(30_000)
  // Refused or sent elsewhere. An idle connection may be closed just as it is used: the client
  // reports it as closed when it reads the end before the reset. No request was started on it.
  const isNotLetIn = 'ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET'
  const met = new RegExp(`^503: shutting_down$|^lost: (${isNotLetIn})$`)
  await expectRecovery(environment, load, { met })
  expect(load.incidentLog.unheard).toBe(0)
})

/** A request whose body is only half sent. */
async function beginRequest({ url }: Service, { token }: Tenant) {
  const body = JSON.stringify({ name: 'Halfway' })
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': body.length,
    expect: '100-continue',
  }
  const asked = request(`${url}/api/v1/templates`, { method: 'POST', headers })
  const answered = once(asked, 'response')
  asked.write(body.slice(0, 8))
  await once(asked, 'continue')
  return {
    async finish(): Promise<number | undefined> {
      asked.end(body.slice(8))
      const [answer]: IncomingMessage[] = await answered
      answer?.resume()
      return answer?.statusCode
    },
  }
}
