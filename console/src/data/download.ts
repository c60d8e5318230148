/** Gives a file to the browser, which saves it. */
export async function saveFile(answer: Response, fallbackName: string): Promise<void> {
  const named = /filename="?([^";]+)/.exec(answer.headers.get('content-disposition') ?? '')?.[1]
  const address = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = named ?? fallbackName
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
