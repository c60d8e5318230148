const controls =
  ':is(a[href], button, input, select, textarea, summary, [tabindex="0"]):not([disabled])'

/** The controls that the keyboard reaches in an element, itself included, in order. */
export const controlsIn = (element: HTMLElement): HTMLElement[] =>
  allIn(element).filter((control) => control.checkVisibility())

/** The place of a control, and the number of controls, also once they are no longer in the page. */
export function placeIn(element: HTMLElement, control: HTMLElement) {
  const all = allIn(element)
  return { place: all.indexOf(control), count: all.length }
}

const allIn = (element: HTMLElement): HTMLElement[] => [
  ...(element.matches(controls) ? [element] : []),
  ...element.querySelectorAll<HTMLElement>(controls),
]
