/** An output of ffmpeg. */
export interface Muxer {
  readonly format: string
  readonly options: Readonly<Record<string, string>>
  readonly file: string
}

/** Returns ffmpeg's arguments to write one encoding to several outputs. */
export const teeArguments = (muxers: readonly Muxer[]) => ['-f', 'tee', muxers.map(asPartOfTee).join('|')]

/** Escapes a muxer twice: ffmpeg splits the text at `|` into muxers, then at `:` into options. */
function asPartOfTee({ format, options, file }: Muxer): string {
  const settings = Object.entries({ f: format, fflags: '+bitexact', ...options })
  const inner = settings.map(([name, value]) => `${name}=${value.replace(/[\\':\]]/g, '\\$&')}`).join(':')
  return `[${inner}]${file}`.replace(/[\\'|]/g, '\\$&')
}
