import { afterAll, vi } from 'vitest'

/** Files share a thread: restore fakes after each one, also when it fails. */
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})
