import type { Show } from '../answers.ts'

/** The pause of a recording of a live show. */
export interface PauseState {
  readonly recording: string
  /** The request that is possible now. Absent while a resumption is being carried out. */
  readonly action?: 'pause' | 'resume'
  /** Replaces the status of the part. */
  readonly state?: string
  /** When the recording was paused. */
  readonly since?: string
}

type Part = Pick<Show['recordings'][number], 'name' | 'part' | 'status' | 'stoppedAt' | 'problem'>
type Pausing = Pick<Show, 'status' | 'document' | 'recordings' | 'timeline'>

/** Returns the pause of a recording for its newest part. Returns undefined for others, and if it cannot be paused. */
export function pauseStateOf(of: Part, { status, document, recordings, timeline }: Pausing): PauseState | undefined {
  const { name: recording, part } = of
  const order = document?.recordings.find(({ name }) => name === recording)
  const newest = Math.max(...recordings.filter(({ name }) => name === recording).map((one) => one.part))
  // The platform forgets the selected streams of a part, and a recording without parts cannot resume.
  if (status !== 'live' || part !== newest || order?.parts === false || order?.streamMode === 'manual') return undefined
  const lastIndex = (...types: readonly string[]) =>
    timeline.findLastIndex(
      ({ what, name, part: ofPart = part }) => types.includes(what) && name === recording && ofPart === part,
    )
  const [pause, resume] = [lastIndex('control.pause'), lastIndex('control.resume')]
  const paused = lastIndex('recording.paused')
  if (paused >= 0 && resume > paused) return { recording, state: 'resuming' }
  if (paused >= 0) return { recording, state: 'paused', since: timeline[paused]?.at ?? '', action: 'resume' }
  if (pause > Math.max(resume, lastIndex('recording.started', 'recording.resumed')))
    return { recording, state: 'pausing', action: 'resume' }
  const isRunning = of.stoppedAt === undefined && !of.problem && (of.status === 'started' || of.status === 'paused')
  return isRunning ? { recording, action: 'pause' } : undefined
}
