import { CustomSource, Input, MATROSKA, WEBM } from 'mediabunny'
import type { ByteSource } from '../byte-source.ts'
import { MediaError } from '../media-error.ts'

/** A file with the name by which errors call it. */
export interface NamedFile {
  readonly name: string
  readonly source: ByteSource
}

/**
 * Opens a WebM or Matroska file for the time of `use`, reading nothing ahead.
 * What the source rejects with passes through unchanged, so that it can be retried; whatever else fails while the file is
 * read is the file's fault and becomes a MediaError.
 */
export async function withWebm<T>({ name, source }: NamedFile, use: (input: Input) => Promise<T>): Promise<T> {
  let sourceFailure: { readonly error: unknown } | undefined
  const read = async (start: number, end: number) => {
    try {
      return await source.read(start, end)
    } catch (error) {
      sourceFailure ??= { error }
      throw error
    }
  }
  const input = new Input({
    formats: [WEBM, MATROSKA],
    source: new CustomSource({
      getSize: () => source.size,
      read,
      handleUnhandledError: () => {}, // remembered as the source's failure
    }),
  })
  try {
    return await use(input)
  } catch (error) {
    if (sourceFailure) throw sourceFailure.error
    if (error instanceof MediaError) throw error
    throw new MediaError(`${name} is no WebM or Matroska file, or is damaged.`, { cause: error })
  } finally {
    input.dispose()
  }
}
