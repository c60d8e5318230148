import pg from 'pg'

type Handle = (this: unknown, message: { length: number }) => void
type Prototype = { _handleDataRow: Handle }

// pg's own client, which emits each row as it arrives.
const { prototype } = pg.Client as unknown as { prototype: Prototype }

/** Counts the bytes of all rows that this thread receives from now on. */
export function countReceivedBytes(): { readonly bytes: number; stop(): void } {
  const handle = prototype._handleDataRow
  const count = {
    bytes: 0,
    stop: () => {
      prototype._handleDataRow = handle
    },
  }
  prototype._handleDataRow = function (message) {
    count.bytes += message.length
    return handle.call(this, message)
  }
  return count
}
