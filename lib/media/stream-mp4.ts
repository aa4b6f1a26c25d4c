import type { ByteSource } from './byte-source.ts'
import { type OpenMp4, type ReadingOptions, withMp4 } from './open-mp4.ts'

/**
 * Opens an MP4 for as long as somebody takes what `produce` makes of it; nothing is made ahead. Failures are those of
 * `withMp4`; one of the taker's own never reaches it, so that a bucket which refuses an output is not taken for a bad file.
 */
export async function* streamMp4<T>(
  source: ByteSource,
  produce: (mp4: OpenMp4) => AsyncGenerator<T, void, undefined>,
  options?: ReadingOptions,
): AsyncGenerator<T, void, undefined> {
  let wanted = Promise.withResolvers<boolean>()
  let offered = Promise.withResolvers<T | typeof OVER>()
  const produced = withMp4(
    source,
    async (mp4) => {
      const products = produce(mp4)
      while (await wanted.promise) {
        wanted = Promise.withResolvers()
        const { done, value } = await products.next()
        if (done) return
        offered.resolve(value)
      }
      await products.return()
    },
    options,
  ).finally(() => offered.resolve(OVER))
  produced.catch(() => {}) // told below, unless nobody takes any more
  try {
    for (;;) {
      wanted.resolve(true)
      const product = await offered.promise
      if (product === OVER) break
      offered = Promise.withResolvers()
      yield product
    }
  } finally {
    wanted.resolve(false)
  }
  await produced
}

const OVER = Symbol('over')
