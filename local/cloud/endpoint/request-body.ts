/** Reads the whole body; undefined as soon as it is longer than `max` bytes. */
export async function collectBody(request: Request, max: number): Promise<Buffer | undefined> {
  if (Number(request.headers.get('content-length')) > max) return undefined
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of request.body ?? []) {
    length += piece.length
    if (length > max) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
