import { serve as serveUntilStopped } from '../main.ts'
import { action } from './command.ts'
import { readProcessRole } from './read.ts'

export const serve = action({
  async run({ json, option }) {
    const role = readProcessRole(option('role') ?? 'all')
    const code = await serveUntilStopped({ json, role })
    process.exit(code)
  },
  show: () => '',
})
