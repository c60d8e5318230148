/** An insert into some columns of a table, of any number of rows; one object for each. */
export type Insert = {
  readonly table: string
  readonly columns: readonly string[]
  /** Stands behind the values: `on conflict …`, where no two rows may meet the same stored one. */
  readonly ending?: string
}
