import { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { MediaError } from '../media-error.ts'
import type { DirectoryRecord } from './directory.ts'

/**
 * Unpacks a file and holds it to what its directory says: it is broken off at the first byte too many, whatever it might
 * have grown to.
 * @throws MediaError when size or checksum are others, or the data are damaged; whatever the input throws, unchanged
 */
export async function* inflateBounded(
  packed: AsyncIterable<Uint8Array>,
  { name, method, size, crc }: DirectoryRecord,
): AsyncGenerator<Uint8Array, void, undefined> {
  let length = 0
  let sum = 0
  for await (const chunk of method === 'stored' ? packed : inflated(packed, name)) {
    length += chunk.length
    if (length > size)
      throw new MediaError(`The zip is refused: ${name} unpacks to more than the ${size} bytes it states.`)
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (length < size)
    throw new MediaError(`The zip is damaged: ${name} has ${length} bytes, its directory says ${size}.`)
  if (sum !== crc) throw new MediaError(`The zip is damaged: ${name} has another checksum than its directory says.`)
}

async function* inflated(packed: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array, void, undefined> {
  let failure: { readonly error: unknown } | undefined
  async function* watched() {
    try {
      yield* packed
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  const input = Readable.from(watched())
  const inflate = createInflateRaw()
  input.on('error', (error) => inflate.destroy(error))
  try {
    yield* input.pipe(inflate)
  } catch (cause) {
    if (failure) throw failure.error
    throw new MediaError(`The zip is damaged: ${name} cannot be unpacked.`, { cause })
  } finally {
    input.destroy()
    inflate.destroy()
  }
}
