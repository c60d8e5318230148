import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'
import { BackupError } from './format.ts'

// Parts of the header become SQL, so only what our migrations create is allowed.
const name = '[a-z_][a-z0-9_]{0,62}'
const value = "(?:'[A-Za-z0-9_:+. -]{0,100}'|MINVALUE|MAXVALUE)"
const exactly = (pattern: string) => Type.String({ pattern: `^${pattern}$` })
const only = { additionalProperties: false }

const Name = exactly(name)
const Count = Type.Integer({ minimum: 0 })

const Table = Type.Object({ name: Name, columns: Type.Array(Name), rows: Count }, only)

/** `bound` and `key` as PostgreSQL prints them; `key` is null unless it is itself partitioned. */
const Partition = Type.Object(
  {
    name: Name,
    parent: Name,
    bound: exactly(`FOR VALUES FROM \\(${value}\\) TO \\(${value}\\)`),
    key: Type.Union([exactly(`RANGE \\(${name}\\)`), Type.Null()]),
  },
  only,
)

const Header = Type.Object(
  {
    service_version: exactly('[0-9A-Za-z.+-]{1,64}'),
    created_at: exactly('[0-9TZ:.-]{20,30}'),
    /** Names of the schema's migrations, in order. */
    migrations: Type.Array(exactly('[0-9]{4}_[a-z0-9_]{1,100}')),
    /** In the order of their foreign keys. */
    tables: Type.Array(Table),
    partitions: Type.Array(Partition),
  },
  only,
)

export type Header = Static<typeof Header>
export type BackupTable = Static<typeof Table>
export type Partition = Static<typeof Partition>

/** Parses and checks the header; throws for names or bounds that this service would not write. */
export function parseHeader(text: string): Header {
  const header: unknown = JSON.parse(text)
  if (Check(Header, header)) return header
  throw new BackupError('The header of the backup has an invalid name or bound.')
}
