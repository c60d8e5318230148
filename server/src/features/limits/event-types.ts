import type { EventTypes } from '../../kernel/event-types.ts'
import { storageWarning } from '../../kernel/storage.ts'
import { organizationIds } from '../../values/core-ids.ts'
import { exampleId } from '../../values/ids.ts'
import { readOrganization } from '../organizations/resource.ts'
import { StorageUse } from './schema.ts'

const use: StorageUse = {
  id: exampleId(organizationIds),
  plan: 'operator',
  used: 1_610_612_736,
  limit: 2_000_000_000,
}

export const storageEvents: EventTypes = {
  resource: 'organization',
  permission: readOrganization,
  schema: StorageUse,
  types: {
    [storageWarning]: {
      description: 'The organization stores 80 % of what its plan allows. Once for each limit.',
      object: use,
      previous: null,
    },
  },
}
