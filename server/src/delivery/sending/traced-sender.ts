import type { Tracing } from '../../observability/tracing.ts'
import type { Sender } from './send.ts'

/** A span for each attempt, with only the host of the URL, as the rest may contain secrets. */
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
