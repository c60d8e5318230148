import type { Config } from '../config/config.ts'
import { Problem } from '../problems/problem.ts'

type SentAddress = { host: string; origin: string | undefined; port: number }

/** The origins at which the service answers clients of the protocol. */
const ownOrigins = ({ issuer }: Config, port: number): string[] =>
  issuer === null
    ? [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
    : [new URL(issuer).origin]

/** The origin whose addresses are shown as they are. */
export const ownOrigin = ({ publicUrl }: Config): string => new URL(publicUrl).origin

/**
 * Refuses what a page of another site has sent, also one whose name leads to this machine (DNS
 * rebinding).
 */
export function checkAddresses(config: Config, { host, origin, port }: SentAddress): void {
  const own = ownOrigins(config, port)
  if (origin !== undefined && !own.includes(origin)) {
    throw new Problem('foreign_origin', 'Pages of other sites may not use this address.')
  }
  if (own.some((each) => new URL(each).host === hostIn(host))) return
  throw new Problem('foreign_origin', `The Host header must be that of ${own.join(' or ')}.`)
}

/** Without the default port, as in URLs. */
const hostIn = (host: string) => host.toLowerCase()
