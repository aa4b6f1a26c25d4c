import type { Clock } from '../../../lib/clock.ts'
import { archiveReasons } from '../../../lib/platform/contract/archives.ts'
import { limits } from '../../../lib/platform/contract/limits.ts'
import { Refusal } from '../http/refusal.ts'
import type { Media, RecordedFile, Recorder, StreamChoice } from '../media/media.ts'
import type { Presence } from '../participants/presence.ts'
import type { Background } from '../state/background.ts'
import type { ArchiveRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import type { Timers } from '../state/timers.ts'
import type { AllTransitions } from '../state/transitions.ts'
import type { ArchiveDelivery } from './archive-delivery.ts'
import { outputModeOf } from './archive-files.ts'
import type { ArchiveStore } from './archive-store.ts'

type NewArchive = Omit<
  ArchiveRecord,
  'status' | 'createdAt' | 'updatedAt' | 'reason' | 'recordedMs' | 'recordingSince' | 'file' | 'availableUntil'
>
type StopReason = (typeof archiveReasons)[Exclude<keyof typeof archiveReasons, 'failure'>]

/** Archives from their start to the finished file: pauses, automatic stops, failures. */
export interface Archives {
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
  /**
   * Takes up what an earlier process left. Its clients are gone, so that what was recording ends with its session; the
   * files are made of what had been written, or have failed where nothing had, and are delivered.
   */
  recover(): void
  /** Ends what is being recorded: its file is made for the next process to deliver, if files outlive this one. */
  close(): Promise<void>
}

export function createArchives(parts: {
  store: Store
  clock: Clock
  timers: Timers
  transitions: AllTransitions
  media: Media
  files: ArchiveStore
  background: Background
  attendance: Presence
  deliveries: ArchiveDelivery
}): Archives {
  const { store, clock, timers, transitions, media, files, background, attendance, deliveries } = parts
  const recorders = new Map<string, Promise<Recorder>>()
  /** Files in the making. */
  const making = new Set<Promise<unknown>>()

  const running = (sessionId?: string) => store.archives.find({ sessionId, status: ['started', 'paused'] })
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

  function startRecorder(archive: ArchiveRecord, isPaused: boolean): Promise<Recorder> {
    const { id, sessionId, name, createdAt, resolution, layout, streams, hasAudio, hasVideo } = archive
    const what = { id, sessionId, streams, hasAudio, hasVideo, isPaused }
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
    const { stopped, made } = end(id, reason)
    background.run(() => deliverOnce(made))
    return stopped
  }

  /** Stops a running archive and has its file made. */
  function end(id: string, reason: StopReason) {
    timers.cancelAll(id)
    const stopped = transitions.archives.move(id, 'stopped', { reason })
    return { stopped, made: makeFile(id, async () => (await recorders.get(id))?.finish()) }
  }

  async function deliverOnce(made: Promise<ArchiveRecord | undefined>): Promise<void> {
    const finished = await made
    if (finished) await deliver(finished)
  }

  /** Makes the file of an archive of an earlier process, of what that has written. */
  const takeUp = (archive: ArchiveRecord) =>
    makeFile(archive.id, async () => media.recover?.({ ...archive, outputMode: outputModeOf(archive) }))

  /** The record comes first: a process that ends before the file is kept leaves it where it is made. */
  async function makeFile(
    id: string,
    make: () => Promise<RecordedFile | undefined>,
  ): Promise<ArchiveRecord | undefined> {
    const made = (async () => {
      try {
        const file = await make()
        if (!file) throw new Error(`There is nothing of archive ${id}.`)
        const { size, seconds, sha256 } = file
        const finished = store.archives.update(id, { file: { size, seconds, sha256 } })
        await files.keep(id, file)
        recorders.delete(id)
        return finished
      } catch {
        fail(id)
      }
    })()
    making.add(made)
    return made.finally(() => making.delete(made))
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
    transitions.archives.move(id, 'failed', { reason: archiveReasons.failure, file: undefined })
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
      const isPaused = !attendance.isPublishing(sessionId)
      const starting = startRecorder(archive, isPaused)
      recorders.set(id, starting)
      awaitMaximumDuration(archive)
      stopAt(id, 'age', createdAt + limits.archiveAge.value * 1000, archiveReasons.maximumDuration)
      if (isPaused) pause(archive)
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
      for (const { id } of running())
        if (media.recover) transitions.archives.move(id, 'stopped', { reason: archiveReasons.sessionEnded })
        else fail(id)
      const withFiles = store.archives.find({ status: ['stopped', 'available'] })
      files.discardBut(new Set(withFiles.map(({ id }) => id)))
      for (const archive of store.archives.find({ status: 'stopped' })) {
        const isKept = archive.file && files.has(archive.id)
        background.run(() => (isKept ? deliver(archive) : deliverOnce(takeUp(archive))))
      }
      for (const archive of store.archives.find({ status: 'available' })) deliveries.awaitExpiry(archive)
    },
    async close() {
      for (const { id } of running()) {
        if (files.isLasting) end(id, archiveReasons.sessionEnded)
        else await discard(id)
      }
      if (files.isLasting) await Promise.all(making)
    },
  }
}
