/** Acts for each id until one is refused, and says at which, and how many were done before. */
export async function eachUntilRefused(
  ids: readonly string[],
  act: (id: string) => Promise<void>,
): Promise<void> {
  for (const [at, id] of ids.entries()) {
    try {
      await act(id)
    } catch (error) {
      process.stderr.write(`Stopped at ${id}: ${at} of ${ids.length} done.\n`)
      throw error
    }
  }
}
