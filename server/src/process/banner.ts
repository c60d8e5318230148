import { resolve } from 'node:path'
import { styleText } from 'node:util'
import type { Config } from '../config/config.ts'
import { consolePath } from '../http/site/console.ts'
import { revision, version } from '../version.ts'
import { commandName, quoted } from './command-name.ts'
import type { FirstLogin } from './first-owner.ts'
import { passwordFileIn } from './first-password.ts'
import type { ProcessRole } from './role.ts'

/** The URLs and paths of a running service, printed for people or as JSON. */
export type ServiceInfo = {
  role: ProcessRole
  version: string
  /** The commit of the code; null where the build does not say it. */
  revision: string | null
  url: string
  /** Null for a worker, and where the console is not built. */
  console: string | null
  /** Null for a worker. */
  api: string | null
  docs: string | null
  data_dir: string
  /** Null with FLIGHTDECK_DATABASE_URL. */
  embedded_database: string | null
  pid: number
}

type Binding = { port: number; role: ProcessRole; hasConsole: boolean }

export function serviceInfo(config: Config, { port, role, hasConsole }: Binding): ServiceInfo {
  const url = `http://${reachableHost(config.host)}:${port}`
  const embedded = config.databaseUrl === null ? `${config.dataDir}/postgres` : null
  const hasApi = role !== 'worker'
  return {
    role,
    version,
    revision,
    url,
    console: hasApi && hasConsole ? `${url}${consolePath}` : null,
    api: hasApi ? `${url}/api/v1` : null,
    docs: hasApi ? `${url}/docs` : null,
    data_dir: config.dataDir,
    embedded_database: embedded,
    pid: process.pid,
  }
}

/** A service that listens on all addresses is reachable at localhost. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Printed as soon as the account exists, as the password is stored nowhere else. */
export function firstLoginText(config: Config, { email, password }: FirstLogin): string {
  const shown = password ?? 'the one in FLIGHTDECK_ADMIN_PASSWORD'
  const note = password ? '  Keep it: it is shown this once and stored nowhere.\n' : ''
  return `
  ${bold('First start: the first owner has been created.')}
  Email     ${email}
  Password  ${shown}
${note}
  To set another when this one is lost, with the settings of the service:

  ${placeOf(config)}${commandName()} users set-password --email ${quoted(email)}
`
}

/** Settings that the command needs in a shell without any. */
const placeOf = ({ databaseUrl, dataDir }: Config) =>
  databaseUrl !== null || dataDir === resolve('data')
    ? ''
    : `FLIGHTDECK_DATA_DIR=${quoted(dataDir)} `

/** The same for the log, which has no password in it. */
export function firstLoginLine(
  { dataDir }: Config,
  { email, password }: FirstLogin,
): [object, string] {
  const made = 'first start: the first owner has been created'
  if (password === null)
    return [{ email }, `${made}, with the password in FLIGHTDECK_ADMIN_PASSWORD`]
  const password_file = passwordFileIn(dataDir)
  return [
    { email, password_file },
    `${made}; its password is in ${password_file}: delete that file`,
  ]
}

export function bannerText(service: ServiceInfo, login: FirstLogin | null): string {
  const rows = [
    `  ${bold('Flightdeck')} is ready.`,
    '',
    ...(service.api === null ? [`  Probes    ${service.url}/readyz`] : apiRows(service)),
    `  Data      ${service.data_dir}`,
    ...(login?.password
      ? ['', '  Log in at the console, or from a terminal:', '', loginCommand(service, login)]
      : []),
    '',
    `  ${dim(`Stop with Ctrl-C. Administer with ${commandName()} --help.`)}`,
  ]
  return `\n${rows.join('\n')}\n\n`
}

const apiRows = ({ console, api, docs }: ServiceInfo) => [
  `  Console   ${console ?? 'not built: run npm ci'}`,
  `  API       ${api}`,
  `  Docs      ${docs}`,
]

/** Works as it is, so it has the password. */
const loginCommand = ({ api }: ServiceInfo, login: FirstLogin) =>
  [
    `  curl -s ${api}/auth/login \\`,
    `    -H 'content-type: application/json' \\`,
    `    -d ${quoted(JSON.stringify(login))}`,
  ].join('\n')

const styled = (style: 'bold' | 'dim') => (text: string) =>
  styleText(style, text, { stream: process.stderr })
const bold = styled('bold')
const dim = styled('dim')
