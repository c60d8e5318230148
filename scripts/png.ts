/** Makes pictures of screens small: at most 256 colours, the most frequent ones, and best compressed. */
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

type Image = {
  width: number
  height: number /** Red, green and blue of each point. */
  rgb: Buffer
}

/** Shrinks a PNG of a browser: 8 bits a channel, with or without transparency, not interlaced. */
export function smallerPng(png: Buffer): Buffer {
  const image = decoded(png)
  const { palette, indices } = quantized(image)
  const { width, height } = image
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 3, 0, 0, 0], 8)
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1) {
    indices.copy(rows, y * (width + 1) + 1, y * width, (y + 1) * width)
  }
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

function decoded(png: Buffer): Image {
  const [width, height, colourType] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25]]
  const channels = colourType === 6 ? 4 : 3
  const raw = inflateSync(Buffer.concat(contentsOf(png, 'IDAT')))
  const stride = width * channels
  const rgb = Buffer.alloc(width * height * 3)
  let above: Buffer = Buffer.alloc(stride)
  for (let y = 0; y < height; y += 1) {
    const at = y * (stride + 1)
    const row = unfiltered(raw[at] ?? 0, raw.subarray(at + 1, at + 1 + stride), above, channels)
    for (let x = 0; x < width; x += 1)
      row.copy(rgb, (y * width + x) * 3, x * channels, x * channels + 3)
    above = row
  }
  return { width, height, rgb }
}

function contentsOf(png: Buffer, wanted: string): Buffer[] {
  const found: Buffer[] = []
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    if (type === wanted) found.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  return found
}

/** Each byte was written as a difference to its neighbours: left, above, or both. */
function unfiltered(filter: number, row: Buffer, above: Buffer, channels: number): Buffer {
  const out = Buffer.from(row)
  for (let at = 0; at < out.length; at += 1) {
    const left = out[at - channels] ?? 0
    const up = above[at] ?? 0
    const corner = at < channels ? 0 : (above[at - channels] ?? 0)
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0
    out[at] = ((out[at] ?? 0) + guess) & 0xff
  }
  return out
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner
  const [toLeft, toUp, toCorner] = [left, up, corner].map((each) => Math.abs(estimate - each))
  if ((toLeft ?? 0) <= (toUp ?? 0) && (toLeft ?? 0) <= (toCorner ?? 0)) return left
  return (toUp ?? 0) <= (toCorner ?? 0) ? up : corner
}

const maxColours = 256

function quantized({ width, height, rgb }: Image): { palette: Buffer; indices: Buffer } {
  const counts = new Map<number, number>()
  const colours = Array.from({ length: width * height }, (_, at) => rgb.readUIntBE(at * 3, 3))
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const kept = [...counts].sort(([, one], [, other]) => other - one).slice(0, maxColours)
  const palette = Buffer.alloc(kept.length * 3)
  for (const [at, [colour]] of kept.entries()) palette.writeUIntBE(colour, at * 3, 3)
  const places = new Map(kept.map(([colour], at) => [colour, at]))
  for (const colour of counts.keys()) {
    if (!places.has(colour))
      places.set(
        colour,
        nearest(
          colour,
          kept.map(([each]) => each),
        ),
      )
  }
  return { palette, indices: Buffer.from(colours.map((colour) => places.get(colour) ?? 0)) }
}

function nearest(colour: number, kept: readonly number[]): number {
  let [best, bestDistance] = [0, Number.POSITIVE_INFINITY]
  for (const [at, each] of kept.entries()) {
    const distance = [16, 8, 0].reduce(
      (sum, shift) => sum + (((colour >> shift) & 0xff) - ((each >> shift) & 0xff)) ** 2,
      0,
    )
    if (distance < bestDistance) [best, bestDistance] = [at, distance]
  }
  return best
}
