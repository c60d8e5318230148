import { campaignUnder } from './client.ts'
import { type NextRequest, requestText } from './load.ts'
import type { Tenant } from './seed.ts'

/** The n-th request of each kind, spread over the tenants in turn. */
export type Requests = { bare: NextRequest; ours: NextRequest }

const pick = (tenants: Tenant[], turn: number): Tenant => {
  const tenant = tenants[turn % tenants.length]
  if (!tenant) throw new Error('there are no tenants')
  return tenant
}

const campaignOf = ({ campaignIds }: Tenant, turn: number) =>
  campaignIds[(turn * 7) % campaignIds.length] ?? ''

export const readOne = (tenants: Tenant[]): Requests => ({
  bare: (turn) => {
    const tenant = pick(tenants, turn)
    return requestText({ method: 'GET', path: `/one/${tenant.id}/${campaignOf(tenant, turn)}` })
  },
  ours: (turn) => {
    const tenant = pick(tenants, turn)
    const path = `/api/v1/campaigns/${campaignOf(tenant, turn)}`
    return requestText({ method: 'GET', path, token: tenant.token })
  },
})

export const list = (tenants: Tenant[]): Requests => ({
  bare: (turn) => requestText({ method: 'GET', path: `/list/${pick(tenants, turn).id}` }),
  ours: (turn) => {
    const { token } = pick(tenants, turn)
    return requestText({ method: 'GET', path: '/api/v1/campaigns?limit=25', token })
  },
})

export function create(tenants: Tenant[]): Requests {
  let key = 0
  const run = Math.random().toString(36).slice(2)
  return {
    bare: (turn) =>
      requestText({
        method: 'POST',
        path: '/insert',
        body: campaignUnder(pick(tenants, turn).profileId),
      }),
    ours: (turn) => {
      const tenant = pick(tenants, turn)
      key += 1
      return requestText({
        method: 'POST',
        path: '/api/v1/campaigns',
        token: tenant.token,
        key: `${run}-${key}`,
        body: campaignUnder(tenant.profileId),
      })
    },
  }
}

/** Ten requests in turn: one creates, one lists and eight read. */
export function mixed(tenants: Tenant[]): NextRequest {
  const [write, page, read] = [create(tenants).ours, list(tenants).ours, readOne(tenants).ours]
  const kinds = [write, page]
  return (turn) => (kinds[turn % 10] ?? read)(turn)
}

/** The same page of one tenant's list, repeatedly. */
export const onePage = ({ token }: Tenant, cursor: string | null): NextRequest => {
  const query = cursor === null ? 'limit=25' : `limit=25&cursor=${cursor}`
  const text = requestText({ method: 'GET', path: `/api/v1/campaigns?${query}`, token })
  return () => text
}
