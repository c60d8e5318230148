import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AdmissionControl } from '../../limits/admission.ts'
import { documentOf } from '../../problems/document.ts'
import { retryLater } from '../../problems/problem.ts'
import { newRequestId } from '../../values/core-ids.ts'
import { apiPrefix } from '../pipeline.ts'
import { instanceOf, problemHeaders } from '../reply/problem.ts'

const overloaded = retryLater('overloaded')

/**
 * While organizations use the whole capacity, requests with a credential are refused before the
 * framework handles them, at a third of the cost. The response is the same 503.
 */
export function rejectBeforeRouting(
  server: Server,
  room: AdmissionControl,
  onRefusal: () => void,
): void {
  const [handle] = server.listeners('request')
  if (!handle) throw new Error('the framework does not listen to requests yet')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!isRejected(request, room)) return handle.call(server, request, response)
    onRefusal()
    refuse(request, response, newRequestId())
  })
}

/** Browsers need CORS headers to read a response; the framework adds them. */
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
