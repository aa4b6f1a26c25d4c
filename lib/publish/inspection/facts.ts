import type { z } from 'zod'
import type { ByteSource } from '../../media/byte-source.ts'
import { inspect } from '../../media/inspect.ts'
import type { mediaFacts } from '../manifest/manifest.ts'

export type Facts = z.output<typeof mediaFacts>

/** Returns the facts that a manifest states about an MP4. */
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
