import type { Flightdeck } from '@flightdeckhq/sdk'
import { apiName } from '../canonical.ts'
import { factsOf } from '../kinds.ts'
import type { Live } from '../live/object.ts'
import { labelOf } from '../ownership.ts'
import type { Compared } from './compare.ts'

/** Who changed a field since it was applied, when, and why. */
export type Drift = { by: string | null; at: string; reason: string | null }

/** By field of the file's words. */
export type Drifts = ReadonlyMap<string, Drift>

type Entry = {
  at: string
  actor: { type: string; name: string | null }
  reason: string | null
  changes: readonly { field: string; before: unknown; after: unknown }[]
}

const atOnce = 6

/** As many histories as a plan reads. */
export const mostHistories = 60

/** The drift of each object that others have changed, by its id. */
export async function driftsOf(
  client: Flightdeck,
  project: string,
  changed: readonly Compared[],
): Promise<Map<string, Drifts>> {
  const drifted = changed.filter(isDrifted).slice(0, mostHistories)
  const found = new Map<string, Drifts>()
  for (let at = 0; at < drifted.length; at += atOnce) {
    const some = drifted.slice(at, at + atOnce).map(async (each) => {
      if (each.live)
        found.set(each.live.id, await driftOf(client, project, { ...each, live: each.live }))
    })
    await Promise.all(some)
  }
  return found
}

/** Others have changed what is to change, or have taken the label off. */
export const isDrifted = ({ live, differences, isAdopted, hasDrifted }: Compared): boolean =>
  live?.owned != null && ((hasDrifted && differences.length > 0) || isAdopted)

async function driftOf(
  client: Flightdeck,
  project: string,
  { live, differences, isAdopted }: Compared & { live: Live },
): Promise<Drifts> {
  const entries = await historyOf(client, live)
  const fields = differences.filter(({ isReleased }) => !isReleased).map(({ field }) => field)
  const asked = isAdopted ? [...fields, 'labels'] : fields
  return new Map(
    asked.flatMap((field) => {
      const entry = entries.find(({ changes }) => changes.some((each) => isOf(each, field, live)))
      return !entry || isByProject(entry, project) ? [] : [[field, presented(entry)] as const]
    }),
  )
}

/** The latest changes first. Proxies have no history, but who changed them last. */
async function historyOf(client: Flightdeck, { kind, id, row }: Live): Promise<readonly Entry[]> {
  if (kind === 'proxy') {
    const actor = { type: 'user', name: row.updated_by_name as string | null }
    const changes = Object.keys(row).map((field) => ({ field, before: null, after: null }))
    return [{ at: String(row.updated_at), actor, reason: null, changes }]
  }
  const path = `/${factsOf[kind].section}/${id}/history`
  return (await client.request<{ data: Entry[] }>('GET', path, { query: { limit: 100 } })).data
}

function isOf({ field, before, after }: Entry['changes'][number], name: string, live: Live) {
  if (!name.startsWith('metadata.')) return field === apiName(live.kind, name)
  const key = name.slice('metadata.'.length)
  return field === 'metadata' && memberOf(before, key) !== memberOf(after, key)
}

const memberOf = (metadata: unknown, key: string): unknown =>
  (metadata as Record<string, unknown> | null)?.[key]

/** Applying says so as its reason. */
export const reasonOf = (project: string | null, reason: string | undefined): string | undefined =>
  project === null ? reason : [labelOf(project), reason].filter(Boolean).join(': ').slice(0, 500)

const isByProject = ({ reason }: Entry, project: string): boolean =>
  reason === labelOf(project) || (reason ?? '').startsWith(`${labelOf(project)}: `)

const presented = ({ at, actor, reason }: Entry): Drift => ({
  by: actor.name ?? (actor.type === 'system' ? 'Flightdeck' : null),
  at,
  reason,
})
