const gap = 6
const margin = 8
/** With less room than this on both sides, it may cover what it belongs to. */
const leastRoom = 200

/** Puts a shown popover below its anchor, or above where there is no room; always in the window. */
export function placeAt(
  popover: HTMLElement,
  anchor: HTMLElement,
  align: 'start' | 'center' | 'end',
): void {
  const at = anchor.getBoundingClientRect()
  const room = { below: innerHeight - margin - at.bottom - gap, above: at.top - gap - margin }
  const most = Math.max(room.below, room.above)
  popover.style.maxHeight = most < leastRoom ? '' : `${most}px`
  const { width, height } = popover.getBoundingClientRect()
  const left = { start: at.left, center: at.left + (at.width - width) / 2, end: at.right - width }[
    align
  ]
  const fitsBelow = height <= room.below
  const top = fitsBelow ? at.bottom + gap : Math.max(margin, at.top - gap - height)
  popover.style.left = `${Math.max(margin, Math.min(left, innerWidth - width - margin))}px`
  popover.style.top = `${top}px`
}
