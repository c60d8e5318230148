/** More wait for the database than there is any sense in: the same may succeed in a second. */
export class DatabaseBusy extends Error {
  constructor() {
    super('too much waits for the database')
  }
}
