export interface ContentSources {
  /** Origin of the bucket's files. */
  readonly files: string
  /** Origins of pictures outside the bucket. */
  readonly pictures?: readonly string[]
  /** Scheme of the servers of live broadcasts, which `https:` includes where it is `http:`. */
  readonly live?: string
  /** Sources that may frame the page. */
  readonly ancestors: string
}

/** Allows own scripts and styles, and files of the bucket. hls.js feeds the player through a `blob:` URL. */
export const contentPolicy = ({ files, pictures = [], live, ancestors }: ContentSources): string =>
  [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src ${["'self'", 'data:', files, ...pictures].join(' ')}`,
    `media-src ${['blob:', files, ...(live ? [live] : [])].join(' ')}`,
    `connect-src ${["'self'", files, ...(live ? [live] : [])].join(' ')}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors ${ancestors}`,
    `require-trusted-types-for 'script'`,
  ].join('; ')
