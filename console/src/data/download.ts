/** Gives a file to the browser, which saves it. */
export async function saveFile(answer: Response, fallbackName: string): Promise<void> {
  const named = /filename="?([^";]+)/.exec(answer.headers.get('content-disposition') ?? '')?.[1]
  save(await answer.blob(), named ?? fallbackName)
}

/** A file that was made here. */
export const saveText = (text: string, name: string, type: string): void =>
  save(new Blob([text], { type }), name)

function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
