/** Default ports of databases: some accept connections without authentication. */
const databases: Readonly<Record<number, string>> = {
  1433: 'SQL Server',
  1521: 'Oracle',
  2379: 'etcd',
  3306: 'MySQL',
  5432: 'PostgreSQL',
  5984: 'CouchDB',
  6379: 'Redis',
  7687: 'Neo4j',
  9042: 'Cassandra',
  9200: 'Elasticsearch',
  9300: 'Elasticsearch',
  11211: 'memcached',
  26257: 'CockroachDB',
  27017: 'MongoDB',
}

const webPorts = [80, 443]
const firstFreePort = 1024

/** The service of a forbidden port; undefined if the port is allowed. */
export function guardedService(port: number): string | undefined {
  if (webPorts.includes(port)) return undefined
  return databases[port] ?? (port < firstFreePort ? 'a system service' : undefined)
}
