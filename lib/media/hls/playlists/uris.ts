/**
 * Replaces every URI in a playlist, on a separate line or in a `URI` attribute, by the result of `uriOf`, which is
 * called for each occurrence.
 * @throws RangeError for a URI with a quotation mark or a line break
 */
export function withUris(playlist: string, uriOf: (uri: string) => string): string {
  return playlist
    .split('\n')
    .map((line) => {
      if (line.startsWith('#EXT'))
        return line.replace(URI_ATTRIBUTE, (_, before, uri) => `${before}"${quotable(uriOf(uri))}"`)
      return line.startsWith('#') || line.trim() === '' ? line : quotable(uriOf(line.trim()))
    })
    .join('\n')
}

/** Matches the attribute behind a colon or comma: no other name that ends in URI. Skips other quoted values. */
const URI_ATTRIBUTE = /((?:^[^"]*|"[^"]*"[^"]*)[:,]URI=)"([^"]*)"/g

/** Returns a text that a playlist can hold. @throws RangeError when it has a quotation mark or a line break */
export function quotable(text: string): string {
  if (/["\r\n]/.test(text)) throw new RangeError('A playlist cannot hold a text with a quotation mark or a line break.')
  return text
}
