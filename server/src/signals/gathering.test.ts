import { expect, test } from 'vitest'
import { signalBuffer } from './gathering.ts'

test('signals are gathered, one per organization', () => {
  const gathering = signalBuffer()
  for (const endpointIds of [['we_1'], ['we_2'], ['we_1', 'we_3']]) {
    gathering.add({ organizationId: 'org_1', endpointIds, touchesCredentials: false })
  }
  gathering.add({ organizationId: 'org_1', endpointIds: [], touchesCredentials: true })
  gathering.add({ organizationId: 'org_2', endpointIds: [], touchesCredentials: false })
  expect(gathering.take()).toEqual([
    { organizationId: 'org_1', endpointIds: ['we_1', 'we_2', 'we_3'], touchesCredentials: true },
    { organizationId: 'org_2', endpointIds: [], touchesCredentials: false },
  ])
  expect(gathering.isEmpty).toBe(true)
})
