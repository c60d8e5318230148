/** Code of the console that the browser could not load. */
export class CodeMissing extends Error {
  /** The service has another version by now: only a new page has all of its files. */
  readonly isUpdated: boolean

  constructor(isUpdated: boolean, cause: unknown) {
    super('A part of the console could not be loaded', { cause })
    this.name = 'CodeMissing'
    this.isUpdated = isUpdated
  }
}

export const isUpdated = (error: unknown): boolean =>
  error instanceof CodeMissing && error.isUpdated

/** Imports a module; if that fails, finds out why. */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load()
  } catch (error) {
    const address = addressIn(error)
    if (address) forgetLink(address)
    throw new CodeMissing(await isGone(address ?? import.meta.url), error)
  }
}

/** Most browsers name the file that is missing. */
const addressIn = (error: unknown): string | undefined =>
  /https?:\S{1,2000}/.exec(error instanceof Error ? error.message : '')?.[0]

/** A style sheet is not read again while its link is there. */
function forgetLink(address: string): void {
  for (const link of document.querySelectorAll('link')) if (link.href === address) link.remove()
}

const patienceMs = 5_000

/** File names carry digests: one that the service no longer has is of another version. */
async function isGone(address: string): Promise<boolean> {
  const signal = AbortSignal.timeout(patienceMs)
  const request = { method: 'HEAD', cache: 'no-store', signal } as const
  const answer = await fetch(address, request).catch(() => null)
  return answer?.status === 404
}
