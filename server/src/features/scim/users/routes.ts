import { type Endpoint, endpoint } from '../../../http/endpoint.ts'
import { AnyBody, ofScim } from '../protocol/endpoints.ts'
import { listQuery, oneQuery } from '../protocol/pages.ts'
import { createUser, deleteUser, getUser, listUsers, patchUser, replaceUser } from './users.ts'

export const userEndpoints: readonly Endpoint[] = [
  endpoint({
    ...ofScim,
    operation: 'scimListUsers',
    summary: 'List members as users of SCIM',
    method: 'GET',
    path: '/Users',
    query: listQuery,
    run: (ctx, { query }) => listUsers(ctx, query),
  }),
  endpoint({
    ...ofScim,
    operation: 'scimCreateUser',
    summary: 'Add a member',
    method: 'POST',
    path: '/Users',
    action: 'member.created',
    body: AnyBody,
    status: 201,
    run: (ctx, { body }) => createUser(ctx, body),
  }),
  endpoint({
    ...ofScim,
    operation: 'scimGetUser',
    summary: 'Get a member as a user of SCIM',
    method: 'GET',
    path: '/Users/:id',
    query: oneQuery,
    run: (ctx, { id, query }) => getUser(ctx, id, query),
  }),
  endpoint({
    ...ofScim,
    operation: 'scimReplaceUser',
    summary: 'Change a member by its whole user',
    method: 'PUT',
    path: '/Users/:id',
    action: 'member.updated',
    body: AnyBody,
    run: (ctx, { id, body }) => replaceUser(ctx, id, body),
  }),
  endpoint({
    ...ofScim,
    operation: 'scimPatchUser',
    summary: 'Change a member by operations',
    method: 'PATCH',
    path: '/Users/:id',
    action: 'member.updated',
    carriesMany: true,
    body: AnyBody,
    run: (ctx, { id, body }) => patchUser(ctx, id, body),
  }),
  endpoint({
    ...ofScim,
    operation: 'scimDeleteUser',
    summary: 'Disable a member',
    method: 'DELETE',
    path: '/Users/:id',
    action: 'member.updated',
    status: 204,
    run: (ctx, { id }) => deleteUser(ctx, id),
  }),
]
