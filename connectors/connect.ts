/** `flightdeck connect <network>`, from a clone. */

const networks: Readonly<
  Record<string, () => Promise<(args: readonly string[]) => Promise<number>>>
> = {
  'google-ads': async () => (await import('./google-ads/google-ads.ts')).connect,
  sim: async () => (await import('./sim/sim.ts')).connect,
  'sim-network': async () => (await import('./sim/network/main.ts')).serve,
}

const [name = '', ...args] = process.argv.slice(2)
const load = networks[name]
if (load) process.exitCode = await (await load())(args)
else {
  const isHelp = name === '' || name === '--help'
  const usage = `Usage: flightdeck connect <network> [options]\nNetworks: ${Object.keys(networks).join(', ')}\n`
  if (isHelp) process.stdout.write(usage)
  else process.stderr.write(`flightdeck connect: there is no network ${name}.\n${usage}`)
  process.exitCode = isHelp ? 0 : 2
}
// An open connection must not keep the process.
setTimeout(() => process.exit(), 1_000).unref()
