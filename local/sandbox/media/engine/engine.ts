import { mkdir } from 'node:fs/promises'
import { MediaError } from '../../../../lib/media/media-error.ts'
import type { EncodedUnit } from '../live/packets.ts'
import type { PackagedPart } from '../packaging/package-broadcast.ts'
import { frameAt } from '../timebase.ts'
import type { Command, CommandName, EngineAnswer } from './commands.ts'
import { createComposedOutput } from './composed-output.ts'
import { createIndividualOutput } from './individual/individual-output.ts'
import type { EncodedOutput } from './output.ts'
import { createRegistry } from './registry.ts'
import { createRenderer } from './renderer.ts'
import type { EngineSession } from './session.ts'

/** Reports of an engine that no command asked for. */
export interface EngineEvents {
  /** The encoder of an output has died. */
  onFailure(outputId: string, error: Error): void
  /** A broadcast has encoded a chunk of FLV. */
  onFlv(outputId: string, chunk: Uint8Array): void
  /** A part of a broadcast is in its file. */
  onPart(outputId: string, part: PackagedPart): void
  /** An output was encoded for clients. */
  onUnit(outputId: string, unit: EncodedUnit): void
  /** The encoder for the clients of an output has died. */
  onUnwatched(outputId: string, error: Error): void
}

/**
 * Creates the media engine. It draws all sessions into all outputs, as a function of commands with their times. A command takes
 * effect at the first frame that begins at or after its time; everything earlier is drawn before. Frames are never skipped,
 * however late they are drawn.
 */
export function createEngine(ffmpegPath: string, events: EngineEvents) {
  const registry = createRegistry(ffmpegPath)
  const { outputs, outputCalled, changeSession } = registry
  const renderer = createRenderer(registry)
  /** Outputs that are finishing their files, and streams whose decoders are ending. */
  const ending = new Set<Promise<unknown>>()
  let isClosed = false
  let queue: Promise<unknown> = Promise.resolve()

  async function start(setup: EncodedOutput['setup']) {
    if (outputs.has(setup.id)) throw new MediaError(`An output ${setup.id} is running already: give each its own id.`)
    const session = registry.sessionOf(setup.sessionId)
    const output = await openOutput(ffmpegPath, setup, session, events).catch((error) => {
      throw asRefusal(error)
    })
    outputs.set(setup.id, output)
    output.failed.catch(async (error: Error) => {
      if (outputs.get(setup.id) !== output) return // it was stopped on purpose
      outputs.delete(setup.id)
      await output.discard().catch(() => {}) // on a full disk, say; it has failed in any case
      events.onFailure(setup.id, error)
    })
  }

  /** Removes an output whose file is kept. */
  async function takeOut(id: string): Promise<EncodedOutput> {
    const output = outputCalled(id)
    if (output.seconds === 0) await renderer.drawFirstFrame(output)
    outputs.delete(id)
    return output
  }

  const trackEnding = <Result>(ended: Promise<Result>): Promise<Result> => {
    ending.add(ended)
    ended.catch(() => {}).finally(() => ending.delete(ended))
    return ended
  }

  /** Resolves when the next command may be applied; `answer` may take longer. */
  async function apply(time: number, command: Command): Promise<{ answer: Promise<EngineAnswer<CommandName>> }> {
    if (isClosed) throw new MediaError('The media engine is closed.')
    await renderer.drawUntil(frameAt(time))
    switch (command.name) {
      case 'render':
        break
      case 'publish':
        changeSession(command.stream.sessionId, (session) => session.publish(command.stream, renderer.nextFrame))
        break
      case 'updateStream':
        changeSession(command.sessionId, (session) => session.update(command.streamId, command.change))
        break
      case 'unpublish':
        changeSession(command.sessionId, (session) => void trackEnding(session.unpublish(command.streamId)))
        break
      case 'start':
        await start(command)
        break
      case 'setLayout':
        outputCalled(command.id).setLayout(command.layout)
        break
      case 'setStreams':
        outputCalled(command.id).setStreams(command.streams)
        break
      case 'pause':
        outputCalled(command.id).pause()
        break
      case 'resume':
        outputCalled(command.id).resume()
        break
      case 'watch': {
        const { id } = command
        outputCalled(id).watch({
          onUnit: (unit) => events.onUnit(id, unit),
          onFailure: (error) => events.onUnwatched(id, error),
        })
        break
      }
      case 'unwatch':
        return { answer: trackEnding((outputs.get(command.id)?.unwatch() ?? Promise.resolve()).then(() => undefined)) }
      case 'finish':
        return { answer: trackEnding((await takeOut(command.id)).finish()) }
      case 'discard': {
        const output = outputCalled(command.id)
        outputs.delete(command.id)
        return { answer: trackEnding(output.discard().then(() => undefined)) }
      }
    }
    return { answer: Promise.resolve(undefined) }
  }

  /** Ends all outputs and sources at once, even if one of them cannot be cleaned up: on a full disk, say. */
  async function abandon() {
    const abandoned = [...outputs.values()]
    outputs.clear()
    const streams = registry.sessions().flatMap((session) => session.participants())
    await Promise.allSettled([
      ...abandoned.map((output) => output.discard()),
      ...streams.map(({ source }) => source.close?.()),
    ])
  }

  return {
    /**
     * Carries out a command after all earlier ones. Slow work that blocks no other command, such as finishing a file, delays
     * only the answer.
     */
    async carryOut(time: number, command: Command): Promise<EngineAnswer<CommandName>> {
      const applied = queue.then(() => apply(time, command))
      queue = applied.catch(() => {})
      return (await applied).answer
    },
    async close(): Promise<void> {
      isClosed = true
      renderer.close()
      await abandon() // first: the current command may be waiting for one of them
      await queue
      await abandon() // outputs that were just starting
      await Promise.allSettled(ending)
    },
  }
}

/** Resolves when the output can be drawn. */
async function openOutput(
  ffmpegPath: string,
  setup: EncodedOutput['setup'],
  session: EngineSession,
  { onFlv, onPart, onUnit }: EngineEvents,
): Promise<EncodedOutput> {
  if (setup.target.type === 'broadcast' && setup.target.hls)
    await mkdir(setup.target.hls.directory, { recursive: true })
  const output =
    'layout' in setup
      ? createComposedOutput(ffmpegPath, setup, session, {
          onFlv: (chunk) => onFlv(setup.id, chunk),
          onPart: (part) => onPart(setup.id, part),
          onUnit: (unit) => onUnit(setup.id, unit),
        })
      : createIndividualOutput(ffmpegPath, setup, session)
  await Promise.race([output.started, output.failed])
  return output
}

/** Converts an error of the operating system, which concerns only the new output, into a refusal of that output. */
const asRefusal = (error: unknown) =>
  error instanceof Error && 'syscall' in error && 'code' in error
    ? new MediaError(`The machine refused what the media engine needs: ${error.code} (${error.syscall}).`)
    : error
