import { setOrganization } from '../../features/organizations/organization.ts'
import type { Organization } from '../../features/organizations/schema.ts'
import { actIn, administer } from '../administer.ts'
import { action } from '../command.ts'
import { readOrganizationId, readPlan } from '../read.ts'
import { readAll } from '../read-all.ts'

export const orgsSetPlan = action({
  async run({ text }) {
    const { org, plan } = readAll({
      org: () => readOrganizationId(text('org')),
      plan: () => readPlan(text('plan')),
    })
    return set('orgs set-plan', org, { plan })
  },
  show: ({ name, plan }) => `${name} has the plan ${plan}.`,
})

export const orgsSuspend = action({
  run: ({ text }) => set('orgs suspend', readOrganizationId(text('org')), { status: 'suspended' }),
  show: ({ name }) => `${name} is suspended: it can be read but not changed.`,
})

export const orgsResume = action({
  run: ({ text }) => set('orgs resume', readOrganizationId(text('org')), { status: 'active' }),
  show: ({ name }) => `${name} is active.`,
})

type Settable = Partial<Pick<Organization, 'plan' | 'status'>>

const set = (name: string, id: string, values: Settable): Promise<Organization> =>
  administer(name, async (services) => setOrganization(await actIn(services, id), () => values))
