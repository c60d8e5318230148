/** An error message shortened and cleaned so that PostgreSQL can store it. */
export const storable = (message: string): string =>
  // Some messages contain certificate names, which third parties write.
  message.slice(0, 200).toWellFormed().replaceAll('\0', '')

/** `1.5 s` */
export const inSeconds = (ms: number): string => `${Math.round(ms / 10) / 100} s`
