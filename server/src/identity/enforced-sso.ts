import type { Reader } from '../database/database.ts'
import { Problem } from '../problems/problem.ts'

/** A person who would log in with something else than single sign-on. */
type LoggingIn = {
  readonly email: string
  readonly role: string
  readonly second_factor: boolean
  readonly organization: { readonly id: string }
}

const enforcedSql = `
  select true as enforced from sso_settings
  where organization_id = $1 and enforced and exists (
    select from sso_domains
    where organization_id = $1 and domain = $2 and proved_at is not null)`

/**
 * Whether the person logs in by single sign-on only. Owners keep a password with a second factor, for
 * when the provider is down.
 */
export async function needsSso(reader: Pick<Reader, 'query'>, person: LoggingIn): Promise<boolean> {
  if (person.role === 'owner' && person.second_factor) return false
  const domain = person.email.slice(person.email.lastIndexOf('@') + 1)
  const parameters = [person.organization.id, domain]
  const rows = await reader.query<{ enforced: boolean }>({ sql: enforcedSql, parameters })
  return rows.length > 0
}

/** Throws 403 for who logs in by single sign-on only. */
export async function checkMayUsePassword(
  reader: Pick<Reader, 'query'>,
  person: LoggingIn,
): Promise<void> {
  if (!(await needsSso(reader, person))) return
  throw new Problem('sso_required', 'Your organization requires to log in by single sign-on.')
}
