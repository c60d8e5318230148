import { describe, expect, test } from 'vitest'
import { inBounds, layoutOf, widthsOf, widthsText } from './widths.ts'

describe('widths of columns in the address', () => {
  test('are written as they are read', () => {
    const widths = { name: 320, labels: 90 }
    expect(widthsText(widths)).toBe('name:320,labels:90')
    expect(widthsOf({ widths: 'name:320,labels:90' })).toEqual(widths)
    expect([widthsText({}), widthsOf({})]).toEqual([undefined, {}])
  })

  test.each([
    ['name:1', { name: 64 }],
    ['name:9999', { name: 800 }],
    ['name:12345', {}],
    ['name:-90', {}],
    ['name:1e3', {}],
    ['name,labels:90,:,name:', { labels: 90 }],
  ])('%s is kept within bounds', (text, widths) => {
    expect(widthsOf({ widths: text })).toEqual(widths)
  })

  test('are whole pixels', () => {
    expect([inBounds(99.6), inBounds(3), inBounds(4000)]).toEqual([100, 64, 800])
  })
})

describe('tracks of the grid', () => {
  test('columns of text grow into the room that is left', () => {
    const sizes = [
      { id: 'name', width: 200, isOwn: false },
      { id: 'status', width: 100, isOwn: false },
    ]
    expect(layoutOf(sizes)).toEqual({
      '--tracks': '36px 40px minmax(200px, 520px) 100px',
      '--least': '376px',
    })
  })

  test('a column that was sized keeps its width', () => {
    const { '--tracks': tracks } = layoutOf([{ id: 'name', width: 200, isOwn: true }])
    expect(tracks).toBe('36px 40px 200px')
  })
})
