import type { Client, Reply } from '../world.ts'

type Change = { field: string; before: unknown; after: unknown }

/** As the API lists it, as far as tests read it. */
export type ListedOperation = {
  index: number
  id: string | null
  ref: string | null
  target: string | null
  effect: string
  changes: Change[]
  problem: { code: string; errors: { pointer: string; code: string }[] } | null
  result: {
    status: number
    version: number | null
    reverted: string[] | null
    left: { field: string; reason: string }[] | null
  } | null
}

export const proposing = (
  client: Client,
  operations: readonly unknown[],
  more: object = {},
): Promise<Reply> => client.post('/change_sets', { title: 'Weekend sale', operations, ...more })

export async function operationsOf(client: Client, id: string): Promise<ListedOperation[]> {
  const found: ListedOperation[] = []
  let cursor = ''
  for (;;) {
    const { data, meta } = (await client.get(`/change_sets/${id}/operations${cursor}`)).json()
    found.push(...data)
    if (!meta.has_more) return found
    cursor = `?cursor=${meta.next_cursor}`
  }
}

/** A stored change set with its operations. */
export async function proposed(client: Client, operations: readonly unknown[], more: object = {}) {
  const reply = await proposing(client, operations, more)
  if (reply.statusCode !== 201) throw new Error(`answered ${reply.statusCode} ${reply.body}`)
  const changeSet = reply.json()
  return { changeSet, operations: await operationsOf(client, changeSet.id) }
}
