import { createServices } from '../../lib/services.ts'
import type { Environment } from '../../lib/tasks/environment.ts'
import { givenByParent, serveParent } from '../subprocess.ts'
import { byFfmpeg } from './by-ffmpeg.ts'
import { byRanges } from './by-ranges.ts'
import type { Recording, Surroundings } from './recording.ts'

export type WorkOptions = Omit<Surroundings, 'storage'>

export const works = { ...byRanges, ...byFfmpeg } as const
export type Work = keyof typeof works

export interface WorkQuestion {
  readonly work: Work
  readonly recording: Recording
}

export interface WorkDone {
  readonly result: unknown
  readonly seconds: number
}

const options = givenByParent<WorkOptions>()
const { storage } = createServices(process.env as Environment)

serveParent({}, async ({ work, recording }: WorkQuestion): Promise<WorkDone | { failure: string }> => {
  const since = performance.now()
  try {
    const result = (await works[work](recording, { ...options, storage })) ?? null
    const seconds = (performance.now() - since) / 1000
    return { result, seconds }
  } catch (error) {
    return { failure: String(error) }
  }
})
