import { sql } from 'kysely'
import { createApiKey, deleteApiKey, listApiKeys } from '../../features/api-keys/api-keys.ts'
import { putDeployment } from '../../features/deployments/deployments.ts'
import type { Context } from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/rows.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { connectedAccounts } from './data.ts'

/** Has campaigns of the demo run in networks, which the simulated one stands for. */

export type Connector = {
  /** Shown this once. */
  key: string
  profiles: { id: string; platform: string; account_ref: string; campaigns: number }[]
}

const keyName = 'Connector of the demo'

/** Deploys what is not deployed yet; makes a new key, and ends the former. */
export async function connect(ctx: Context): Promise<Connector> {
  const profiles = await rowsOf(ctx, 'profiles')
    .where('account_ref', 'in', connectedAccounts)
    .select(['id', 'platform', 'account_ref'])
    .execute()
  const counted = await inTransaction(ctx, async (ctx) => {
    const all: Connector['profiles'] = []
    for (const { id, platform, account_ref } of profiles)
      all.push({ id, platform, account_ref: account_ref ?? '', campaigns: await deploy(ctx, id) })
    return all
  })
  return { key: await newKey(ctx, profiles), profiles: counted }
}

/** Answers the number of campaigns that are deployed now. */
async function deploy(ctx: Context, profileId: string): Promise<number> {
  const campaigns = await rowsOf(ctx, 'campaigns')
    .where(sql<boolean>`profile_id = ${profileId} and status in ('active', 'paused', 'scheduled')`)
    .select(['id', 'deployment'])
    .execute()
  for (const { id, deployment } of campaigns)
    if (deployment === null) await putDeployment(ctx, id, { mode: 'create' })
  return campaigns.length
}

async function newKey(ctx: Context, profiles: readonly { id: string }[]): Promise<string> {
  const { data: former } = await listApiKeys(ctx, { q: keyName })
  for (const { id, name } of former) if (name === keyName) await deleteApiKey(ctx, id)
  const scope = { profile_ids: profiles.map(({ id }) => id) }
  const made = await createApiKey(ctx, { name: keyName, role: 'connector', scope })
  return String(made.key)
}
