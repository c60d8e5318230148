/** One block of a stream of server-sent events. */
export type Block = { id: string | null; type: string; data: string }

const betweenBlocks = /\r?\n\r?\n/

/** The blocks of a stream, without comments. A block without data only sets the last event id. */
export async function* blocksOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Block> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const parts = `${rest}${decoder.decode(chunk, { stream: true })}`.split(betweenBlocks)
    // An incomplete block waits for more; at the end of the stream it is dropped and sent again.
    rest = parts.pop() ?? ''
    yield* parts.map(blockIn)
  }
}

function blockIn(part: string): Block {
  const lines = part.split(/\r?\n/)
  const valuesOf = (name: string) =>
    lines.flatMap((line) =>
      line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, '')] : [],
    )
  return {
    id: valuesOf('id').at(-1) ?? null,
    type: valuesOf('event').at(-1) ?? 'message',
    data: valuesOf('data').join('\n'),
  }
}
