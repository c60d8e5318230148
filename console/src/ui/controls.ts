const controls =
  ':is(a[href], button, input, select, textarea, summary, [tabindex="0"]):not([disabled])'

/** What the keyboard reaches in an element, itself included, in order. */
export const controlsIn = (element: HTMLElement): HTMLElement[] =>
  allIn(element).filter((control) => control.checkVisibility())

/** Which of its controls it is, also once they are no longer in the page. */
export const placeIn = (element: HTMLElement, control: HTMLElement): number =>
  allIn(element).indexOf(control)

const allIn = (element: HTMLElement): HTMLElement[] => [
  ...(element.matches(controls) ? [element] : []),
  ...element.querySelectorAll<HTMLElement>(controls),
]
