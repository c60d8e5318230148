/** Where a PostgreSQL is: the embedded one's socket, or what FLIGHTDECK_DATABASE_URL names. */
export type DatabaseAddress =
  | { connectionString: string }
  | { host: string; port: number; user: string; password: string; database: string }
