import { planFaststart } from '../../lib/media/faststart/plan-faststart.ts'
import { planPieces } from '../../lib/media/hls/pieces.ts'
import { inspect } from '../../lib/media/inspect.ts'
import type { Recording, Surroundings } from './recording.ts'

/** Works of our library on a recording that no function does alone. */
export const byRanges = {
  inspect: async ({ key, etag }: Recording, { storage }: Surroundings) => inspect(await storage.open(key, etag)),
  inspectAndPlan: async ({ key, etag }: Recording, { storage }: Surroundings) => {
    const source = await storage.open(key, etag)
    const { duration, video, audio } = await inspect(source)
    const { pieces } = await planPieces(source)
    return { facts: { duration, video, audio }, pieces }
  },
  planFaststart: async ({ key, etag }: Recording, { storage }: Surroundings) => {
    const plan = await planFaststart(await storage.open(key, etag))
    return plan.kind
  },
} as const
