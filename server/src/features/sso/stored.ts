import type { Selectable } from 'kysely'
import { type SealedTable, sealedFor } from '../../crypto/sealed-table.ts'
import { columnsOf, type Tables } from '../../database/tables/types.ts'
import type { Context, Services } from '../../kernel/context.ts'
import { notFound } from '../../problems/problem.ts'
import type { Sso, SsoDomain } from './schema.ts'

export type StoredSso = Selectable<Tables['sso_settings']>
export type StoredDomain = Selectable<Tables['sso_domains']>

/** Bound to the organization, so that ciphertexts cannot be swapped. */
const purposeOf = (organizationId: string) => `sso_settings.client_secret ${organizationId}`

export const sealedSso: SealedTable = {
  table: 'sso_settings',
  key: { organization_id: 'text' },
  columns: {
    client_secret_sealed: sealedFor(({ organization_id: id }) => purposeOf(String(id))),
  },
}

export const sealClientSecret = ({ crypto }: Services, organizationId: string, secret: string) =>
  crypto.cipher.seal(secret, purposeOf(organizationId))

export const clientSecretOf = ({ crypto }: Services, row: StoredSso): string =>
  crypto.cipher.open(row.client_secret_sealed, purposeOf(row.organization_id))

export const storedSso = (ctx: Context): Promise<StoredSso | undefined> =>
  ctx.reader
    .kysely()
    .selectFrom('sso_settings')
    .select(columnsOf.sso_settings)
    .where('organization_id', '=', ctx.organization.id)
    .executeTakeFirst()

/** The settings; 404 until they are made. */
export async function settingsOf(ctx: Context): Promise<StoredSso> {
  const row = await storedSso(ctx)
  if (!row) throw notFound()
  return row
}

export const storedDomains = (ctx: Context): Promise<StoredDomain[]> =>
  ctx.reader
    .kysely()
    .selectFrom('sso_domains')
    .select(columnsOf.sso_domains)
    .where('organization_id', '=', ctx.organization.id)
    .orderBy('domain')
    .execute()

export const recordOf = (token: string): string => `flightdeck-verification=${token}`

export const toDomain = ({ domain, token, proved_at, proved_by }: StoredDomain): SsoDomain => ({
  domain,
  txt_record: recordOf(token),
  proved_at,
  proved_by,
})

const pathOf = (step: string) => `/api/v1/auth/sso/${step}`

/** The address that the provider sends people back to. */
export const redirectUriOf = (
  { config }: Pick<Services, 'config'>,
  row: Pick<StoredSso, 'organization_id' | 'own_redirect_uri'>,
): string => {
  const own = row.own_redirect_uri ? `/${row.organization_id}` : ''
  return `${config.publicUrl}${pathOf('callback')}${own}`
}

type Parts = { row: StoredSso; domains: readonly StoredDomain[] }

export const toSso = (services: Services, { row, domains }: Parts): Sso => ({
  id: row.organization_id,
  issuer: row.issuer,
  client_id: row.client_id,
  domains: domains.map(({ domain }) => domain),
  domain_proofs: domains.map(toDomain),
  default_role: row.default_role,
  role_claim: row.role_claim,
  role_map: { ...row.role_map },
  create_members: row.create_members,
  trust_email: row.trust_email,
  enforced: row.enforced,
  own_redirect_uri: row.own_redirect_uri,
  redirect_uri: redirectUriOf(services, row),
  backchannel_logout_uri: `${services.config.publicUrl}${pathOf('backchannel_logout')}`,
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
  updated_by: row.updated_by,
})
