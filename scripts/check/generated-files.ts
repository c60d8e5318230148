/** Files that `npm run generate` or npm writes. */
export const generatedFiles: ReadonlySet<string> = new Set([
  'openapi.json',
  'package-lock.json',
  'server/schema.sql',
  'server/src/config/caps.ts',
  'server/src/database/tables/types.ts',
  'server/src/http/openapi/examples.json',
  'sdk/src/openapi.ts',
  'sdk/src/operations.ts',
  'sdk/src/resources.ts',
  'sdk/src/event-objects.ts',
  'console/src/api.gen.ts',
  'console/src/data/values/countries.gen.ts',
])
