/** Copies a text. @returns a sentence for the user, also if the browser refuses */
export async function copyText(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text)
    return 'Copied.'
  } catch {
    return 'The browser refused to copy. Select the link and copy it.'
  }
}
