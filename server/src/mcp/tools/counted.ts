/** `3 campaigns`, for a list of any kind. */
export function counted(list: unknown, noun: string): string {
  const count = Array.isArray(list) ? list.length : 0
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
