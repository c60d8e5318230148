#!/usr/bin/env node
// May be run by Node 12 or newer, so it has no static imports and no newer syntax.

const REQUIRED_MAJOR = 26
const RELAUNCHED = 'FLIGHTDECK_RELAUNCHED'
const TOO_OLD = `Flightdeck needs Node.js ${REQUIRED_MAJOR} or newer; this is ${process.version}.
Run npm ci in its directory, which installs one, or get it from https://nodejs.org/.`
const NO_DEPENDENCIES = 'flightdeck: Dependencies are missing: run npm ci in its directory.'

if (majorOf(process.version) >= REQUIRED_MAJOR) {
  run()
} else {
  Promise.all(['child_process', 'fs', 'path', 'url'].map((name) => import(name)))
    .then((modules) => relaunch(modules[0], findNode(modules)))
    .catch(fail)
}

function run() {
  endWithLauncher()
  // The compile cache saves 20 MB of memory and half of the start time.
  import('node:module')
    .then((module) => {
      module.enableCompileCache()
      if (import.meta.url.includes('/node_modules/')) stripTypesOfPackage(module)
    })
    .then(start)
    .catch(fail)
}

/** Node does not strip types below node_modules, where an installed package is. */
function stripTypesOfPackage(module) {
  const source = new URL('../src', import.meta.url).href
  withoutWarning(() => module.stripTypeScriptTypes(''))
  module.registerHooks({
    load: (url, context, next) => {
      if (!url.startsWith(source) || !url.endsWith('.ts')) return next(url, context)
      // With the format of JavaScript, Node returns the text unchanged.
      const loaded = next(url, { ...context, format: 'module' })
      const code = module.stripTypeScriptTypes(String(loaded.source))
      return { format: 'module', source: code, shortCircuit: true }
    },
  })
}

/** Node warns at the first use of an experimental function. */
function withoutWarning(use) {
  const { emitWarning } = process
  process.emitWarning = () => {}
  use()
  process.emitWarning = emitWarning
}

function start() {
  return import('../src/commands/main.ts').then((module) => module.main(process.argv.slice(2)))
}

/** When the launcher is killed (kill -9), the service must not live on unnoticed. */
function endWithLauncher() {
  const isRelaunched = process.env[RELAUNCHED] !== undefined
  delete process.env[RELAUNCHED]
  if (!isRelaunched || !process.channel) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.channel.unref()
}

/** The Node that npm installed with Flightdeck, searched for from here upwards; or undefined. */
function findNode([childProcess, fs, path, url]) {
  const candidates = []
  let directory = path.dirname(url.fileURLToPath(import.meta.url))
  while (directory !== path.dirname(directory)) {
    candidates.push(path.join(directory, 'node_modules', '.bin', 'node'))
    directory = path.dirname(directory)
  }
  return candidates.find((candidate) => {
    if (!fs.existsSync(candidate)) return false
    const version = childProcess.spawnSync(candidate, ['--version'], { encoding: 'utf8' }).stdout
    return majorOf(version || '') >= REQUIRED_MAJOR
  })
}

function relaunch(childProcess, node) {
  if (node === undefined || process.env[RELAUNCHED] !== undefined) {
    console.error(TOO_OLD)
    process.exit(1)
  }
  const env = { ...process.env, [RELAUNCHED]: '1' }
  // The channel carries no messages: when it closes, the child knows that this process is gone.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const child = childProcess.spawn(node, process.argv.slice(1), { env: env, stdio: stdio })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  signals.forEach((signal) => {
    process.on(signal, () => child.kill(signal))
  })
  child.on('error', fail)
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    signals.forEach((name) => {
      process.removeAllListeners(name)
    })
    process.kill(process.pid, signal)
    // Reached only if the signal does not end this process.
    setTimeout(() => process.exit(1), 1000)
  })
}

function fail(error) {
  const isMissing = error && error.code === 'ERR_MODULE_NOT_FOUND'
  const isPackage = isMissing && /Cannot find package/.test(error.message)
  console.error(isPackage ? NO_DEPENDENCIES : error)
  process.exit(1)
}

function majorOf(version) {
  return Number(version.replace(/^v/, '').split('.')[0])
}
