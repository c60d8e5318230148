/** The queue for the database is full; a retry a second later may succeed. */
export class DatabaseBusy extends Error {
  constructor() {
    super('the queue for the database is full')
  }
}
