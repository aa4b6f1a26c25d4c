import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../lib/clock.ts'
import { MediaError } from '../../../lib/media/media-error.ts'
import { createBroadcastOutputs } from './broadcasts.ts'
import { checkId, sizeOf } from './checks.ts'
import { endLeftEncoders } from './encoding/encoder-notes.ts'
import type { OutputSetup } from './engine/commands.ts'
import { type RunningOutput, startOutputs } from './engine/running-output.ts'
import { listenToStreams } from './listen-to-streams.ts'
import type { Media, Recorder } from './media.ts'
import { recordedFileAt } from './recorded-file.ts'
import { createRecovery } from './recovery.ts'
import type { ReconnectingOptions, RtmpRetry } from './rtmp/reconnecting-output.ts'
import { openSourceFile } from './sources/open-source-file.ts'
import { watchStream } from './watch-stream.ts'

export interface MediaOptions {
  readonly ffmpegPath: string
  /** Real clock: media is rendered in real time. Stepped clock: as fast as the machine can, with the same bytes each time. */
  readonly clock: Clock
  /** Folder of `<archive id>.mp4` or `.zip` and `<broadcast id>/`; created if missing. */
  readonly directory: string
  /** Certificate authorities in PEM for rtmps servers, besides the ones Node trusts. */
  readonly authorities?: readonly string[] | undefined
  /** Seconds for which a lost RTMP output connects again. @default 0 */
  readonly rtmpReconnect?: number | undefined
  /**
   * Shorter sides of the renditions that each broadcast with HLS has besides its own, in pixels. Those that are not smaller
   * are left out. @default none
   */
  readonly ladder?: readonly number[] | undefined
  /** Called before each attempt to connect a lost RTMP output again. @default prints to standard error */
  readonly onRetry?: ReconnectingOptions['onRetry']
  /** Called with failures of the engine itself, and with archives that cannot be recovered. @default prints to standard error */
  readonly onFault?: ((error: MediaError) => void) | undefined
}

/** A media engine whose rendering can be awaited. */
export interface MediaEngine extends Media {
  /** Resolves when everything due by the clock's time is drawn; for stepped clocks. */
  caughtUp(): Promise<void>
}

