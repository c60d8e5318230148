import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { listParameters } from '../../query/list.ts'
import { viewEvents } from './event-types.ts'
import { cap, tag, useViews, viewIds } from './resource.ts'
import { View, ViewBody, ViewChanges, ViewList } from './schema.ts'
import {
  createView,
  deleteView,
  getView,
  listViews,
  removeOwnViews,
  updateView,
  viewList,
} from './views.ts'

export const views: Feature = {
  tag,
  permissions: [useViews],
  ids: { views: viewIds },
  cap,
  tables: [{ name: 'views' }],
  evenWhenFull: { 'view.deleted': true },
  endpoints: [
    endpoint({
      operation: 'listViews',
      tag,
      summary: 'List views',
      description: 'Shared ones and your own. With a scope: your own.',
      method: 'GET',
      path: '/views',
      permission: useViews,
      query: listParameters(viewList),
      reply: ViewList,
      run: (ctx, { query }) => listViews(ctx, query),
    }),
    endpoint({
      operation: 'createView',
      tag,
      summary: 'Save a view',
      description:
        'For yourself (at most 100), or with `shared` for the organization. The console opens it by `?view=` and its id.',
      method: 'POST',
      path: '/views',
      permission: useViews,
      action: 'view.created',
      body: ViewBody,
      example: {
        resource: 'campaigns',
        name: 'Active, dearest first',
        query: 'status=active&sort=-daily_budget',
        columns: ['name', 'status', 'daily_budget'],
        shared: true,
      },
      status: 201,
      reply: View,
      problems: ['limit_exceeded'],
      run: (ctx, { body }) => createView(ctx, body),
    }),
    endpoint({
      operation: 'getView',
      tag,
      summary: 'Get a view',
      method: 'GET',
      path: '/views/:id',
      permission: useViews,
      reply: View,
      run: (ctx, { id }) => getView(ctx, id),
    }),
    endpoint({
      operation: 'updateView',
      tag,
      summary: 'Update a view',
      description:
        'Shared views are changed by their authors, admins and owners. `resource` stays as it is.',
      method: 'PATCH',
      path: '/views/:id',
      permission: useViews,
      action: 'view.updated',
      body: ViewChanges,
      example: { name: 'Active, most expensive first' },
      reply: View,
      problems: ['insufficient_role', 'limit_exceeded'],
      run: (ctx, { id, body }) => updateView(ctx, id, body),
    }),
    endpoint({
      operation: 'deleteView',
      tag,
      summary: 'Delete a view',
      description: 'Shared views are deleted by their authors, admins and owners.',
      method: 'DELETE',
      path: '/views/:id',
      permission: useViews,
      action: 'view.deleted',
      status: 204,
      problems: ['insufficient_role'],
      run: (ctx, { id }) => deleteView(ctx, id),
    }),
  ],
  reactions: { 'member.deleted': removeOwnViews, 'api_key.revoked': removeOwnViews },
  events: [viewEvents],
}
