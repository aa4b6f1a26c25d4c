import type { ByteSource } from '../byte-source.ts'
import { type OpenMp4, type ReadingOptions, withMp4 } from './open-mp4.ts'
import { type Fragmented, type OpenIndex, withIndex } from './tables/with-tables.ts'

/**
 * Opens an MP4 while a caller iterates over the results of `produce`; none is produced ahead. Fails as `withMp4` does.
 * Errors of the caller do not reach it, so that a bucket that refuses an output is not mistaken for a damaged file.
 */
export const streamMp4 = <T>(
  source: ByteSource,
  produce: (mp4: OpenMp4) => AsyncGenerator<T, void, undefined>,
  options?: ReadingOptions,
): AsyncGenerator<T, void, undefined> => streamFrom((use) => withMp4(source, use, options), produce)

/** Does the same with an index that is read by parts, as `withIndex` opens it. */
export const streamIndex = <T>(
  source: ByteSource,
  produce: (mp4: OpenIndex | Fragmented) => AsyncGenerator<T, void, undefined>,
  options?: ReadingOptions,
): AsyncGenerator<T, void, undefined> => streamFrom((use) => withIndex(source, use, options), produce)

async function* streamFrom<Mp4, T>(
  open: (use: (mp4: Mp4) => Promise<void>) => Promise<void>,
  produce: (mp4: Mp4) => AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  let wanted = Promise.withResolvers<boolean>()
  let offered = Promise.withResolvers<T | typeof OVER>()
  const produced = open(async (mp4) => {
    const products = produce(mp4)
    while (await wanted.promise) {
      wanted = Promise.withResolvers()
      const { done, value } = await products.next()
      if (done) return
      offered.resolve(value)
    }
    await products.return()
  }).finally(() => offered.resolve(OVER))
  produced.catch(() => {}) // awaited below, unless the caller stops
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
