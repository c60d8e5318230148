/** Where something stands in a file; lines and columns count from one. */
export type Place = { file: string; line: number; column: number }

/** A value of a file, with its place. */
export type Placed = { place: Place } & (
  | { kind: 'scalar'; value: string | number | boolean | null }
  | { kind: 'list'; items: readonly Placed[] }
  | { kind: 'map'; members: ReadonlyMap<string, Member> }
)

/** A member of a map: the place of its name, and its value. */
export type Member = { place: Place; value: Placed }

/** What is wrong in a file, and where. */
export type Fault = { place: Place; message: string }

/** The value alone. Names of members are the file's, `__proto__` too. */
export function plain(placed: Placed): unknown {
  if (placed.kind === 'scalar') return placed.value
  if (placed.kind === 'list') return placed.items.map(plain)
  return Object.fromEntries([...placed.members].map(([name, { value }]) => [name, plain(value)]))
}

export const membersOf = (placed: Placed | undefined): ReadonlyMap<string, Member> =>
  placed?.kind === 'map' ? placed.members : new Map()

export const valueIn = (placed: Placed | undefined): unknown => placed && plain(placed)
