/** A stored object as its form holds it. */
export type StoredValues<Values> = { values: Values; version: number; changedBy: string | null }

type Versioned = { version: number; updated_by_name?: string | null }

export const storedIn = <Of extends Versioned, Values>(
  object: Of,
  valuesOf: (object: Of) => Values,
): StoredValues<Values> => ({
  values: valuesOf(object),
  version: object.version,
  changedBy: object.updated_by_name ?? null,
})
