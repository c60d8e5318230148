import type { ClientRequest, IncomingMessage } from 'node:http'

/** The head of the response, to a CONNECT too. */
export function responseTo(
  request: ClientRequest,
  event: 'response' | 'connect',
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request.once(event, resolve).once('error', reject)
  return promise
}
