import type { Clock } from '../../lib/clock.ts'
import { archiveReasons } from '../../lib/platform/contract/archives.ts'
import { limits } from '../../lib/platform/contract/limits.ts'
import type { Attendance } from './attendance.ts'
import type { Background } from './background.ts'
import type { Deliveries } from './deliveries.ts'
import type { KeptFiles } from './kept-files.ts'
import type { Media, Recorder, StreamChoice } from './media/media.ts'
import type { ArchiveRecord } from './records.ts'
import { Refusal } from './refusal.ts'
import type { Store } from './store.ts'
import type { Timers } from './timers.ts'
import type { AllTransitions } from './transitions.ts'

type NewArchive = Omit<
  ArchiveRecord,
  'status' | 'createdAt' | 'updatedAt' | 'reason' | 'recordedMs' | 'recordingSince' | 'file' | 'availableUntil'
>
type StopReason = (typeof archiveReasons)[Exclude<keyof typeof archiveReasons, 'failure'>]

/** Archives from their start to the finished file: pauses, automatic stops, failures. */
export interface Recordings {
  /** Those of a session that record or pause. */
  running(sessionId: string): ArchiveRecord[]
  /** @throws Refusal 500 when the recorder does not start; the archive is then `failed` */
  start(archive: NewArchive): Promise<ArchiveRecord>
  /** Stops a running archive at once; its file is finished and delivered afterwards. */
  stop(id: string, reason: StopReason): ArchiveRecord
  /** Changes what a running archive shows from now on. */
  setLayout(id: string, layout: NonNullable<ArchiveRecord['layout']>): void
  /** Replaces the chosen streams of a running archive of the stream mode `manual`. */
  setStreams(id: string, streams: readonly StreamChoice[]): void
  /** Takes up what an earlier process left: what was recording has failed, what was stopped is delivered. */
  recover(): void
  /** Discards what is being recorded. */
  close(): Promise<void>
}

