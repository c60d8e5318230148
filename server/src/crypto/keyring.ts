import type { Reader } from '../database/database.ts'
import {
  type Cipher,
  cipherOf,
  cipherWith,
  type DerivedKeys,
  deriveKeys,
  type KeySet,
} from './cipher.ts'
import { isProofOf, openKey, otherMasterKey } from './master-key-proof.ts'

/** The master keys of a database. There are two while the key is being changed. */
export type Keyring = {
  /** Always seals under the key that is active as of the last reading. */
  readonly cipher: Cipher
  /** The ids of the known keys. */
  readonly ids: readonly number[]
  /** The key with this id, in base64; undefined if it is not known. */
  keyOf(id: number): string | undefined
  /** Reads again which keys there are. Throws `WrongKey` if none of them is known any more. */
  refresh(): Promise<void>
}

type KeyRow = {
  id: number
  proof: string
  key_sealed: string | null
  active_since: string | null
}

const keysSql = 'select id, proof, key_sealed, active_since from master_keys order by id'

type QueryOnly = Pick<Reader, 'query'>

type Held = { known: ReadonlyMap<number, string>; keys: KeySet }

/** By any one of its keys. Throws `WrongKey` for another one. */
export async function openKeyring(reader: QueryOnly, masterKey: string): Promise<Keyring> {
  let held = await readKeys(reader, [masterKey], [])
  return {
    cipher: cipherOf(() => held.keys),
    get ids() {
      return [...held.known.keys()].sort((one, other) => one - other)
    },
    keyOf: (id) => held.known.get(id),
    refresh: async () => {
      held = await readKeys(reader, [...held.known.values(), masterKey], held.keys.all)
    },
  }
}

async function readKeys(
  reader: QueryOnly,
  candidates: readonly string[],
  before: readonly DerivedKeys[],
): Promise<Held> {
  const rows = await reader.query<KeyRow>({ sql: keysSql, parameters: [] })
  const known = keysIn(rows, candidates)
  // A key keeps its id.
  const all = [...known].map(
    ([id, key]) => before.find((each) => each.id === id) ?? deriveKeys(id, key),
  )
  const activeId = rows.find((row) => row.active_since !== null)?.id
  const active = all.find(({ id }) => id === activeId)
  if (!active) throw otherMasterKey()
  return { known, keys: { active, all } }
}

/** All keys of these rows, from any one of the candidates. */
function keysIn(rows: readonly KeyRow[], candidates: readonly string[]): Map<number, string> {
  const known = new Map<number, string>()
  for (const { id, proof } of rows) {
    const key = candidates.find((candidate) => isProofOf(cipherWith(candidate), proof))
    if (key !== undefined) known.set(id, key)
  }
  for (const { id, key_sealed: sealed } of rows) {
    if (known.has(id) || sealed === null) continue
    const keys = [...known.values()].map((key) => openKey(key, { id, sealed }))
    const key = keys.find((each) => each !== undefined)
    if (key !== undefined) known.set(id, key)
  }
  return known
}
