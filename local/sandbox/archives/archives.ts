import { archiveReasons } from '../../../lib/platform/contract/archives.ts'
import { limits } from '../../../lib/platform/contract/limits.ts'
import { createOutputs } from '../composed/outputs.ts'
import type { Media, Recorder } from '../media/media.ts'
import type { SandboxParts } from '../parts.ts'
import type { ArchiveRecord } from '../state/records.ts'
import { createArchiveCompletion } from './archive-completion.ts'
import type { ArchiveDelivery } from './archive-delivery.ts'

type NewArchive = Omit<
  ArchiveRecord,
  'status' | 'createdAt' | 'updatedAt' | 'reason' | 'recordedMs' | 'recordingSince' | 'file' | 'availableUntil'
>
type StopReason = (typeof archiveReasons)[Exclude<keyof typeof archiveReasons, 'failure'>]

/** Archives from their start until they stop: pauses, automatic stops, failures. */
export type Archives = ReturnType<typeof createArchives>

export function createArchives(
  parts: Pick<
    SandboxParts,
    'store' | 'clock' | 'timers' | 'background' | 'transitions' | 'presence' | 'media' | 'files'
  > & {
    delivery: ArchiveDelivery
  },
) {
  const { store, clock, timers, transitions, media, files, background, presence } = parts
  const { amend } = transitions.archives
  const recorders = createOutputs<Recorder>({ name: 'recorder', background, amend, fail })
  const completion = createArchiveCompletion({ ...parts, fail })

  /** Returns the archives of a session that are recording or paused. */
  const running = (sessionId?: string) => store.archives.find({ sessionId, status: ['started', 'paused'] })
  const stopAt = (id: string, purpose: string, time: number, reason: StopReason) =>
    timers.set(id, purpose, time, () => stop(id, reason))

  /** @throws {@link Refusal} 500 when the recorder does not start; the archive is then `failed` */
  async function start(described: NewArchive): Promise<ArchiveRecord> {
    const createdAt = clock.now()
    const recorded = { reason: '', recordedMs: 0, recordingSince: createdAt }
    const archive = transitions.archives.begin({ ...described, createdAt, ...recorded })
    const { id, sessionId } = archive
    const isPaused = !presence.isPublishing(sessionId)
    const starting = recorders.start(id, startRecorder(media, archive, isPaused))
    awaitMaximumDuration(archive)
    stopAt(id, 'age', createdAt + limits.archiveAge.value * 1000, archiveReasons.maximumDuration)
    if (isPaused) pause(archive)
    await starting
    return archive
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
    recorders.apply(id, (recorder) => recorder.pause())
  }

  function resume({ id }: ArchiveRecord): void {
    awaitMaximumDuration(transitions.archives.move(id, 'started', { recordingSince: clock.now() }))
    timers.cancel(id, 'idle')
    recorders.apply(id, (recorder) => recorder.resume())
  }

  /** Stops a running archive at once; its file is finished and delivered afterwards. */
  function stop(id: string, reason: StopReason): ArchiveRecord {
    const { stopped, made } = stopRecording(id, reason)
    completion.deliver(made)
    return stopped
  }

  function stopRecording(id: string, reason: StopReason) {
    timers.cancelAll(id)
    const stopped = transitions.archives.move(id, 'stopped', { reason })
    const made = completion.makeFile(id, async () => (await recorders.get(id))?.finish())
    return { stopped, made: made.finally(() => recorders.delete(id)) }
  }

  /** Fails an archive unless it has got further than `stopped`. */
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
    await recorder?.then((started) => started.discard()).catch(() => {}) // it has failed: there is nothing to save
  }

  /**
   * Takes over the archives of an earlier process. Its clients are gone, so an archive that was running stops with its
   * session. Each file is made of what had been written and is delivered; an archive with nothing written fails.
   */
  function recover(): void {
    for (const { id } of running())
      if (media.recover) transitions.archives.move(id, 'stopped', { reason: archiveReasons.sessionEnded })
      else fail(id)
    completion.recover()
  }

  /** Stops running archives. Their files are made for the next process to deliver, if files outlive this one. */
  async function close(): Promise<void> {
    for (const { id } of running()) {
      if (files.isLasting) stopRecording(id, archiveReasons.sessionEnded)
      else await discard(id)
    }
    if (files.isLasting) await completion.settled()
  }

  presence.listen({
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

  const { setLayout, setStreams } = recorders
  return {
    running,
    /** Returns the recorder of an archive until its file is finished. */
    output: recorders.get,
    start,
    stop,
    setLayout,
    setStreams,
    recover,
    close,
  }
}

function startRecorder(media: Media, archive: ArchiveRecord, isPaused: boolean): Promise<Recorder> {
  const { id, sessionId, name, createdAt, resolution, layout, streams, hasAudio, hasVideo } = archive
  const spec = { id, sessionId, streams, hasAudio, hasVideo, isPaused }
  return resolution && layout
    ? media.startArchive({ ...spec, resolution, layout })
    : media.startIndividualArchive({ ...spec, name, createdAt })
}
