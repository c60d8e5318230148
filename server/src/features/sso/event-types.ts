import type { EventTypes } from '../../kernel/event-types.ts'
import { organizationIds } from '../../values/core-ids.ts'
import { exampleId } from '../../values/ids.ts'
import { manageSso } from './resource.ts'
import { ProvedDomain } from './schema.ts'

const proved: ProvedDomain = {
  id: exampleId(organizationIds),
  domain: 'acme.example',
  proved_at: '2026-11-21T09:30:00.000Z',
  proved_by: 'dns',
}

export const ssoEvents: EventTypes = {
  resource: 'organization',
  permission: manageSso,
  schema: ProvedDomain,
  makesNoVersion: true,
  types: {
    'organization.sso_domain_proved': {
      description:
        'The organization has proved that a domain is its own: people with an address of it log in by its single sign-on.',
      object: proved,
      previous: null,
    },
  },
}
