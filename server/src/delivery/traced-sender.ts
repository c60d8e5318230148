import type { Tracing } from '../observability/tracing.ts'
import type { Sender } from './send.ts'

/** A span for each attempt. Of the URL only its host: the rest may hold what its owner keeps secret. */
export const tracedSender = (sender: Sender, tracing: Tracing): Sender => ({
  ...sender,
  send: (request, signal) =>
    tracing.ofCall('webhook attempt', async (span) => {
      const outcome = await sender.send(request, signal)
      const { response_status: status, error } = outcome
      span.set({
        'server.address': URL.parse(request.url)?.hostname ?? '',
        'flightdeck.event_id': request.headers['webhook-id'] ?? '',
        ...(status === null ? {} : { 'http.response.status_code': status }),
        ...(error === null ? {} : { 'error.type': error.kind }),
      })
      if (error !== null) span.fail()
      return outcome
    }),
})
