/**
 * Returns the language that a viewer wants most among those that there are: the same tag, else the same language of another
 * region, else the first. Returns an empty text if there are none.
 * @param wanted tags of BCP 47, the best first
 */
export function preferredLanguage(languages: readonly string[], wanted: readonly string[]): string {
  for (const tag of wanted) {
    const exact = languages.find((one) => one.toLowerCase() === tag.toLowerCase())
    const found = exact ?? languages.find((one) => primaryOf(one) === primaryOf(tag))
    if (found !== undefined) return found
  }
  return languages[0] ?? ''
}

const primaryOf = (tag: string) => tag.toLowerCase().split('-')[0]
