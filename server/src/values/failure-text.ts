/** What a message of an error may be kept as: its beginning, as PostgreSQL can hold it. */
export const storable = (message: string): string =>
  // A certificate's names are in some, which strangers write.
  message.slice(0, 200).toWellFormed().replaceAll('\0', '')

/** `1.5 s` */
export const inSeconds = (ms: number): string => `${Math.round(ms / 10) / 100} s`
