import { styleText } from 'node:util'
import type { Config } from '../config/config.ts'
import type { FirstLogin } from './first-owner.ts'
import type { ProcessRole } from './role.ts'

/** The URLs and paths of a running service, printed for people or as JSON. */
export type ServiceInfo = {
  role: ProcessRole
  url: string
  /** Null for a worker. */
  api: string | null
  docs: string | null
  data_dir: string
  /** Null with FLIGHTDECK_DATABASE_URL. */
  embedded_database: string | null
  pid: number
}

type Binding = { port: number; role: ProcessRole }

export function serviceInfo(config: Config, { port, role }: Binding): ServiceInfo {
  const url = `http://${reachableHost(config.host)}:${port}`
  const embedded = config.databaseUrl === null ? `${config.dataDir}/postgres` : null
  const hasApi = role !== 'worker'
  return {
    role,
    url,
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
export function firstLoginText({ email, password }: FirstLogin): string {
  const shown = password ?? 'the one in FLIGHTDECK_ADMIN_PASSWORD'
  const note = password ? '  Keep it: it is shown this once and stored nowhere.\n' : ''
  return `
  ${bold('First start: the first owner has been created.')}
  Email     ${email}
  Password  ${shown}
${note}`
}

export function bannerText(service: ServiceInfo, login: FirstLogin | null): string {
  const rows = [
    `  ${bold('Flightdeck')} is ready.`,
    '',
    ...(service.api === null ? [`  Probes    ${service.url}/readyz`] : apiRows(service)),
    `  Data      ${service.data_dir}`,
    ...(login ? ['', '  Log in:', '', loginCommand(service, login)] : []),
    '',
    `  ${dim('Stop with Ctrl-C. Administer with npx flightdeck --help.')}`,
  ]
  return `\n${rows.join('\n')}\n\n`
}

const apiRows = ({ api, docs }: ServiceInfo) => [`  API       ${api}`, `  Docs      ${docs}`]

/** With a placeholder for the password, which is printed only once. */
function loginCommand({ api }: ServiceInfo, { email }: FirstLogin): string {
  const body = JSON.stringify({ email, password: '<password>' })
  return [
    `  curl -s ${api}/auth/login \\`,
    `    -H 'content-type: application/json' \\`,
    `    -d '${body.replaceAll("'", "'\\''")}'`,
  ].join('\n')
}

const styled = (style: 'bold' | 'dim') => (text: string) =>
  styleText(style, text, { stream: process.stderr })
const bold = styled('bold')
const dim = styled('dim')
