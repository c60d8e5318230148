import pg from 'pg'

/** What pg's connection tells of the server; its types leave it out. */
type Connection = {
  on(event: 'parameterStatus', listener: (status: Status) => void): void
  stream: { destroy(error: Error): void }
}
type Status = { parameterName: string; parameterValue: string }

/**
 * A client that refuses a standby, as libpq does with `target_session_attrs=primary`: after a failover
 * the name may lead to the old server for a while, whose connections would stay there for good, stale.
 * The server says what it is while it connects, which costs nothing.
 */
export class PrimaryClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const { connection } = this as unknown as { connection: Connection }
    connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName !== 'in_hot_standby' || parameterValue !== 'on') return
      connection.stream.destroy(new StandbyRefused())
    })
  }
}

class StandbyRefused extends Error {
  /** As PostgreSQL answers a write there. */
  readonly code = '25006'

  constructor() {
    super('the server is a standby, which takes no writes')
  }
}
