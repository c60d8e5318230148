import { trustDomain } from '../../features/sso/domains.ts'
import { domainOf } from '../../features/sso/normalize.ts'
import { actIn, administer } from '../administer.ts'
import { action, UsageError } from '../command.ts'
import { readOrganizationId } from '../read.ts'
import { readAll } from '../read-all.ts'

export const orgsTrustDomain = action({
  async run({ text }) {
    const { org, domain } = readAll({
      org: () => readOrganizationId(text('org')),
      domain: () => readDomain(text('domain')),
    })
    return administer('orgs trust-domain', async (services) =>
      trustDomain(await actIn(services, org), domain),
    )
  },
  show: ({ domain }) => `${domain} belongs to the organization.`,
})

function readDomain(text: string): string {
  const domain = domainOf(text)
  if (domain) return domain
  throw new UsageError(`"${text}" is not a domain with at least two labels, such as acme.example.`)
}
