import { Type } from 'typebox'
import {
  bodyOf,
  changesOf,
  choice,
  currencyCode,
  ExternalId,
  idOf,
  Labels,
  Metadata,
  Notes,
  nameLike,
  orNull,
  pageOfSchema,
  readOnlyOf,
  stamps,
  text,
  timeZoneName,
} from '../../schema/fields.ts'
import { clientIds } from './resource.ts'

export const clientStatuses = ['active', 'archived'] as const

const Status = choice(clientStatuses, {
  title: 'ClientStatus',
  description: 'An archived client keeps its profiles, but no profile can be given to it.',
})

/** Fields that clients of the API can write. */
const clientFields = {
  name: nameLike(
    'Northwind Traders',
    'Unique within the organization regardless of case, archived clients included.',
  ),
  currency: orNull(currencyCode('ISO 4217 code that it is usually billed in.')),
  time_zone: orNull(
    timeZoneName('IANA name; its months begin there. Null: the organization’s time zone.'),
  ),
  status: Status,
  external_id: orNull(ExternalId),
  labels: orNull(Labels),
  metadata: orNull(Metadata),
  notes: orNull(Notes),
}

const reply = {
  id: idOf(clientIds, 'Client identifier.'),
  name: text('Name of the client.'),
  currency: orNull(text('ISO 4217 code that it is usually billed in.')),
  time_zone: orNull(text('IANA name; null: the organization’s time zone.')),
  status: Status,
  external_id: orNull(ExternalId),
  labels: Labels,
  metadata: Metadata,
  notes: orNull(Notes),
  ...stamps,
}

export const Client = Type.Object(reply, {
  title: 'Client',
  description: 'A customer that profiles, and so campaigns, belong to.',
})
export type Client = Type.Static<typeof Client>

export const ClientList = pageOfSchema(Client)

/** Response fields that only the service writes. */
export const readOnlyFields = readOnlyOf(Client, clientFields)

const { name, ...others } = clientFields

export const ClientBody = bodyOf(
  { name, ...Type.Partial(Type.Object(others)).properties },
  { title: 'ClientInput', readOnlyFields },
)
export type ClientInput = Type.Static<typeof ClientBody>

export const ClientChanges = changesOf(clientFields, readOnlyFields, 'ClientChanges')
export type ClientChanges = Type.Static<typeof ClientChanges>
