import { planFaststart } from '../../lib/media/faststart/plan-faststart.ts'
import { planPieces } from '../../lib/media/hls/pieces.ts'
import { inspect } from '../../lib/media/inspect.ts'
import { createServices } from '../../lib/services.ts'
import type { Environment } from '../../lib/tasks/environment.ts'
import { timed } from '../figures.ts'
import { givenByParent, serveParent } from '../subprocess.ts'
import { byFfmpeg } from './by-ffmpeg.ts'
import type { BenchRecording, PublishSurroundings, WorkOptions } from './recording.ts'

/** Works of our library on a recording that no function does alone. */
const byRanges = {
  inspect: async ({ key, etag }: BenchRecording, { storage }: PublishSurroundings) =>
    inspect(await storage.open(key, etag)),
  inspectAndPlan: async ({ key, etag }: BenchRecording, { storage }: PublishSurroundings) => {
    const source = await storage.open(key, etag)
    const { duration, video, audio } = await inspect(source)
    const pieces = await planPieces(source)
    return { facts: { duration, video, audio }, pieces }
  },
  planFaststart: async ({ key, etag }: BenchRecording, { storage }: PublishSurroundings) => {
    const plan = await planFaststart(await storage.open(key, etag))
    return plan.kind
  },
} as const

const works = { ...byRanges, ...byFfmpeg } as const
export type PublishWork = keyof typeof works

const options = givenByParent<WorkOptions>()
const { storage } = createServices(process.env as Environment)

serveParent({}, ({ work, recording }: { work: PublishWork; recording: BenchRecording }) =>
  timed(async () => works[work](recording, { ...options, storage })),
)
