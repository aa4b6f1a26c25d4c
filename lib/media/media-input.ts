import { CustomSource, Input, type InputFormat } from 'mediabunny'
import type { ByteSource } from './byte-source.ts'
import { MediaError } from './media-error.ts'

export interface MediaFile {
  readonly source: ByteSource
  readonly formats: InputFormat[]
  /** Fetches around the bytes wanted. @default false */
  readonly ahead?: boolean
}

/** Opens a file with mediabunny for the duration of `use`. */
export async function withInput<T>(
  { source, formats, ahead = false }: MediaFile,
  use: (input: Input) => Promise<T>,
): Promise<T> {
  const input = new Input({
    formats,
    source: new CustomSource({
      getSize: () => source.size,
      prefetchProfile: ahead ? 'fileSystem' : 'none',
      read: (start, end) => source.read(start, end),
      handleUnhandledError: () => {}, // `blameFile` has recorded it
    }),
  })
  try {
    return await use(input)
  } finally {
    input.dispose()
  }
}

/**
 * Reads a file and separates failures of its source from damage. Errors of the source pass through unchanged, so that
 * they can be retried; every other error becomes a MediaError.
 * @param damage message of that MediaError, or returns it for an error
 */
export async function blameFile<T>(
  source: ByteSource,
  use: (watched: ByteSource) => Promise<T>,
  damage: string | ((error: Error) => string),
): Promise<T> {
  let sourceFailure: { readonly error: unknown } | undefined
  const watched: ByteSource = {
    size: source.size,
    async read(start, end) {
      try {
        const bytes = await source.read(start, end)
        if (bytes.length === end - start) return bytes
        throw new Error(`The source returned ${bytes.length} bytes for the range from ${start} to ${end}.`)
      } catch (error) {
        sourceFailure ??= { error }
        throw error
      }
    },
  }
  try {
    return await use(watched)
  } catch (error) {
    if (sourceFailure) throw sourceFailure.error
    if (error instanceof MediaError) throw error
    throw new MediaError(typeof damage === 'string' ? damage : damage(error as Error), { cause: error })
  }
}
