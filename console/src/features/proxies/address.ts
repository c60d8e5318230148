import type { ProxyServer } from '../../flightdeck.ts'

/** `http://[2001:db8::7]:8080`. */
export function addressOf({
  protocol,
  host,
  port,
}: Pick<ProxyServer, 'protocol' | 'host' | 'port'>) {
  return `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
