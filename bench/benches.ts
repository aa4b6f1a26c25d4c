import type { Bench } from './bench.ts'
import { createLiveBench } from './live/live.ts'
import { createMediaBench } from './media/media.ts'
import { createPlatformBench } from './platform/platform.ts'

/** All benchmarks, by the name that `npm run bench` takes. */
export const benches = {
  platform: createPlatformBench(),
  media: createMediaBench(),
  live: createLiveBench(),
} as const satisfies Record<string, Bench>
