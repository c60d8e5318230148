import { type Connected, connect } from '../../connectors/sim/test/connected.ts'
import type { consoleTests } from './console.ts'

type Tests = ReturnType<typeof consoleTests>

/** Works with an account of the simulated network, and closes that. */
export const inSimOf =
  (tests: Tests) =>
  async (work: (all: Connected) => Promise<void>): Promise<void> => {
    const all = await connect(tests.world(), tests.origin())
    try {
      await work(all)
    } finally {
      await all.close()
    }
  }
