import type { z } from 'zod'
import type { ByteSource } from '../../media/byte-source.ts'
import { inspect } from '../../media/inspect.ts'
import type { mediaFacts } from '../manifest/manifest.ts'

export type Facts = z.output<typeof mediaFacts>

/** What an MP4 holds, in the words of a manifest. */
export async function factsOf(source: ByteSource): Promise<Facts> {
  const { duration, video, audio } = await inspect(source)
  return {
    duration,
    video: video && pick(video, ['codec', 'width', 'height', 'frameRate']),
    audio: audio && pick(audio, ['codec', 'sampleRate', 'channels']),
  }
}

const pick = <From, Key extends keyof From>(from: From, keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<From, Key>
