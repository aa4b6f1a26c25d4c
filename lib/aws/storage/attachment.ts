/** Characters that a file system or a header refuses: separators, reserved characters of Windows, and controls. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they must not reach a header
const REFUSED = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff/\\:*?"<>|]+/gu

/** Bytes of a name in UTF-8: most file systems allow 255, and browsers add a number to names that exist. */
const MAX_BYTES = 200

/**
 * Returns the header `Content-Disposition` that makes a browser save a file under a name (RFC 6266): in ASCII for old clients,
 * and in UTF-8. Any text is a valid name.
 * @param fileName with its extension, which is kept if the name is shortened
 */
export function attachment(fileName: string): string {
  const name = safeName(fileName)
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/[^ -~]/gu, '_')
    .replaceAll('%', '_') // some browsers decode it
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded(name)}`
}

function safeName(fileName: string): string {
  const extension = /\.[0-9A-Za-z]{1,8}$/.exec(fileName)?.[0] ?? ''
  const stem = fileName.slice(0, fileName.length - extension.length)
  const clean = stem.replace(REFUSED, '-').replace(/^[\s.-]+|[\s.]+$/g, '')
  const characters = [...clean]
  while (Buffer.byteLength(characters.join('')) > MAX_BYTES) characters.pop()
  return (characters.join('').trim() || 'download') + extension
}

/** Encodes what RFC 8187 does not allow as it is; `encodeURIComponent` leaves four such characters. */
const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
