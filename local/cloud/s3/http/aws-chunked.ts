import { createHash, type Hash } from 'node:crypto'
import { S3Error } from '../errors.ts'
import { equalSignatures, sha256, type TextSigner } from './signature.ts'

export interface Framing {
  /** True if trailing headers follow the last chunk. */
  trailer: boolean
  /** Present when every chunk carries a signature that continues from `seed`. */
  signed?: { signer: TextSigner; seed: string }
}

/** Maximum length of a line. Sizes, signatures and trailers are shorter. */
const MAX_LINE_BYTES = 4096

const incomplete = () => new S3Error('IncompleteBody', 'The body ended before its last chunk.')
const malformed = (what: string) => new S3Error('IncompleteBody', `The aws-chunked body is malformed: ${what}.`)

/**
 * Decodes a body: `<size in hex>[;chunk-signature=…]\r\n<bytes>\r\n … 0\r\n[<name>:<value>\r\n …]\r\n`.
 * After the last byte, trailing headers are in `trailers` by lower-case name.
 */
export async function* decodeAwsChunked(
  source: AsyncIterable<Uint8Array>,
  framing: Framing,
  trailers: Map<string, string>,
): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]()
  try {
    yield* decode(createReader(iterator), framing, trailers)
  } finally {
    await iterator.return?.()
  }
}

async function* decode(
  input: Reader,
  { trailer, signed }: Framing,
  trailers: Map<string, string>,
): AsyncGenerator<Uint8Array> {
  let previous = signed?.seed ?? ''
  for (;;) {
    const { size, signature } = readChunkLine(await input.line())
    const hash = signed && createHash('sha256')
    for (let left = size; left > 0; ) {
      const bytes = await input.bytes(left)
      left -= bytes.length
      hash?.update(bytes)
      yield bytes
    }
    if (signed && hash) previous = verifyChunk(signed.signer, previous, hash, signature)
    if (size === 0) break
    if ((await input.line()) !== '') throw malformed('a chunk is longer than it says')
  }
  await readTrailers(input, trailers)
  if (!trailer && trailers.size > 0) throw malformed('it has trailers that were not announced')
  if (trailer && signed) verifyTrailers(signed.signer, previous, trailers)
}

function readChunkLine(line: string): { size: number; signature: string } {
  const [, size, signature = ''] = /^([0-9a-fA-F]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(line) ?? []
  if (size === undefined) throw malformed('a chunk does not begin with its size')
  return { size: Number.parseInt(size, 16), signature }
}

function verifyChunk(signer: TextSigner, previous: string, hash: Hash, signature: string): string {
  const expected = signer.signNext('PAYLOAD', previous, [sha256(''), hash.digest('hex')])
  if (!equalSignatures(expected, signature)) {
    throw new S3Error('SignatureDoesNotMatch', 'The signature of a chunk does not match its bytes.')
  }
  return expected
}

function verifyTrailers(signer: TextSigner, previous: string, trailers: Map<string, string>): void {
  const signature = trailers.get('x-amz-trailer-signature') ?? ''
  trailers.delete('x-amz-trailer-signature')
  const text = [...trailers].map(([name, value]) => `${name}:${value}\n`).join('')
  if (!equalSignatures(signer.signNext('TRAILER', previous, [sha256(text)]), signature)) {
    throw new S3Error('SignatureDoesNotMatch', 'The signature of the trailers does not match them.')
  }
}

/** Reads trailers. Some senders omit the last empty line, so the end of the body ends them too. */
async function readTrailers(input: Reader, trailers: Map<string, string>): Promise<void> {
  while (!(await input.isAtEnd())) {
    const line = await input.line()
    if (line === '') continue
    const colon = line.indexOf(':')
    if (colon < 1) throw malformed('a trailer has no name')
    trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
}

type Reader = ReturnType<typeof createReader>

function createReader(iterator: AsyncIterator<Uint8Array>) {
  let rest: Buffer = Buffer.alloc(0)
  const more = async (): Promise<boolean> => {
    const { done, value } = await iterator.next()
    if (done) return false
    const chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    return true
  }
  return {
    /** Returns the text up to the next line end. */
    async line(): Promise<string> {
      for (;;) {
        const end = rest.indexOf('\r\n')
        if (end > MAX_LINE_BYTES || (end < 0 && rest.length > MAX_LINE_BYTES)) throw malformed('a line is too long')
        if (end >= 0) {
          const line = rest.toString('latin1', 0, end)
          rest = rest.subarray(end + 2)
          return line
        }
        if (!(await more())) throw incomplete()
      }
    },
    /** Returns 1 to `limit` bytes. */
    async bytes(limit: number): Promise<Uint8Array> {
      while (rest.length === 0) if (!(await more())) throw incomplete()
      const bytes = rest.subarray(0, limit)
      rest = rest.subarray(bytes.length)
      return bytes
    },
    async isAtEnd(): Promise<boolean> {
      while (rest.length === 0) if (!(await more())) return true
      return false
    },
  }
}
