/** A mail server in its own process, so that what it does delays no measurement. */
import { openMailServer } from '../../server/test/support/machines/mail/mail-server.ts'

const { url } = await openMailServer()
process.send?.({ url })
process.on('disconnect', () => process.exit(0))
