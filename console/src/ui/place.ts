const gap = 6
const margin = 8

/** Puts a shown popover below its anchor, or above where there is no room; always in the window. */
export function placeAt(
  popover: HTMLElement,
  anchor: HTMLElement,
  align: 'start' | 'center' | 'end',
): void {
  const at = anchor.getBoundingClientRect()
  const { width, height } = popover.getBoundingClientRect()
  const left = { start: at.left, center: at.left + (at.width - width) / 2, end: at.right - width }[
    align
  ]
  const below = at.bottom + gap
  const fitsBelow = below + height <= innerHeight - margin
  const top = fitsBelow ? below : Math.max(margin, at.top - gap - height)
  popover.style.left = `${Math.max(margin, Math.min(left, innerWidth - width - margin))}px`
  popover.style.top = `${top}px`
}
