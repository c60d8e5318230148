import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../problems/problem.ts'
import { addressOf } from './addresses.ts'
import { mostOfPage } from './pages.ts'
import { groupAttributes, userAttributes } from './schemas.ts'

/** Descriptions of the service, which a directory reads before it begins (RFC 7644, 4). */

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'

const not = { supported: false }

export const serviceProviderConfig = (ctx: Context) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri: `${ctx.services.config.publicUrl}/docs`,
  patch: { supported: true },
  bulk: { ...not, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: mostOfPage },
  changePassword: not,
  sort: not,
  etag: not,
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'API key',
      description: 'An API key of the role provisioner, as a bearer token.',
      primary: true,
    },
  ],
  meta: {
    resourceType: 'ServiceProviderConfig',
    location: `${ctx.services.config.publicUrl}/scim/v2/ServiceProviderConfig`,
  },
})

const resourceTypes = (ctx: Context) =>
  [
    { name: 'User', endpoint: '/Users', description: 'Members', schema: userSchema },
    { name: 'Group', endpoint: '/Groups', description: 'Groups of members', schema: groupSchema },
  ].map((type) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: type.name,
    ...type,
    schemaExtensions: [],
    meta: {
      resourceType: 'ResourceType',
      location: addressOf(ctx, 'ResourceTypes', type.name),
    },
  }))

const schemas = (ctx: Context) =>
  [
    { id: userSchema, name: 'User', description: 'A member', attributes: userAttributes },
    { id: groupSchema, name: 'Group', description: 'A group', attributes: groupAttributes },
  ].map((schema) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    ...schema,
    meta: { resourceType: 'Schema', location: addressOf(ctx, 'Schemas', schema.id) },
  }))

const documents = { ResourceTypes: resourceTypes, Schemas: schemas }
type Collection = keyof typeof documents

export function listDocuments(ctx: Context, collection: Collection) {
  const resources = documents[collection](ctx)
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: resources.length,
    startIndex: 1,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}

export function getDocument(ctx: Context, collection: Collection, id: string) {
  const found = documents[collection](ctx).find((each) => each.id === id)
  if (!found) throw notFound()
  return found
}
