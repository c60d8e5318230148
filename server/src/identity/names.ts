import type { Reader } from '../database/database.ts'
import type { Signals } from '../signals/signals.ts'
import { type Asked, askedForMany, askedForOne } from './asked.ts'
import { type CredentialCache, credentialCache } from './credential-cache.ts'

/** A user or an API key. */
type Person = { readonly organizationId: string; readonly id: string }
type NamedPerson = Person & { readonly name: string }

export type Names = CredentialCache<Person, NamedPerson>

/** Caches the names of users and API keys, as sessions are cached: lists show them beside ids. */
export const namesFrom = (reader: Reader, signals: Signals): Names =>
  credentialCache<Person, NamedPerson>(
    {
      idOf: personKeyOf,
      idIn: personKeyOf,
      one: async (person) => (await readNames(reader, oneSql, person))[0],
      many: (people) =>
        readNames(reader, manySql, {
          organizationId: people.map(({ organizationId }) => organizationId),
          id: people.map(({ id }) => id),
        }),
    },
    signals,
  )

const personKeyOf = ({ organizationId, id }: Person) => `${organizationId} ${id}`

/** One lookup per person; `between` and `order by` as in `session-states.ts`. */
const namesOf = ({ from, tenant, key }: Asked) => `
  select ${tenant} as "organizationId", ${key} as id, person.name
  from ${from} (
    (select name from users
      where organization_id = ${tenant} and id between ${key} and ${key}
      order by id limit 1)
    union all
    (select name from api_keys
      where organization_id = ${tenant} and id between ${key} and ${key}
        and revoked_at is null
      order by id limit 1)) as person`

const oneSql = namesOf(askedForOne)
const manySql = namesOf(askedForMany)

type PersonKeys = { organizationId: string | string[]; id: string | string[] }

/** Reads names, without people who are gone. */
const readNames = (reader: Reader, sql: string, { organizationId, id }: PersonKeys) =>
  reader.query<NamedPerson>({ sql, parameters: [organizationId, id] })
