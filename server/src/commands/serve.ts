import { command } from './command.ts'

export const serve = command({
  usage: 'serve',
  summary: 'Run the service until SIGTERM or Ctrl-C',
  async run({ json }) {
    // Loaded only here: no other command needs the server.
    const main = await import('../main.ts')
    const code = await main.serve({ json })
    process.exit(code)
  },
  show: () => '',
})
