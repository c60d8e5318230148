import { Type } from 'typebox'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { conflict, externalIdTaken } from '../../problems/problem.ts'
import { userIds } from '../members/resource.ts'
import { groupEndpoints } from './groups/routes.ts'
import { getDocument, listDocuments, serviceProviderConfig } from './protocol/documents.ts'
import { ofScim } from './protocol/endpoints.ts'
import { documentIds, groupIds, provision } from './resource.ts'
import { userEndpoints } from './users/routes.ts'

/** Permission and constraints of SCIM; its endpoints are outside the API. */
export const scim: Feature = {
  permissions: [provision],
  evenWhenFull: { 'group.deleted': true },
  endpoints: [],
  constraints: {
    scim_users_external_id_key: () => externalIdTaken('user'),
    scim_groups_external_id_key: () => externalIdTaken('group'),
    scim_groups_name_key: () =>
      conflict('duplicate_name', 'Another group of the organization has this displayName.'),
  },
}

export const scimIds = {
  Users: userIds,
  Groups: groupIds,
  Schemas: documentIds,
  ResourceTypes: documentIds,
}

const documents = (['ResourceTypes', 'Schemas'] as const).flatMap((collection): Endpoint[] => [
  endpoint({
    ...ofScim,
    operation: `scimList${collection}`,
    summary: `List the ${collection} of SCIM`,
    method: 'GET',
    path: `/${collection}`,
    query: { filter: Type.String(), startIndex: Type.String(), count: Type.String() },
    run: async (ctx) => listDocuments(ctx, collection),
  }),
  endpoint({
    ...ofScim,
    operation: `scimGet${collection}`,
    summary: `Get one of the ${collection} of SCIM`,
    method: 'GET',
    path: `/${collection}/:id`,
    run: async (ctx, { id }) => getDocument(ctx, collection, id),
  }),
])

/** Below `/scim/v2`. */
export const scimEndpoints: readonly Endpoint[] = [
  endpoint({
    ...ofScim,
    operation: 'scimGetServiceProviderConfig',
    summary: 'Get what SCIM can do here',
    method: 'GET',
    path: '/ServiceProviderConfig',
    run: async (ctx) => serviceProviderConfig(ctx),
  }),
  ...documents,
  ...userEndpoints,
  ...groupEndpoints,
]
