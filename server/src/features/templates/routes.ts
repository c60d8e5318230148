import { asOfParameter, RevertBody, revert } from '../../history/as-of.ts'
import { History, historyOf, historyParameters } from '../../history/versions.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { listParameters } from '../../query/list.ts'
import { templateEvents } from './event-types.ts'
import { templateAt, templateHistory } from './history.ts'
import { templateRefusals } from './refusals.ts'
import { cap, readTemplates, tag, templateIds, writeTemplates } from './resource.ts'
import {
  SaveAsTemplateBody,
  Template,
  TemplateBody,
  TemplateChanges,
  TemplateList,
} from './schema.ts'
import {
  createTemplate,
  deleteTemplate,
  listTemplates,
  saveAsTemplate,
  templateList,
  updateTemplate,
} from './templates.ts'

export const templates: Feature = {
  tag,
  permissions: [readTemplates, writeTemplates],
  ids: { templates: templateIds },
  cap,
  tables: [{ name: 'templates', isEmptied: true }],
  evenWhenFull: {
    'template.deleted': true,
  },
  endpoints: [
    endpoint({
      operation: 'listTemplates',
      tag,
      summary: 'List templates',
      method: 'GET',
      path: '/templates',
      permission: readTemplates,
      query: listParameters(templateList),
      reply: TemplateList,
      run: (ctx, { query }) => listTemplates(ctx, query),
    }),
    endpoint({
      operation: 'createTemplate',
      tag,
      summary: 'Create a template',
      description:
        'A preset for campaigns: fields omitted in POST /campaigns come from its `defaults`; `locked_fields` cannot be overridden.',
      method: 'POST',
      path: '/templates',
      permission: writeTemplates,
      action: 'template.created',
      body: TemplateBody,
      example: {
        name: 'EMEA sales',
        defaults: { objective: 'sales', daily_budget: 33.51, currency: 'USD' },
        locked_fields: ['objective'],
      },
      gathersFaults: true,
      status: 201,
      reply: Template,
      problems: ['duplicate_name', 'external_id_taken', 'limit_exceeded'],
      run: (ctx, { body }) => createTemplate(ctx, body),
    }),
    endpoint({
      operation: 'getTemplate',
      tag,
      summary: 'Get a template',
      method: 'GET',
      path: '/templates/:id',
      permission: readTemplates,
      query: asOfParameter,
      reply: Template,
      run: (ctx, { id, query }) => templateAt(ctx, id, query.as_of),
    }),
    endpoint({
      operation: 'updateTemplate',
      tag,
      summary: 'Update a template',
      description:
        'PUT and PATCH both merge; `defaults` is replaced as a whole, or merged by a merge patch. Existing campaigns are not affected.',
      method: ['PUT', 'PATCH'],
      path: '/templates/:id',
      permission: writeTemplates,
      action: 'template.updated',
      body: TemplateChanges,
      example: { locked_fields: ['objective', 'currency'] },
      gathersFaults: true,
      reply: Template,
      problems: ['duplicate_name', 'external_id_taken'],
      run: (ctx, { id, body }) => updateTemplate(ctx, id, body),
    }),
    endpoint({
      operation: 'deleteTemplate',
      tag,
      summary: 'Delete a template',
      description: 'Existing campaigns are not affected.',
      method: 'DELETE',
      path: '/templates/:id',
      permission: writeTemplates,
      action: 'template.deleted',
      status: 204,
      run: (ctx, { id }) => deleteTemplate(ctx, id),
    }),
    endpoint({
      operation: 'getTemplateHistory',
      tag,
      summary: 'List the versions of a template',
      description:
        'Newest first: the state after each change, its time and its actor. Goes back as far as audit records are kept.',
      method: 'GET',
      path: '/templates/:id/history',
      permission: readTemplates,
      query: historyParameters(templateHistory),
      reply: History,
      run: (ctx, { id, query }) => historyOf(ctx, templateHistory, { id, query }),
    }),
    endpoint({
      operation: 'revertTemplate',
      tag,
      summary: 'Restore an earlier version of a template',
      description:
        'Validated like any other update: a field that cannot change now is refused. Existing campaigns are not affected.',
      method: 'POST',
      path: '/templates/:id/revert',
      permission: writeTemplates,
      action: 'template.updated',
      body: RevertBody,
      example: { to_version: 3 },
      reply: Template,
      problems: ['duplicate_name', 'external_id_taken'],
      run: (ctx, { id, body }) => revert(ctx, templateHistory, { id, ...body }),
    }),
    endpoint({
      operation: 'saveCampaignAsTemplate',
      tag,
      summary: 'Create a template from a campaign',
      description:
        'The defaults are taken from the campaign’s objective, profile, budgets, currency, time zone, labels, metadata and notes, where set.',
      method: 'POST',
      path: '/campaigns/:id/save_as_template',
      permission: writeTemplates,
      action: 'template.created',
      body: SaveAsTemplateBody,
      example: { name: 'Like Spring Sale 2026' },
      gathersFaults: true,
      status: 201,
      locatedAt: '/templates',
      reply: Template,
      problems: ['duplicate_name', 'limit_exceeded'],
      run: (ctx, { id, body }) => saveAsTemplate(ctx, id, body),
    }),
  ],
  constraints: templateRefusals,
  events: [templateEvents],
}
