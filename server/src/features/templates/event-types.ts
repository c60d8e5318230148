import type { EventTypes } from '../../kernel/event-types.ts'
import { exampleId } from '../../values/ids.ts'
import { userIds } from '../members/resource.ts'
import { readTemplates, templateIds } from './resource.ts'
import { Template } from './schema.ts'

const example: Template = {
  id: exampleId(templateIds),
  name: 'Always-on search',
  description: 'Brand and category terms, all year.',
  defaults: { objective: 'traffic', labels: ['always-on'] },
  locked_fields: ['objective'],
  external_id: null,
  labels: [],
  metadata: {},
  version: 2,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
  created_by: exampleId(userIds),
  updated_by: exampleId(userIds),
}

export const templateEvents: EventTypes = {
  resource: 'template',
  permission: readTemplates,
  schema: Template,
  types: {
    'template.created': {
      description: 'A template was created.',
      object: { ...example, version: 1, updated_at: example.created_at },
      previous: null,
    },
    'template.updated': {
      description: 'Fields of a template changed. Existing campaigns are not affected.',
      object: example,
      previous: { locked_fields: [] },
    },
    'template.deleted': {
      description: 'A template was deleted. The object is its last state.',
      object: example,
      previous: null,
    },
  },
}