export function createRecordings(parts: {
  store: Store
  clock: Clock
  timers: Timers
  transitions: AllTransitions
  media: Media
  files: KeptFiles
  background: Background
  attendance: Attendance
  deliveries: Deliveries
}): Recordings {
  const { store, clock, timers, transitions, media, files, background, attendance, deliveries } = parts
  const recorders = new Map<string, Promise<Recorder>>()

  const running = (sessionId: string) => store.archives.find({ sessionId, status: ['started', 'paused'] })
  const isRunning = (id: string) => ['started', 'paused'].includes(store.archives.get(id)?.status ?? '')
  const stopAt = (id: string, purpose: string, time: number, reason: StopReason) =>
    timers.set(id, purpose, time, () => stop(id, reason))

  /** Tells the recorder once it has started; one that cannot follow has failed. */
  const tell = (id: string, act: (recorder: Recorder) => void) =>
    background.run(async () => {
      try {
        const recorder = await recorders.get(id)
        if (recorder) act(recorder)
      } catch {
        fail(id)
      }
    })

  function startRecorder(archive: ArchiveRecord): Promise<Recorder> {
    const { id, sessionId, name, createdAt, resolution, layout, streams, hasAudio, hasVideo } = archive
    const what = { id, sessionId, streams, hasAudio, hasVideo }
    return resolution && layout
      ? media.startArchive({ ...what, resolution, layout })
      : media.startIndividualArchive({ ...what, name, createdAt })
  }

  function awaitMaximumDuration({ id, recordedMs }: ArchiveRecord): void {
    const left = limits.archiveDuration.value * 1000 - recordedMs
    stopAt(id, 'duration', clock.now() + left, archiveReasons.maximumDuration)
  }

  function pause({ id, recordedMs, recordingSince = clock.now() }: ArchiveRecord): void {
    const recorded = recordedMs + clock.now() - recordingSince
    transitions.archives.move(id, 'paused', { recordedMs: recorded, recordingSince: undefined })
    timers.cancel(id, 'duration')
    stopAt(id, 'idle', clock.now() + limits.idleArchive.value * 1000, archiveReasons.maximumIdle)
    tell(id, (recorder) => recorder.pause())
  }

  function resume({ id }: ArchiveRecord): void {
    awaitMaximumDuration(transitions.archives.move(id, 'started', { recordingSince: clock.now() }))
    timers.cancel(id, 'idle')
    tell(id, (recorder) => recorder.resume())
  }

  function stop(id: string, reason: StopReason): ArchiveRecord {
    timers.cancelAll(id)
    const stopped = transitions.archives.move(id, 'stopped', { reason })
    background.run(() => finish(id))
    return stopped
  }

  async function finish(id: string): Promise<void> {
    let finished: ArchiveRecord
    try {
      const file = await (await recorders.get(id))?.finish()
      if (!file) throw new Error(`Archive ${id} has no recorder.`)
      const { size, seconds, sha256 } = file
      await files.keep(id, file)
      finished = store.archives.update(id, { file: { size, seconds, sha256 } })
    } catch {
      return fail(id)
    }
    recorders.delete(id)
    await deliver(finished)
  }

  async function deliver(archive: ArchiveRecord): Promise<void> {
    try {
      await deliveries.deliver(archive)
    } catch (error) {
      if (!background.signal.aborted) throw error // else the next process delivers it, if there is a directory
    }
  }

  /** Something broke: the archive has failed, unless it got further than that, and everything else goes on. */
  function fail(id: string): void {
    const status = store.archives.get(id)?.status
    if (status !== 'started' && status !== 'paused' && status !== 'stopped') return
    timers.cancelAll(id)
    transitions.archives.move(id, 'failed', { reason: archiveReasons.failure })
    background.run(() => discard(id))
  }

  async function discard(id: string): Promise<void> {
    const recorder = recorders.get(id)
    recorders.delete(id)
    await recorder?.then((started) => started.discard()).catch(() => {}) // it is broken: there is nothing more to save
  }

  attendance.listen({
    onPublishing(sessionId) {
      for (const archive of running(sessionId)) if (archive.status === 'paused') resume(archive)
    },
    onIdle(sessionId) {
      for (const archive of running(sessionId)) if (archive.status === 'started') pause(archive)
    },
    onEnded(sessionId) {
      for (const { id } of running(sessionId)) stop(id, archiveReasons.sessionEnded)
    },
  })

  return {
    running,
    stop,
    setLayout(id, layout) {
      transitions.archives.amend(id, { layout })
      tell(id, (recorder) => recorder.setLayout(layout))
    },
    setStreams(id, streams) {
      transitions.archives.amend(id, { streams })
      tell(id, (recorder) => recorder.setStreams(streams))
    },
    async start(described) {
      const createdAt = clock.now()
      const archive = transitions.archives.begin({
        ...described,
        createdAt,
        reason: '',
        recordedMs: 0,
        recordingSince: createdAt,
      })
      const { id, sessionId } = archive
      const starting = startRecorder(archive)
      recorders.set(id, starting)
      awaitMaximumDuration(archive)
      stopAt(id, 'age', createdAt + limits.archiveAge.value * 1000, archiveReasons.maximumDuration)
      if (!attendance.isPublishing(sessionId)) pause(archive)
      try {
        const recorder = await starting
        recorder.onFailure(() => fail(id))
      } catch {
        fail(id)
        throw new Refusal(500, 'The recorder did not start.')
      }
      return archive
    },
    recover() {
      for (const { id } of store.archives.find({ status: ['started', 'paused'] })) fail(id)
      for (const archive of store.archives.find({ status: 'stopped' })) {
        if (archive.file && files.has(archive.id)) background.run(() => deliver(archive))
        else fail(archive.id)
      }
      for (const archive of store.archives.find({ status: 'available' })) deliveries.awaitExpiry(archive)
    },
    async close() {
      for (const id of [...recorders.keys()]) if (isRunning(id)) await discard(id)
    },
  }
}
