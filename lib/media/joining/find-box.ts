/** The content of the first box at a path of boxes, in place. */
export function findBox(bytes: Buffer, [type, ...rest]: readonly string[]): Buffer | undefined {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = Math.max(8, bytes.readUInt32BE(at))
    const content = bytes.subarray(at + 8, at + size)
    if (bytes.toString('latin1', at + 4, at + 8) === type) return rest.length > 0 ? findBox(content, rest) : content
    at += size
  }
  return undefined
}
