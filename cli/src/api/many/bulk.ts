import { isObject, type Values } from '../read.ts'
import type { Call } from '../run.ts'
import type { Row } from './matching.ts'

type Result = {
  index: number
  status: number
  id: string | null
  object?: Values | null
  problem?: { code: string; detail: string }
}

/** What came of one object. */
export type Outcome = { row: Row; status: number; after: Values; code: string; detail: string }

/** An operation of `POST /campaigns/bulk`; undefined where the command has none. */
export function operationFor(
  { operation }: Call,
  { id, version }: Row,
  body: unknown,
): Values | undefined {
  const { method, path } = operation
  const object = { id, ...(typeof version === 'number' && { version }) }
  if (method === 'DELETE' && path === '/campaigns/{id}') return { op: 'delete', ...object }
  if (method === 'PATCH' && path === '/campaigns/{id}') return { op: 'update', ...object, body }
  const [, action] = /^\/campaigns\/\{id\}\/([a-z]+)$/.exec(path) ?? []
  if (method !== 'POST' || action === undefined || operation.body !== 'reason') return undefined
  return { op: 'action', ...object, action, ...(isObject(body) && { body }) }
}

/** The bound of one request. */
const most = 100

type Sent = { rows: readonly Row[]; operations: readonly Values[]; isDryRun: boolean }

/** Sends the operations of all rows, a hundred at a time; each is judged by itself. */
export async function sendAll(
  call: Call,
  { rows, operations, isDryRun }: Sent,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (let from = 0; from < operations.length; from += most) {
    const part = operations.slice(from, from + most)
    const { results } = await send(call, part, isDryRun).catch((error: unknown) => {
      if (!isDryRun) process.stderr.write(`Stopped: ${from} of ${operations.length} sent.\n`)
      throw error
    })
    outcomes.push(...results.flatMap((result) => outcomeOf(result, rows[from + result.index])))
  }
  return outcomes
}

const send = ({ client, given }: Call, operations: readonly Values[], isDryRun: boolean) =>
  client.request<{ results: Result[] }>('POST', '/campaigns/bulk', {
    query: { ...(isDryRun && { validate_only: true }) },
    body: { mode: 'partial', operations },
    reason: given('reason').at(-1),
    overrideReason: given('override-reason').at(-1),
  } as object)

const outcomeOf = ({ status, object, problem }: Result, row: Row | undefined): Outcome[] =>
  row === undefined
    ? []
    : [
        {
          row,
          status,
          // A deleted one spends nothing.
          after: object ?? (status < 300 ? {} : row),
          code: problem?.code ?? '',
          detail: problem?.detail ?? '',
        },
      ]
