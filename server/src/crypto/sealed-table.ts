import { type Cipher, isSignedText, relabelled, signText, WrongKey } from './cipher.ts'

/** A row as `select` answers it; the columns of its key are text. */
export type SealedRow = Readonly<Record<string, unknown>>

/** Brings values under the active key. What no key opens stays so, and is reported. */
export type Resealer = {
  sealed(value: string, purpose: string): string
  signed(value: string, text: string, purpose: string): string
}

/** A table with values that depend on the master key. */
export type SealedTable = {
  table: string
  /** The columns of its primary key, with their types. */
  key: Readonly<Record<string, 'text' | 'timestamptz'>>
  columns: Readonly<Record<string, SealedColumn>>
  /** Further columns that they are bound to. */
  bound?: readonly string[]
  /** SQL: whether a row `t` is under the key `$1`; by default by its column `sealed_under`. */
  isUnder?: string
}

type SealedColumn = {
  type: 'text' | 'jsonb'
  reseal(value: string, row: SealedRow, resealer: Resealer): string
}

/** A sealed text, whose purpose depends on its row. */
export const sealedFor = (purpose: (row: SealedRow) => string): SealedColumn => ({
  type: 'text',
  reseal: (value, row, resealer) => resealer.sealed(value, purpose(row)),
})

export const resealerWith = (cipher: Cipher, onDamaged: () => void): Resealer => ({
  sealed: (value, purpose) => {
    try {
      return cipher.seal(cipher.open(value, purpose), purpose)
    } catch (error) {
      if (!(error instanceof WrongKey)) throw error
      onDamaged()
      return relabelled(cipher, value)
    }
  },
  signed: (value, text, purpose) => {
    if (isSignedText(cipher, { text, signed: value }, purpose))
      return signText(cipher, text, purpose)
    onDamaged()
    return relabelled(cipher, value)
  },
})
