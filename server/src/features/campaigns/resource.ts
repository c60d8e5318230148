import type { Tag } from '../../http/endpoint.ts'
import { permission, roles } from '../../identity/permissions.ts'
import type { Cap } from '../../kernel/quotas.ts'
import { idType } from '../../values/ids.ts'

export const tag: Tag = {
  name: 'Campaigns',
  description: 'Budgets, dates and targets of advertising. The status changes only by actions.',
}

export const campaignIds = idType('campaign', 'cmp')

export const readCampaigns = permission('campaigns.read', [...roles, 'reporter'], {
  isForAgents: true,
})
export const writeCampaigns = permission('campaigns.write', ['owner', 'admin', 'editor'], {
  isForAgents: true,
})
export const approveCampaigns = permission('campaigns.approve', ['owner', 'admin', 'editor'])
export const withdrawAnyCampaign = permission('campaigns.withdraw_any', ['owner', 'admin'])

export const cap: Cap = {
  name: 'campaigns',
  defaultLimit: 10_000,
  counted: `status <> 'archived'`,
}
