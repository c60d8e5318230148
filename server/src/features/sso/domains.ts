import { createHash } from 'node:crypto'
import { change } from '../../kernel/change.ts'
import { type Context, nowText, type WriteContext } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { inTransaction, throwIfReplayed } from '../../kernel/transaction.ts'
import { conflict, notFound, Problem } from '../../problems/problem.ts'
import { endPasswordSessions } from './enforce.ts'
import { domainOf } from './normalize.ts'
import type { ProvedDomain, Sso, SsoDomain } from './schema.ts'
import {
  recordOf,
  type StoredDomain,
  settingsOf,
  storedDomains,
  storedSso,
  toDomain,
  toSso,
} from './stored.ts'

type Listed = { known: readonly StoredDomain[]; wanted: readonly string[] }

const insertSql = `
  insert into sso_domains (organization_id, domain, token, created_at) values ($1, $2, $3, $4)`
const deleteSql = 'delete from sso_domains where organization_id = $1 and domain = $2'
const freeSql = 'delete from proved_domains where organization_id = $1 and domain = $2'

/** Keeps those that are wanted, with their proofs; what leaves the list is free again. */
export function setDomains(ctx: WriteContext, { known, wanted }: Listed): StoredDomain[] {
  for (const { domain, proved_at } of known) {
    if (wanted.includes(domain)) continue
    ctx.tx.send(tenantQuery(ctx, deleteSql, domain))
    if (proved_at !== null) ctx.tx.send(tenantQuery(ctx, freeSql, domain))
  }
  return wanted.map((domain) => known.find((each) => each.domain === domain) ?? add(ctx, domain))
}

function add(ctx: WriteContext, domain: string): StoredDomain {
  const [organization_id, created_at] = [ctx.organization.id, nowText(ctx.services)]
  const token = tokenOf(organization_id, domain)
  ctx.tx.send(tenantQuery(ctx, insertSql, domain, token, created_at))
  return { organization_id, domain, token, created_at, proved_at: null, proved_by: null }
}

const tokenLength = 32

/** The same each time: it is published, and says whose the domain is. */
const tokenOf = (organizationId: string, domain: string): string =>
  createHash('sha256').update(`${organizationId} ${domain}`).digest('hex').slice(0, tokenLength)

/** Looks for the TXT record, and takes the domain if it is there. */
export async function verifyDomain(ctx: Context, name: string): Promise<Sso> {
  await throwIfReplayed(ctx)
  const [settings, domains] = await Promise.all([settingsOf(ctx), storedDomains(ctx)])
  const row = domainNamed(domains, name)
  if (row.proved_at !== null) return toSso(ctx.services, { row: settings, domains })
  const wanted = recordOf(row.token)
  const found = await ctx.services.egress.texts(row.domain).catch((): readonly string[] => [])
  if (!found.includes(wanted)) {
    const detail = `No TXT record “${wanted}” was found at ${row.domain}. It may take a while until a new one is seen.`
    throw new Problem('domain_not_proved', detail)
  }
  return inTransaction(ctx, async (ctx) => {
    const row = await settingsOf(ctx)
    const domain = domainNamed(await storedDomains(ctx), name)
    const proved = await proveDomain(ctx, { domain: domain.domain, by: 'dns' })
    const all = (await storedDomains(ctx)).map((each) =>
      each.domain === proved.domain ? proved : each,
    )
    return toSso(ctx.services, { row: { ...row, version: row.version + 1 }, domains: all })
  })
}

function domainNamed(known: readonly StoredDomain[], name: string): StoredDomain {
  const domain = domainOf(name)
  const row = known.find((each) => each.domain === domain)
  if (!row) throw notFound()
  return row
}

/** Gives the organization a domain on the operator’s word. */
export const trustDomain = async (ctx: Context, domain: string): Promise<SsoDomain> =>
  toDomain(await inTransaction(ctx, (ctx) => proveDomain(ctx, { domain, by: 'operator' })))

type Proof = { domain: string; by: 'dns' | 'operator' }

const ownerSql = 'select organization_id from proved_domains where domain = $1'
const takeSql = 'insert into proved_domains (organization_id, domain) values ($1, $2)'
const proveSql = `
  update sso_domains set proved_at = $3, proved_by = $4 where organization_id = $1 and domain = $2`
const versionSql = `
  update sso_settings set version = version + 1, updated_at = $2 where organization_id = $1`

async function proveDomain(ctx: WriteContext, { domain, by }: Proof): Promise<StoredDomain> {
  const row = (await storedDomains(ctx)).find((each) => each.domain === domain) ?? add(ctx, domain)
  if (row.proved_at !== null) return row
  await checkFree(ctx, domain)
  const proved = { ...row, proved_at: nowText(ctx.services), proved_by: by }
  await change<ProvedDomain>(ctx, 'organization.sso_domain_proved', async (ctx) => {
    ctx.tx.send(tenantQuery(ctx, takeSql, domain))
    ctx.tx.send(tenantQuery(ctx, proveSql, domain, proved.proved_at, by))
    ctx.tx.send(tenantQuery(ctx, versionSql, ctx.now))
    if ((await storedSso(ctx))?.enforced) endPasswordSessions(ctx, [domain])
    const { proved_at, proved_by } = proved
    return { before: null, after: { id: ctx.organization.id, domain, proved_at, proved_by } }
  })
  return proved
}

async function checkFree(ctx: WriteContext, domain: string): Promise<void> {
  const [row] = await ctx.tx.query<{ organization_id: string }>({
    sql: ownerSql,
    parameters: [domain],
  })
  if (row) throw domainTaken()
}

export const domainTaken = () =>
  conflict('domain_taken', 'The domain belongs to another organization of this service.')
