import type { EventTypes } from '../../kernel/event-types.ts'
import { exampleId } from '../../values/ids.ts'
import { userIds } from '../members/resource.ts'
import { useViews, viewIds } from './resource.ts'
import { View } from './schema.ts'

const example: View = {
  id: exampleId(viewIds),
  resource: 'campaigns',
  name: 'Overspending',
  query: 'pacing_status=over&sort=-daily_budget',
  columns: ['name', 'spend', 'pacing'],
  shared: true,
  version: 2,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
  created_by: exampleId(userIds),
  updated_by: exampleId(userIds),
}

export const viewEvents: EventTypes = {
  resource: 'view',
  permission: useViews,
  schema: View,
  types: {
    'view.created': {
      description: 'A shared view was created. Views of one person have no events.',
      object: { ...example, version: 1, updated_at: example.created_at },
      previous: null,
    },
    'view.updated': {
      description: 'A shared view changed, or a view was shared or is shared no longer.',
      object: example,
      previous: { name: 'Over plan' },
    },
    'view.deleted': {
      description: 'A shared view was deleted. The object is its last state.',
      object: example,
      previous: null,
    },
  },
}
