/**
 * The phrases of HTTP statuses. Importing names of `node:http` would also load what its other names
 * need, such as a WebSocket client: 2 MB and 25 ms (docs/decisions/0018-memory-settings.md).
 */
export const { STATUS_CODES } = process.getBuiltinModule('node:http')
