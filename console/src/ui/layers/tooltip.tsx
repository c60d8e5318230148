import { cloneElement, type ReactElement } from 'react'

type Described = { 'data-tooltip'?: string; 'data-when-cut'?: boolean | undefined }

type TooltipProps = {
  text: string
  /** Only where its own text does not fit. */
  whenCut?: boolean
  children: ReactElement<Described>
}

/** Text that describes a control, on hover and on focus. A grid may have thousands. */
export const Tooltip = ({ text, whenCut, children }: TooltipProps) =>
  cloneElement(children, { 'data-tooltip': text, 'data-when-cut': whenCut || undefined })
