import { afterAll, vi } from 'vitest'

/** Files run one after the other in a thread: what one has faked ends with it, also where it fails. */
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})
