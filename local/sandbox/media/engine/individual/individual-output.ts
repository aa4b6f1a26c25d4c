import { mkdir, rm } from 'node:fs/promises'
import { MediaError } from '../../../../../lib/media/media-error.ts'
import { MAX_PICTURES } from '../../composing/composition.ts'
import { FRAMES_PER_SECOND } from '../../timebase.ts'
import type { IndividualSetup } from '../commands.ts'
import { MAX_VOICES } from '../mixer.ts'
import type { EncodedOutput } from '../output.ts'
import type { EngineParticipant, EngineSession } from '../session.ts'
import { noteStream } from './left-streams.ts'
import type { RecordedStream } from './manifest.ts'
import { pack } from './pack.ts'
import { createStreamFile, type StreamFile, type Tracks } from './stream-file.ts'

/** Starts an output that writes each stream into an own file, and packs the files at the end. */
export function createIndividualOutput(
  ffmpegPath: string,
  setup: IndividualSetup,
  session: EngineSession,
): EncodedOutput {
  const { target } = setup
  const open = new Map<string, { file: StreamFile; start: number }>()
  const ended: Promise<RecordedStream>[] = []
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {}) // no unhandled rejection before anything awaits it
  let { streams, isPaused = false } = setup
  let frames = 0

  const recorded = (kind: keyof Tracks) => [...open.values()].filter(({ file }) => file.tracks[kind]).length
  const isChosen = ({ streamId }: EngineParticipant) =>
    !streams || streams.some((choice) => choice.streamId === streamId && (choice.hasAudio || choice.hasVideo))

  function begin(participant: EngineParticipant): void {
    const { hasAudio, hasVideo } = participant.tracks ?? participant
    const tracks = {
      hasAudio: setup.hasAudio && hasAudio && recorded('hasAudio') < MAX_VOICES,
      hasVideo: setup.hasVideo && hasVideo && recorded('hasVideo') < MAX_PICTURES,
    }
    if (!tracks.hasAudio && !tracks.hasVideo) return
    const file = createStreamFile(ffmpegPath, target.directory, participant, tracks)
    file.failed.catch(failure.reject)
    noteStream(target.directory, participant, frames)
    open.set(participant.streamId, { file, start: frames })
  }

  /** Ends the files of streams that are no longer published. */
  function endBut(present: ReadonlySet<string>): void {
    for (const [streamId, { file, start }] of open) {
      if (present.has(streamId)) continue
      open.delete(streamId)
      const stop = frames
      const finished = file.finish().then((packed) => ({ ...packed, participant: file.participant, start, stop }))
      finished.catch(failure.reject)
      ended.push(finished)
    }
  }

  return {
    setup,
    started: mkdir(target.directory, { recursive: true }).then(() => {}),
    failed: failure.promise,
    get isPaused() {
      return isPaused
    },
    get seconds() {
      return frames / FRAMES_PER_SECOND
    },
    setLayout() {},
    setStreams(next) {
      streams = next
    },
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
    },
    rearrange() {
      endBut(new Set(session.participants().map(({ streamId }) => streamId)))
    },
    arrange() {},
    sizeOf(source) {
      const isSeen = setup.hasVideo && session.chosen(streams).seen.some((participant) => participant.source === source)
      return isSeen ? { width: source.width, height: source.height } : undefined
    },
    uses: (streamId) => !streams || streams.some((choice) => choice.streamId === streamId),
    watch() {
      throw new MediaError('An individual archive has no picture of all streams: watch its streams.')
    },
    async unwatch() {},
    async draw() {
      for (const participant of session.participants())
        if (!open.has(participant.streamId) && isChosen(participant)) begin(participant)
      const { seen, heard } = session.chosen(streams)
      const has = (participants: readonly EngineParticipant[], id: string) =>
        participants.some(({ streamId }) => streamId === id)
      for (const [streamId, { file }] of open)
        await file.draw({ hasVideo: has(seen, streamId), hasAudio: has(heard, streamId) })
      frames++
    },
    async finish() {
      const seconds = frames / FRAMES_PER_SECOND
      endBut(new Set())
      try {
        return { seconds, file: await pack(setup, await Promise.all(ended), target.path) }
      } catch (error) {
        if (error instanceof MediaError) throw error
        throw new MediaError('The files of an archive could not be packed.', { cause: error }) // a full disk, say
      } finally {
        await Promise.allSettled(ended)
        await rm(target.directory, { recursive: true, force: true }).catch(() => {})
      }
    },
    async discard() {
      await Promise.all([...open.values()].map(({ file }) => file.kill()))
      await Promise.allSettled(ended)
      await rm(target.directory, { recursive: true, force: true })
    },
  }
}
