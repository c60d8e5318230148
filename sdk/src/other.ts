import type { Other } from './openapi.ts'

/**
 * Passes a text where known values are listed, for what comes from elsewhere: the objective in a
 * network's report, an event of a newer service. The service has the last word.
 */
export const other = (text: string): Other => text as Other
