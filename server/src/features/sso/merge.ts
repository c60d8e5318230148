import type { WriteContext } from '../../kernel/context.ts'
import { readOnlyFaults } from '../../kernel/people.ts'
import { type Fault, fault } from '../../problems/fault.ts'
import { issuerFaults } from './normalize.ts'
import { type Sso, type SsoChanges, ssoReadOnly } from './schema.ts'
import { type StoredSso, sealClientSecret } from './stored.ts'

type Merging = { body: SsoChanges; row: StoredSso | undefined; before: Sso | null }

/** Every reason to refuse the changes, but those of domains. */
export async function faultsOf(
  ctx: WriteContext,
  { body, row, before }: Merging,
): Promise<Fault[]> {
  const { issuer, client_id, client_secret } = body
  const faults = issuer === undefined ? [] : issuerFaults(issuer, ctx.services)
  const required = (field: string, why = 'is required') => fault(`/${field}`, 'required', why)
  if (!row && issuer === undefined) faults.push(required('issuer'))
  if (!row && client_id === undefined) faults.push(required('client_id'))
  // Another provider must not get the secret that the former one knows.
  const isMoved = issuer !== undefined && issuer !== row?.issuer
  if (client_secret === undefined && (!row || isMoved)) {
    faults.push(required('client_secret', row ? 'is required with another issuer' : 'is required'))
  }
  const readOnly = ssoReadOnly
  if (before) faults.push(...(await readOnlyFaults(ctx, { before, body, readOnly })))
  return faults
}

/** The stored settings with the changes: omitted fields stay. */
export function merged(ctx: WriteContext, row: StoredSso | undefined, body: SsoChanges): StoredSso {
  const { services, organization, now } = ctx
  const { issuer = row?.issuer ?? '', client_id = row?.client_id ?? '', client_secret } = body
  const { default_role = row?.default_role ?? 'viewer' } = body
  const { role_claim = row?.role_claim ?? null, role_map = row?.role_map ?? {} } = body
  const { create_members = row?.create_members ?? true } = body
  const { trust_email = row?.trust_email ?? false, enforced = row?.enforced ?? false } = body
  const { own_redirect_uri = row?.own_redirect_uri ?? false } = body
  const kept = row?.client_secret_sealed ?? ''
  return {
    ...{ organization_id: organization.id, issuer, client_id },
    client_secret_sealed:
      client_secret === undefined
        ? kept
        : sealClientSecret(services, organization.id, client_secret),
    ...{ own_redirect_uri, default_role, role_claim, role_map },
    ...{ create_members, trust_email, enforced },
    version: (row?.version ?? 0) + 1,
    created_at: row?.created_at ?? now,
    updated_at: now,
    updated_by: ctx.actor.id,
  }
}
