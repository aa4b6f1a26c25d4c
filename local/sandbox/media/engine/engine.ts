import { mkdir } from 'node:fs/promises'
import { MediaError } from '../../../../lib/media/media-error.ts'
import { largestOf } from '../composing/picture.ts'
import type { Source } from '../sources/source.ts'
import { frameAt } from '../timebase.ts'
import type { Answer, Command, CommandName } from './commands.ts'
import { createComposedOutput } from './composed-output.ts'
import { createIndividualOutput } from './individual/individual-output.ts'
import type { Output } from './output.ts'
import { createSession, type Session } from './session.ts'

/**
 * Draws all sessions into all outputs, as a function of commands with their times. A command takes effect at the first
 * frame that begins at or after its time: before it, everything earlier is drawn. Frames are never skipped, however late
 * they are drawn.
 */
export interface Engine {
  /**
   * Carries out a command after all those before it. What takes long but holds up nobody, such as finishing a file, is
   * waited for by the answer only.
   */
  carryOut(time: number, command: Command): Promise<Answer<CommandName>>
  close(): Promise<void>
}

/** Frames drawn in a row before messages and ends of encoders get their turn. */
const FRAMES_AT_A_STRETCH = 15

/** What an engine tells of its outputs by itself. */
export interface EngineEvents {
  /** The encoder has died. */
  onFailure(outputId: string, error: Error): void
  /** A broadcast goes on, which is to go elsewhere too. */
  onFlv(outputId: string, chunk: Uint8Array): void
}

export function createEngine(ffmpegPath: string, { onFailure, onFlv }: EngineEvents): Engine {
  const sessions = new Map<string, Session>()
  const outputs = new Map<string, Output>()
  /** Outputs that are finishing their files, and streams whose decoders are ending. */
  const ending = new Set<Promise<unknown>>()
  /** The number of the frame to be drawn next. */
  let next = 0
  let isClosed = false
  let queue: Promise<unknown> = Promise.resolve()

  const sessionOf = (id: string) => {
    const session = sessions.get(id) ?? createSession(ffmpegPath)
    sessions.set(id, session)
    return session
  }

  const changeSession = (id: string, change: (session: Session) => void) => {
    change(sessionOf(id))
    for (const output of outputsOf(id)) output.rearrange()
  }

  const outputsOf = (sessionId: string) => [...outputs.values()].filter(({ setup }) => setup.sessionId === sessionId)

  const outputCalled = (id: string) => {
    const output = outputs.get(id)
    if (!output) throw new MediaError(`There is no running output ${id}: it was never started, or it is over.`)
    return output
  }

  async function drawUntil(frame: number) {
    for (; next < frame; next++) {
      if (isClosed) return
      const drawn = [...outputs.values()].filter(({ isPaused }) => !isPaused)
      if (drawn.length === 0) {
        next = frame
        return
      }
      await drawFrame(next, drawn)
      if (next % FRAMES_AT_A_STRETCH === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Each source is drawn once, however many outputs show it. */
  async function drawFrame(frame: number, drawn: readonly Output[]) {
    for (const id of new Set(drawn.map(({ setup }) => setup.sessionId))) {
      const shown = outputsOf(id)
      for (const output of shown) output.arrange()
      const largest = (source: Source) => largestOf(shown.map((output) => output.sizeOf(source)))
      await Promise.all(
        sessionOf(id)
          .participants()
          .map(({ source }) => source.show(frame, largest(source))),
      )
    }
    for (const output of drawn) await output.draw()
  }

  async function start(setup: Output['setup']) {
    if (outputs.has(setup.id)) throw new MediaError(`An output ${setup.id} is running already: give each its own id.`)
    const output = await open(setup).catch((error) => {
      throw asRefusal(error)
    })
    outputs.set(setup.id, output)
    output.failed.catch(async (error: Error) => {
      if (outputs.get(setup.id) !== output) return // it was ended on purpose
      outputs.delete(setup.id)
      await output.discard().catch(() => {}) // on a full disk, say; it has failed in any case
      onFailure(setup.id, error)
    })
  }

  /** Resolves when the output can be drawn. */
  async function open(setup: Output['setup']): Promise<Output> {
    if (setup.target.type === 'broadcast' && setup.target.hls)
      await mkdir(setup.target.hls.directory, { recursive: true })
    const session = sessionOf(setup.sessionId)
    const output =
      'layout' in setup
        ? createComposedOutput(ffmpegPath, setup, session, (chunk) => onFlv(setup.id, chunk))
        : createIndividualOutput(ffmpegPath, setup, session)
    await Promise.race([output.started, output.failed])
    return output
  }

  /** Ends an output that is to be kept; it has one frame at least, since a file cannot have none. */
  async function takeOut(id: string): Promise<Output> {
    const output = outputCalled(id)
    if (output.seconds === 0) {
      await drawFrame(next, [output])
      for (const other of outputsOf(output.setup.sessionId)) other.rearrange() // they have not seen this frame
    }
    outputs.delete(id)
    return output
  }

  const whileEnding = <Result>(ended: Promise<Result>): Promise<Result> => {
    ending.add(ended)
    ended.catch(() => {}).finally(() => ending.delete(ended))
    return ended
  }

  /** Does what must be done in order, and returns what may take its time. */
  async function apply(time: number, command: Command): Promise<{ answer: Promise<Answer<CommandName>> }> {
    if (isClosed) throw new MediaError('The media engine is closed.')
    await drawUntil(frameAt(time))
    switch (command.name) {
      case 'render':
        break
      case 'publish':
        changeSession(command.stream.sessionId, (session) => session.publish(command.stream, next))
        break
      case 'updateStream':
        changeSession(command.sessionId, (session) => session.update(command.streamId, command.change))
        break
      case 'unpublish':
        changeSession(command.sessionId, (session) => void whileEnding(session.unpublish(command.streamId)))
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
      case 'finish':
        return { answer: whileEnding((await takeOut(command.id)).finish()) }
      case 'discard': {
        const output = outputCalled(command.id)
        outputs.delete(command.id)
        return { answer: whileEnding(output.discard().then(() => undefined)) }
      }
    }
    return { answer: Promise.resolve(undefined) }
  }

  /** Ends all outputs and sources at once, also where one of them cannot be cleaned up: on a full disk, say. */
  async function abandon() {
    const abandoned = [...outputs.values()]
    outputs.clear()
    const streams = [...sessions.values()].flatMap((session) => session.participants())
    await Promise.allSettled([
      ...abandoned.map((output) => output.discard()),
      ...streams.map(({ source }) => source.close?.()),
    ])
  }

  return {
    async carryOut(time, command) {
      const applied = queue.then(() => apply(time, command))
      queue = applied.catch(() => {})
      return (await applied).answer
    },
    async close() {
      isClosed = true
      await abandon() // first: what is under way may be waiting for one of them
      await queue
      await abandon() // what was just starting
      await Promise.allSettled(ending)
    },
  }
}

/** What the machine refuses to an output that is to start harms no other; any other error stays what it is. */
const asRefusal = (error: unknown) =>
  error instanceof Error && 'syscall' in error && 'code' in error
    ? new MediaError(`The machine refused what the media engine needs: ${error.code} (${error.syscall}).`)
    : error
