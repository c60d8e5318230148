import type { Command } from 'commander'
import { clientOf } from '../account/session.ts'
import { parsed, textOf } from '../api/read.ts'
import { UsageError } from '../faults.ts'
import { jqOf } from '../output/jq.ts'
import { printJson } from '../output/print.ts'

type Given = {
  method: string
  path: string
  query?: string[]
  data?: string
  paginate?: boolean
  jq?: string
}
type Page = { data: unknown[]; meta: { next_cursor: string | null } }

/** Any request of the API; its answer as it is. */
export async function request(command: Command, given: Given): Promise<void> {
  const method = given.method.toUpperCase()
  if (!/^(GET|POST|PUT|PATCH|DELETE)$/.test(method))
    throw new UsageError(`${given.method} is no method.`)
  if (!given.path.startsWith('/'))
    throw new UsageError('The path begins with /, such as /campaigns.')
  const query = Object.fromEntries((given.query ?? []).map(pairOf))
  const body =
    given.data === undefined ? undefined : parsed('--data', await textOf(given.data), given.data)
  const jq = given.jq === undefined ? undefined : await jqOf(given.jq)
  const { client } = await clientOf(command)
  const send = (more: object) =>
    client.request(method, given.path, {
      query: { ...query, ...more },
      ...(body !== undefined && { body }),
    } as object)
  let answer: unknown = await send({})
  if (given.paginate) answer = await allOf(answer as Page, send)
  if (answer === undefined || answer === '') return
  if (jq) jq(answer)
  else printJson(answer)
}

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`--query is name=value, not "${text}".`)
  return [text.slice(0, at), text.slice(at + 1)]
}

async function allOf(first: Page, send: (more: object) => Promise<unknown>): Promise<Page> {
  if (!Array.isArray(first?.data)) throw new UsageError('--paginate is for lists.')
  const data = [...first.data]
  let { meta } = first
  while (meta.next_cursor) {
    const page = (await send({ cursor: meta.next_cursor })) as Page
    data.push(...page.data)
    meta = page.meta
  }
  return { data, meta }
}
