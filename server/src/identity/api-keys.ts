import { LruMap } from 'toad-cache'
import { intervalBatcher } from '../concurrency/interval-batch.ts'
import type { Database } from '../database/database.ts'
import type { Statement } from '../database/driver/protocol.ts'
import { isUnsupported } from '../database/driver/sql-error.ts'
import type { Signals } from '../signals/signals.ts'
import { type ApiKeyState, readApiKeyState, readApiKeyStates } from './api-key-states.ts'
import type { ApiKeyClaims } from './api-key-text.ts'
import { type CredentialCache, credentialCache } from './credential-cache.ts'

export type { ApiKeyState } from './api-key-states.ts'

export type ApiKeys = CredentialCache<ApiKeyClaims, ApiKeyState> & {
  /** Records the key's use, batched and at most once a minute. */
  noteUse(key: ApiKeyState, now: Date): void
}

/** Caches API keys, as sessions are cached. */
export function apiKeysFrom(database: Database, signals: Signals): ApiKeys {
  const { reader } = database
  const keys = credentialCache(
    {
      idOf: ({ hash }: ApiKeyClaims) => hash,
      idIn: ({ hash }: ApiKeyState) => hash,
      one: (claims) => readApiKeyState(reader, claims),
      many: (claims) => readApiKeyStates(reader, claims),
    },
    signals,
  )
  const uses = usesIn(database)
  return {
    ...keys,
    noteUse: uses.note,
    close() {
      keys.close()
      uses.close()
    },
  }
}

type Use = { organizationId: string; id: string; at: string }

const useWriteIntervalMs = 60_000
const maxPendingUses = 50_000
const pace = { everyMs: 1_000, maxBatch: 200, maxWaiting: maxPendingUses }

/** When keys were used, to the minute. */
function usesIn(database: Database) {
  const noted = new LruMap<number>(maxPendingUses)
  const rounds = intervalBatcher((uses: readonly Use[]) => writeUses(database, uses), pace)
  return {
    note({ id, organization }: ApiKeyState, now: Date): void {
      const ms = now.getTime()
      const last = noted.get(id)
      if (last !== undefined && ms - last < useWriteIntervalMs) return
      noted.set(id, ms)
      rounds.add({ organizationId: organization.id, id, at: now.toISOString() })
    },
    close: rounds.close,
  }
}

// Skips locked rows: another process is recording a use or revoking the key.
const useSql = `
  with due as (
    select k.organization_id, k.id, used.at
    from unnest($1::text[], $2::text[], $3::timestamptz[]) as used (organization_id, id, at)
    join api_keys k on k.organization_id = used.organization_id and k.id = used.id
    where k.last_used_at is null or k.last_used_at <= used.at - interval '1 minute'
    for update of k skip locked)
  update api_keys k set last_used_at = due.at
  from due where k.organization_id = due.organization_id and k.id = due.id`

/** The same on Citus, which locks rows of one shard only, and in an update computes no time from a column. */
const useOfTenantSql = `
  update api_keys k set last_used_at = used.at
  from unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) as used (id, at, minute_before)
  where k.organization_id = $1 and k.id = used.id
    and (k.last_used_at is null or k.last_used_at <= used.minute_before)`

const useOfTenant = (tenant: string, uses: readonly Use[]): Statement => ({
  sql: useOfTenantSql,
  parameters: [
    tenant,
    uses.map(({ id }) => id),
    uses.map(({ at }) => at),
    uses.map(({ at }) => new Date(Date.parse(at) - useWriteIntervalMs).toISOString()),
  ],
})

/** Writes no version, event or audit record: use does not change a key. */
async function writeUses(database: Database, uses: readonly Use[]): Promise<void> {
  const columns = (['organizationId', 'id', 'at'] as const).map((name) =>
    uses.map((use) => use[name]),
  )
  const send = (statements: readonly Statement[]) =>
    database.transaction(async (tx) => {
      for (const statement of statements) tx.send(statement)
    })
  try {
    await send([{ sql: useSql, parameters: columns }])
  } catch (error) {
    if (!isUnsupported(error)) throw error
    const byTenant = Map.groupBy(uses, ({ organizationId }) => organizationId)
    await send([...byTenant].map(([tenant, group]) => useOfTenant(tenant, group)))
  }
}
