import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AdmissionControl } from '../../limits/admission.ts'
import { documentOf } from '../../problems/document.ts'
import { retryLater } from '../../problems/problem.ts'
import { newRequestId } from '../../values/ids.ts'
import { apiPrefix } from '../pipeline.ts'
import { instanceOf, problemHeaders } from '../reply/problem.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const overloaded = retryLater('overloaded')

/**
 * While organizations have all of the room, whoever brings a credential is refused before the
 * framework sees the request, which takes a third of the time: in a flood, the rest is what those
 * inside have. The answer is the one that it would give.
 */
export function rejectBeforeRouting(
  server: Server,
  room: AdmissionControl,
  onRefusal: () => void,
): void {
  const [handle] = server.listeners('request') as [Handler]
  server.off('request', handle)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!isRejected(request, room)) return handle(request, response)
    onRefusal()
    refuse(request, response, newRequestId())
  })
}

/** Browsers read no answer that does not name their origin, which the framework sees to. */
const isRejected = ({ url = '', headers }: IncomingMessage, room: AdmissionControl) =>
  headers.authorization !== undefined &&
  headers.origin === undefined &&
  url.startsWith(`${apiPrefix}/`) &&
  room.isFull

function refuse({ url = '' }: IncomingMessage, response: ServerResponse, requestId: string): void {
  const document = documentOf(overloaded, { instance: instanceOf(url), requestId })
  const body = JSON.stringify(document)
  response.writeHead(overloaded.status, {
    ...problemHeaders(overloaded, requestId),
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}
