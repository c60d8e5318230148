/** Reads caught values, which can be anything. */

/** The `code` of an error of Node.js, PostgreSQL or a library. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
