import { txtRecords } from '../../clients/txt-records.ts'
import type { TestOrganization } from '../../world.ts'
import type { Write } from '../write-cases.ts'

export const ssoBody = (domain: string) => ({
  issuer: 'https://login.acme.example',
  client_id: 'flightdeck',
  client_secret: 'tAtGXH5wHzYn8mV2',
  domains: [domain],
  default_role: 'viewer',
})

/** A domain of the organization's own. */
export const domainOfTest = ({ id }: TestOrganization) => `${id.replaceAll('_', '-')}.example`

/** Sets single sign-on up; answers the domain, whose record is published. */
async function setUp(organization: TestOrganization): Promise<string> {
  const domain = domainOfTest(organization)
  const { domain_proofs: proofs } = (
    await organization.owner.put('/organization/sso', ssoBody(domain))
  ).json()
  txtRecords.set(domain, [proofs[0].txt_record])
  return domain
}

export const ssoWrites: Record<string, Write> = {
  'PUT /organization/sso': {
    action: 'organization.sso_updated',
    event: false,
    body: (_, organization) => ssoBody(domainOfTest(organization)),
  },
  'DELETE /organization/sso': {
    action: 'organization.sso_deleted',
    event: false,
    arrange: setUp,
  },
  'POST /organization/sso/test': {
    action: 'organization.sso_tested',
    event: false,
    arrange: setUp,
  },
  'POST /organization/sso/domains/:domain/verify': {
    action: 'organization.sso_domain_proved',
    event: true,
    arrange: setUp,
  },
}

export const ssoReads = { 'GET /organization/sso': { arrange: setUp } }
