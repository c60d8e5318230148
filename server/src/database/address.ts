/** The address of a PostgreSQL: FLIGHTDECK_DATABASE_URL, or the embedded one's socket. */
export type DatabaseAddress =
  | { connectionString: string }
  | { host: string; port: number; user: string; password: string; database: string }