/** Creates the media engine: real pictures and audio, drawn in its own thread and encoded by one ffmpeg per output. */
export async function createMedia({
  ffmpegPath,
  clock,
  directory,
  authorities,
  rtmpReconnect: reconnectWindow,
  ladder = [],
  onRetry = printRetry,
  onFault = print,
}: MediaOptions): Promise<MediaEngine> {
  await mkdir(directory, { recursive: true })
  const { recover } = createRecovery({ ffmpegPath, directory })
  let encodersEnded: Promise<void> | undefined
  const engine = startOutputs(ffmpegPath, clock, (fault) => {
    onFault(fault)
    encodersEnded = endLeftEncoders(directory).catch(() => {}) // the next process does so too
  })
  const broadcasts = createBroadcastOutputs(engine, { clock, directory, authorities, reconnectWindow, onRetry, ladder })
  const published = new Set<string>()
  const send = (command: Parameters<typeof engine.send>[1]) => {
    engine.send(clock.now(), command).catch(() => {}) // the engine has ended: every output is notified
  }
  /** Removes an archive's files after an engine broke down, once its encoders have ended. */
  const removeLeftovers = async (id: string) => {
    await encodersEnded
    await removeArchive(directory, id)
  }
  const startRecorder = async (setup: OutputSetup, path: string): Promise<Recorder> => {
    const output = await engine.startOutput(setup).catch(async (error) => {
      if (encodersEnded) await removeLeftovers(setup.id)
      throw error
    })
    return recorderOf(output, path, () => removeLeftovers(setup.id))
  }

  return {
    openFile: (path) => openSourceFile(ffmpegPath, path),
    publish(stream) {
      const key = keyOf(stream.sessionId, stream.streamId)
      if (published.has(key)) throw new MediaError(`The stream ${stream.streamId} is published already.`)
      published.add(key)
      send({ name: 'publish', stream })
    },
    updateStream(sessionId, streamId, change) {
      if (!published.has(keyOf(sessionId, streamId))) throw new MediaError(`The stream ${streamId} is not published.`)
      send({ name: 'updateStream', sessionId, streamId, change })
    },
    unpublish(sessionId, streamId) {
      if (published.delete(keyOf(sessionId, streamId))) send({ name: 'unpublish', sessionId, streamId })
    },

    async startArchive({ resolution, ...spec }) {
      check(spec)
      const path = join(directory, `${spec.id}.mp4`)
      return startRecorder({ ...spec, ...sizeOf(resolution), target: { type: 'mp4', path } }, path)
    },

    async startIndividualArchive({ id, sessionId, name, createdAt, streams, hasAudio, hasVideo, isPaused }) {
      // Only these: the engine takes an output with a layout for a composed one.
      const spec = { id, sessionId, streams, hasAudio, hasVideo, isPaused }
      check(spec)
      const path = join(directory, `${id}.zip`)
      const target = { type: 'zip', path, directory: join(directory, id) } as const
      return startRecorder({ ...spec, manifest: { name, createdAt }, target }, path)
    },

    startBroadcast: (spec) => broadcasts.start(spec),
    hasLadder: broadcasts.hasLadder,
    watchStream: (stream, viewer) => watchStream(engine, stream, viewer),
    listenToStreams: (streams, ear) => listenToStreams(engine, streams, ear),

    async recover(archive) {
      try {
        return await recover(archive)
      } catch (error) {
        onFault(new MediaError(recoveryFailure(archive.id, directory, error)))
        throw error
      }
    },

    caughtUp: () => engine.send(clock.now(), { name: 'render' }).catch(() => {}), // the engine has ended

    async close() {
      broadcasts.close()
      await engine.close()
    },
  }
}

/** Prints an error without its own stack, which adds nothing to that of its cause. */
const print = ({ message, cause }: MediaError) => console.error(...(cause === undefined ? [message] : [message, cause]))

const printRetry = ({ targetId, attempt, pause, left }: RtmpRetry) =>
  console.error(
    `The RTMP output ${targetId} is not connected: attempt ${attempt} in ${pause.toFixed(1)} s, ${Math.round(left)} s left.`,
  )

const recoveryFailure = (id: string, directory: string, error: unknown) =>
  `The archive ${id} could not be recovered, and its files are kept in ${directory}: ${error instanceof Error ? error.message : error}`

/** Creates the recorder of an output; `remove` deletes leftovers that the engine cannot. */
const recorderOf = (
  { finish, discard, ...output }: RunningOutput,
  path: string,
  remove: () => Promise<void>,
): Recorder => ({
  ...output,
  async finish() {
    const { seconds, file } = await finish()
    if (!file) throw new MediaError('The engine made no file of an archive.')
    return recordedFileAt(path, { ...file, seconds })
  },
  async discard() {
    try {
      await discard()
    } finally {
      await remove()
    }
  },
})

/** Deletes all files of an archive: the finished one, its parts and its notes. */
async function removeArchive(directory: string, id: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name === id || name.startsWith(`${id}.`))
  await Promise.all(names.map((name) => rm(join(directory, name), { recursive: true, force: true })))
}

const keyOf = (sessionId: string, streamId: string) => JSON.stringify([sessionId, streamId])

/** @throws {@link MediaError} for an invalid id, or an archive without tracks */
function check({ id, hasAudio, hasVideo }: { id: string; hasAudio: boolean; hasVideo: boolean }): void {
  checkId(id)
  if (!hasAudio && !hasVideo) throw new MediaError('An archive needs audio or pictures: set hasAudio or hasVideo.')
}
