import { asOfParameter, RevertBody, revert } from '../../history/as-of.ts'
import { History, historyOf, historyParameters } from '../../history/versions.ts'
import { endpoint, type Feature } from '../../http/endpoint.ts'
import { conflict, externalIdTaken } from '../../problems/problem.ts'
import { listParameters } from '../../query/list.ts'
import { templateEvents } from './event-types.ts'
import { templateAt, templateHistory } from './history.ts'
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

const tag = 'Templates'

export const templates: Feature = {
  endpoints: [
    endpoint({
      operation: 'listTemplates',
      tag,
      summary: 'List templates',
      method: 'GET',
      path: '/templates',
      permission: 'templates.read',
      query: listParameters(templateList),
      reply: TemplateList,
      run: (ctx, { query }) => listTemplates(ctx, query),
    }),
    endpoint({
      operation: 'createTemplate',
      tag,
      summary: 'Create a template',
      description:
        'A preset for campaigns: what POST /campaigns leaves out comes from its `defaults`, and `locked_fields` cannot be overridden.',
      method: 'POST',
      path: '/templates',
      permission: 'templates.write',
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
      permission: 'templates.read',
      query: asOfParameter,
      reply: Template,
      run: (ctx, { id, query }) => templateAt(ctx, id, query.as_of),
    }),
    endpoint({
      operation: 'updateTemplate',
      tag,
      summary: 'Change a template',
      description:
        'PUT and PATCH both merge, `defaults` as a whole. Campaigns made from it before stay as they are.',
      method: ['PUT', 'PATCH'],
      path: '/templates/:id',
      permission: 'templates.write',
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
      description: 'Campaigns made from it stay as they are.',
      method: 'DELETE',
      path: '/templates/:id',
      permission: 'templates.write',
      action: 'template.deleted',
      status: 204,
      run: (ctx, { id }) => deleteTemplate(ctx, id),
    }),
    endpoint({
      operation: 'getTemplateHistory',
      tag,
      summary: 'List the versions of a template',
      description:
        'Newest first: what each change made of it, when, and who did it. Ends where audit records are no longer kept.',
      method: 'GET',
      path: '/templates/:id/history',
      permission: 'templates.read',
      query: historyParameters(templateHistory),
      reply: History,
      run: (ctx, { id, query }) => historyOf(ctx, templateHistory, { id, query }),
    }),
    endpoint({
      operation: 'revertTemplate',
      tag,
      summary: 'Give a template the fields of an earlier version',
      description:
        'An ordinary change, checked like one: a field that may not change now is refused. Campaigns made from it stay as they are.',
      method: 'POST',
      path: '/templates/:id/revert',
      permission: 'templates.write',
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
      summary: 'Make a template from a campaign',
      description:
        'Its defaults are the campaign’s objective, profile, budgets, currency, time zone, labels, metadata and notes, as far as it has them.',
      method: 'POST',
      path: '/campaigns/:id/save_as_template',
      permission: 'templates.write',
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
  constraints: {
    templates_name_key: () => conflict('duplicate_name', 'Another template has this name.'),
    templates_external_id_key: () => externalIdTaken('template'),
  },
  events: [templateEvents],
}
