/**
 * `npm run test:console` ends with this: every operation of the API must have been reached by a
 * screen. The tests write down what their pages request; here it is compared with openapi.json.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { requestsFile } from './requests.ts'

/** Operations that the console does in another way, most since its session is a cookie. */
const replaced: Readonly<Record<string, string>> = {
  login: 'POST /console/session logs in, so that no script sees a token',
  verifyLogin: 'POST /console/session/verify answers, so that no script sees a token',
  loginByPasskey: 'POST /console/session/verify takes it, so that no script sees a token',
  beginLoginCode: 'a call of programs without a browser',
  claimLoginCode: 'a call of programs without a browser',
  refresh: 'the service renews the cookie by itself',
  patchReport: 'PUT saves a report, which takes a filter as a whole',
  acceptInvitation: 'POST /console/session/join accepts, so that no script sees a token',
  getInvitation: 'the list of invitations has all of it',
  ...Object.fromEntries(
    [
      ...['takeConnectorLease', 'releaseConnectorLease', 'getConnectorWork'],
      ...['recordConnectorIntent', 'reportConnectorWork', 'takeConnectorInventory'],
    ].map((operation) => [operation, 'a call of connectors, which are programs']),
  ),
}

/** Operations whose screens are still to come, by what they wait for. */
const toCome: Readonly<Record<string, readonly string[]>> = {}

type Operation = { id: string; method: string; path: RegExp; isPlain: boolean }

const document = JSON.parse(await readFile(join(import.meta.dirname, '../../openapi.json'), 'utf8'))

const operations = Object.entries<Record<string, { operationId?: string }>>(document.paths).flatMap(
  ([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId }]): Operation[] =>
      operationId === undefined
        ? []
        : [
            {
              id: operationId,
              method: method.toUpperCase(),
              path: new RegExp(`^/api/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
              isPlain: !path.includes('{'),
            },
          ],
    ),
)

const requests = await readFile(requestsFile, 'utf8').catch(() => null)
if (requests === null) console.log('The operations are not counted: there was no browser.')
else report(reachedBy(requests.split('\n').filter(Boolean)))

function reachedBy(lines: readonly string[]): ReadonlySet<string> {
  return new Set(
    lines.flatMap((line) => {
      const [method = '', path = ''] = line.split(' ')
      const matches = operations.filter((each) => each.method === method && each.path.test(path))
      // `/campaigns/export` is an operation of its own, not a campaign of that name.
      const match = matches.find(({ isPlain }) => isPlain) ?? matches[0]
      return match ? [match.id] : []
    }),
  )
}

function report(reached: ReadonlySet<string>): void {
  const excused = [...Object.keys(replaced), ...Object.values(toCome).flat()]
  const names = operations.map(({ id }) => id)
  const missing = names.filter((id) => !reached.has(id) && !excused.includes(id))
  const faults = [
    ...missing.map((id) => `no test of a screen reaches ${id}`),
    ...excused
      .filter((id) => reached.has(id))
      .map((id) => `${id} is reached: take it off the list`),
    ...excused.filter((id) => !names.includes(id)).map((id) => `there is no operation ${id}`),
  ]
  for (const fault of faults) console.error(`operations: ${fault}`)
  console.log(`operations: ${reached.size} of ${names.length} are reached by screens`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
