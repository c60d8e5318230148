import { NewObject } from '../../http/endpoint.ts'
import { audited } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { checkVersion, namesVersion } from '../../kernel/rows.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { checkFaults, notFound } from '../../problems/problem.ts'
import { changedFields } from '../../schema/changed-fields.ts'
import { type Difference, differences } from '../../schema/differences.ts'
import { checkWayBack } from '../members/way-back.ts'
import { setDomains } from './domains.ts'
import { endPasswordSessions } from './enforce.ts'
import { faultsOf, merged } from './merge.ts'
import { readDomains } from './normalize.ts'
import type { Sso, SsoChanges } from './schema.ts'
import {
  type StoredDomain,
  type StoredSso,
  settingsOf,
  storedDomains,
  storedSso,
  toSso,
} from './stored.ts'

export async function getSso(ctx: Context): Promise<Sso> {
  const [row, domains] = await Promise.all([settingsOf(ctx), storedDomains(ctx)])
  return toSso(ctx.services, { row, domains })
}

/** Sets single sign-on up, or changes it. */
export async function putSso(ctx: Context, body: SsoChanges): Promise<Sso | NewObject> {
  const isNew = (await storedSso(ctx)) === undefined
  const request = ctx.request && { ...ctx.request, status: isNew ? 201 : 200 }
  const settings = await setSso({ ...ctx, request }, body)
  return isNew ? new NewObject(settings) : settings
}

const setSso = (ctx: Context, body: SsoChanges): Promise<Sso> =>
  inTransaction(ctx, async (ctx) => {
    const [row, known] = await Promise.all([storedSso(ctx), storedDomains(ctx)])
    checkNamed(ctx, row)
    const before = row ? toSso(ctx.services, { row, domains: known }) : null
    const { domains, faults } = readDomains(body.domains ?? [])
    checkFaults(ctx, [...faults, ...(await faultsOf(ctx, { body, row, before }))])
    const wanted = body.domains ? domains : known.map(({ domain }) => domain)
    const next = merged(ctx, row, body)
    if (next.enforced && !row?.enforced) await checkWayBack(ctx)
    const after = before && isSame(body, { before, next, wanted }) ? before : null
    const settings = after ?? (await write(ctx, { row, known, wanted, next, before, body }))
    if (ctx.dryRun) ctx.dryRun.object = settings
    return settings
  })

function checkNamed(ctx: WriteContext, row: StoredSso | undefined): void {
  if (row) checkVersion(ctx, row.version)
  // Without settings there is no version that a request could be about.
  else if (namesVersion(ctx)) throw notFound()
}

type Compared = { before: Sso; next: StoredSso; wanted: readonly string[] }

function isSame(body: SsoChanges, { before, next, wanted }: Compared): boolean {
  if (body.client_secret !== undefined || wanted.join() !== before.domains.join()) return false
  const { issuer, client_id, default_role, role_claim, role_map } = next
  const { create_members, trust_email, enforced, own_redirect_uri } = next
  const first = { issuer, client_id, default_role, role_claim, role_map }
  const rest = { create_members, trust_email, enforced, own_redirect_uri }
  return changedFields(before, { ...first, ...rest }).length === 0
}

type Writing = {
  row: StoredSso | undefined
  known: readonly StoredDomain[]
  wanted: readonly string[]
  next: StoredSso
  before: Sso | null
  body: SsoChanges
}

function write(ctx: WriteContext, { row, known, wanted, next, before, body }: Writing) {
  const { services } = ctx
  const entry = (after: Sso) => ({
    ...entryOf(ctx, 'organization.sso_updated'),
    changes: [...shownChanges(before, after), ...secretChange(row, body)],
  })
  return audited(ctx, entry, async (ctx) => {
    const domains = setDomains(ctx, { known, wanted })
    store(ctx, next)
    if (row && row.issuer !== next.issuer) forgetPeople(ctx)
    if (next.enforced) endPasswordSessions(ctx, provedOf(domains))
    return toSso(services, { row: next, domains })
  })
}

const provedOf = (domains: readonly StoredDomain[]): string[] =>
  domains.filter(({ proved_at }) => proved_at !== null).map(({ domain }) => domain)

const entryOf = ({ organization: { id, name } }: Context, action: string) => ({
  action,
  resource: { type: 'organization', id, name },
})

/** Proofs have records of their own. */
const shownChanges = (before: Sso | null, after: Sso | null): Difference[] =>
  differences(before, after).filter(({ field }) => field !== 'domain_proofs')

const secretChange = (row: StoredSso | undefined, { client_secret }: SsoChanges): Difference[] =>
  client_secret === undefined
    ? []
    : [{ field: 'client_secret', before: row ? '[redacted]' : null, after: '[redacted]' }]

const storeSql = `
  insert into sso_settings (organization_id, issuer, client_id, client_secret_sealed,
    own_redirect_uri, default_role, role_claim, role_map, create_members, trust_email, enforced,
    version, created_at, updated_at, updated_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
  on conflict (organization_id) do update
    set issuer = $2, client_id = $3, client_secret_sealed = $4, own_redirect_uri = $5,
      default_role = $6, role_claim = $7, role_map = $8, create_members = $9, trust_email = $10,
      enforced = $11, version = $12, updated_at = $14, updated_by = $15`

function store(ctx: WriteContext, row: StoredSso): void {
  const { issuer, client_id, client_secret_sealed, own_redirect_uri, default_role } = row
  const { role_claim, create_members, trust_email, enforced, version } = row
  const first = [issuer, client_id, client_secret_sealed, own_redirect_uri, default_role]
  const rest = [role_claim, JSON.stringify(row.role_map), create_members, trust_email, enforced]
  const stamps = [version, row.created_at, row.updated_at, row.updated_by]
  ctx.tx.send(tenantQuery(ctx, storeSql, ...first, ...rest, ...stamps))
}

const forgetPeopleSql = 'delete from sso_people where organization_id = $1'
const deleteSql = 'delete from sso_settings where organization_id = $1'

/** Another provider names people in its own way: they are found by their addresses again. */
const forgetPeople = (ctx: WriteContext) => ctx.tx.send(tenantQuery(ctx, forgetPeopleSql))

/** Takes single sign-on away, with its domains; members keep their accounts. */
export async function deleteSso(ctx: Context): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const [row, known] = await Promise.all([settingsOf(ctx), storedDomains(ctx)])
    checkVersion(ctx, row.version)
    const before = toSso(ctx.services, { row, domains: known })
    if (ctx.dryRun) ctx.dryRun.object = before
    const changes = shownChanges(before, null)
    const entry = { ...entryOf(ctx, 'organization.sso_deleted'), changes }
    await audited(ctx, entry, async (ctx) => {
      setDomains(ctx, { known, wanted: [] })
      forgetPeople(ctx)
      ctx.tx.send(tenantQuery(ctx, deleteSql))
    })
  })
}
