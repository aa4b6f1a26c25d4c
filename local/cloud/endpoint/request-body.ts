/** The whole body, or undefined as soon as it proves longer than `most` bytes. */
export async function readBody(request: Request, most: number): Promise<Buffer | undefined> {
  if (Number(request.headers.get('content-length')) > most) return undefined
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of request.body ?? []) {
    length += piece.length
    if (length > most) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
