import type { Bench } from './bench.ts'
import { createPlatformBench } from './platform/platform.ts'

/** Every bench, by the name that `npm run bench` takes. */
export const benches = { platform: createPlatformBench() } as const satisfies Record<string, Bench>
