import { command } from './command.ts'
import { readProcessRole } from './read.ts'

export const serve = command({
  usage: 'serve',
  summary: 'Run the service until SIGTERM, SIGHUP or Ctrl-C',
  options: {
    role: { value: 'role', about: 'all, api or worker (default: all)' },
  },
  async run({ json, option }) {
    const role = readProcessRole(option('role') ?? 'all')
    // Loaded here, as no other command needs the server.
    const main = await import('../main.ts')
    const code = await main.serve({ json, role })
    process.exit(code)
  },
  show: () => '',
})
