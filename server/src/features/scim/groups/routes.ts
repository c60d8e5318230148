import { type Endpoint, endpoint } from '../../../http/endpoint.ts'
import { AnyBody, ofScim } from '../protocol/endpoints.ts'
import { listQuery, oneQuery } from '../protocol/pages.ts'
import { createGroup, deleteGroup, patchGroup, replaceGroup } from './change.ts'
import { getGroup, listGroups } from './groups.ts'

export const groupEndpoints: readonly Endpoint[] = [
  endpoint({
    ...ofScim,
    operation: 'scimListGroups',
    summary: 'List the groups of the directory',
    method: 'GET',
    path: '/Groups',
    query: listQuery,
    run: (ctx, { query }) => listGroups(ctx, query),
  }),
  endpoint({
    ...ofScim,
    operation: 'scimCreateGroup',
    summary: 'Add a group',
    method: 'POST',
    path: '/Groups',
    action: 'group.created',
    carriesMany: true,
    body: AnyBody,
    status: 201,
    run: (ctx, { body }) => createGroup(ctx, body),
  }),
  endpoint({
    ...ofScim,
    operation: 'scimGetGroup',
    summary: 'Get a group of the directory',
    method: 'GET',
    path: '/Groups/:id',
    query: oneQuery,
    run: (ctx, { id, query }) => getGroup(ctx, id, query),
  }),
  endpoint({
    ...ofScim,
    operation: 'scimReplaceGroup',
    summary: 'Change a group by its whole',
    method: 'PUT',
    path: '/Groups/:id',
    action: 'group.updated',
    carriesMany: true,
    body: AnyBody,
    run: (ctx, { id, body }) => replaceGroup(ctx, id, body),
  }),
  endpoint({
    ...ofScim,
    operation: 'scimPatchGroup',
    summary: 'Change a group by operations',
    method: 'PATCH',
    path: '/Groups/:id',
    action: 'group.updated',
    carriesMany: true,
    body: AnyBody,
    status: 204,
    run: (ctx, { id, body }) => patchGroup(ctx, id, body),
  }),
  endpoint({
    ...ofScim,
    operation: 'scimDeleteGroup',
    summary: 'Delete a group; its members stay',
    method: 'DELETE',
    path: '/Groups/:id',
    action: 'group.deleted',
    status: 204,
    run: (ctx, { id }) => deleteGroup(ctx, id),
  }),
]
