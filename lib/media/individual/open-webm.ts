import { type Input, MATROSKA, WEBM } from 'mediabunny'
import type { ByteSource } from '../byte-source.ts'
import { blameFile, withInput } from '../media-input.ts'

/** A file with the name that messages use for it. */
export interface NamedFile {
  readonly name: string
  readonly source: ByteSource
}

/** Opens a WebM or Matroska file without reading ahead. @throws {@link MediaError} when the file is damaged */
export const withWebm = <T>({ name, source }: NamedFile, use: (input: Input) => Promise<T>): Promise<T> =>
  blameFile(
    source,
    (watched) => withInput({ source: watched, formats: [WEBM, MATROSKA] }, use),
    `${name} is not a WebM or Matroska file, or is damaged.`,
  )
