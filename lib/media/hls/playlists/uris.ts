/**
 * Replaces every reference in a playlist, be it a line of its own or a `URI` attribute, by what `uriOf` makes of it; all else
 * stays as it is. A reference that occurs often is asked for each time.
 * @throws RangeError for a URI that an attribute cannot hold: one with a quotation mark or a line break
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

/** Behind a colon or comma, so that no other attribute that ends so is meant; other quoted values are passed over whole. */
const URI_ATTRIBUTE = /((?:^[^"]*|"[^"]*"[^"]*)[:,]URI=)"([^"]*)"/g

export function quotable(text: string): string {
  if (/["\r\n]/.test(text)) throw new RangeError('A playlist cannot hold a text with a quotation mark or a line break.')
  return text
}
