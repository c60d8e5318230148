import type { Tag } from '../../http/endpoint.ts'
import { permission, roles } from '../../identity/permissions.ts'
import type { Cap } from '../../kernel/quotas.ts'
import { type IdType, idType } from '../../values/ids.ts'
import { monthPattern } from '../../values/times.ts'

export const tag: Tag = {
  name: 'Clients',
  description: 'Whose money it is: the customers that profiles, and so campaigns, belong to.',
}

export const clientIds = idType('client', 'cli')

export const readClients = permission('clients.read', roles, { isForAgents: true })
export const writeClients = permission('clients.write', ['owner', 'admin'])

/** Editors plan what clients spend, too. */
export const writeBudgets = permission('client_budgets.write', ['owner', 'admin', 'editor'])

export const budgetMonths: IdType = {
  noun: 'month',
  prefix: '',
  pattern: monthPattern,
  expression: new RegExp(monthPattern),
  example: '2026-12',
}

export const cap: Cap = { name: 'clients', defaultLimit: 1_000 }
