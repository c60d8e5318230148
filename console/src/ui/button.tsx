import { Link } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import type { Address } from '../address.ts'
import styles from './button.module.css'
import { classes } from './classes.ts'
import { Tooltip } from './layers/tooltip.tsx'

type Look = {
  look?: 'plain' | 'primary' | 'danger' | 'quiet' | 'link'
  small?: boolean
  icon?: ReactNode
}

const classOf = ({ look = 'plain', small, isIcon }: Look & { isIcon?: boolean }) =>
  classes(
    styles.button,
    look !== 'plain' && styles[look],
    small && styles.small,
    isIcon && styles.icon,
  )

type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> &
  Look & {
    /** The reason why it cannot be used now. It stays in reach of the keyboard and says so. */
    blocked?: string | null | undefined
    busy?: boolean
  }

export function Button({
  look,
  small,
  icon,
  blocked,
  busy,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const isOff = Boolean(blocked) || busy === true
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (isOff) event.preventDefault()
    else onClick?.(event)
  }
  const button = (
    <button
      type="button"
      {...rest}
      className={classes(classOf({ look, small }), rest.className)}
      aria-disabled={isOff || undefined}
      aria-busy={busy || undefined}
      onClick={press}
    >
      {icon}
      {children}
    </button>
  )
  return blocked ? <Tooltip text={blocked}>{button}</Tooltip> : button
}

/** A button that shows only an icon: its name is read out, and shown on hover and focus. */
export function IconButton({
  name,
  icon,
  ...rest
}: ButtonProps & { name: string; icon: ReactNode }) {
  const { look = 'quiet', small, blocked, busy, onClick, ...others } = rest
  const isOff = Boolean(blocked) || busy === true
  return (
    <Tooltip text={blocked ? `${name}: ${blocked}` : name}>
      <button
        type="button"
        {...others}
        className={classes(classOf({ look, small, isIcon: true }), others.className)}
        aria-label={name}
        aria-disabled={isOff || undefined}
        onClick={(event) => (isOff ? event.preventDefault() : onClick?.(event))}
      >
        {icon}
      </button>
    </Tooltip>
  )
}

/** Looks like a button and leads to another screen. */
export function LinkButton({
  look,
  small,
  icon,
  children,
  ...address
}: Address & Look & { children: ReactNode }) {
  return (
    <Link {...address} className={classOf({ look, small })}>
      {icon}
      {children}
    </Link>
  )
}
