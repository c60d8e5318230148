import { createOrganization } from '../features/organizations/create.ts'
import { randomPassword } from '../identity/passwords.ts'
import type { Services } from '../kernel/context.ts'
import type { Actor } from '../values/organization.ts'

/** Any constant: of replicas that start together, one creates the owner and the others find it. */
const firstOwnerLock = 7_352_116

const firstOrganizationName = 'My organization'
const defaultEmail = 'admin@flightdeck.local'
const system: Actor = { type: 'system', id: null, name: 'first start' }

/** How to log in for the first time; `password` is null when the operator chose it. */
export type FirstLogin = { email: string; password: string | null }

/** Keeps a random password before the account exists. */
type Keep = (password: string) => Promise<void>

/**
 * On a database without any organization, creates the first one with its owner: the configured
 * account, or one with a random password, which is returned and stored as a hash only.
 */
export function makeFirstOwner(services: Services, keep: Keep): Promise<FirstLogin | null> {
  return services.database.transaction(async (tx) => {
    // Held to the end of this transaction, so after createFirst's own transaction has committed.
    tx.send({ sql: `select pg_advisory_xact_lock(${firstOwnerLock})`, parameters: [] })
    const known = await tx.kysely().selectFrom('organizations').select('id').limit(1).execute()
    return known.length > 0 ? null : createFirst(services, keep)
  })
}

async function createFirst(services: Services, keep: Keep): Promise<FirstLogin> {
  const { email, password, plan } = services.config.admin
  const login = { email: email ?? defaultEmail, password: password ?? randomPassword() }
  if (password === null) await keep(login.password)
  await createOrganization(services, system, {
    name: firstOrganizationName,
    plan,
    owner: { ...login, name: 'Owner' },
  })
  return { email: login.email, password: password === null ? login.password : null }
}
