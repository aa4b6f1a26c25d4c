import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MediaError } from '../../../../lib/media/ffmpeg.ts'
import { PLAYLIST_FILE } from '../encoding/arguments.ts'
import { endPlaylist } from '../encoding/playlist.ts'
import { frameAt } from '../timebase.ts'
import type { Answer, Command, CommandName, FinishedOutput } from './commands.ts'
import { createOutput, type Output } from './output.ts'
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

export function createEngine(ffmpegPath: string, onFailure: (outputId: string, error: Error) => void): Engine {
  const sessions = new Map<string, Session>()
  const outputs = new Map<string, Output>()
  /** Outputs that are finishing their files. */
  const ending = new Set<Promise<unknown>>()
  /** The number of the frame to be drawn next. */
  let next = 0
  let isClosed = false
  let queue: Promise<unknown> = Promise.resolve()

  const sessionOf = (id: string) => {
    const session = sessions.get(id) ?? createSession()
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
      for (const { source } of sessionOf(id).participants()) source.show(frame)
    }
    for (const output of drawn) await output.draw()
  }

  async function start(setup: Output['setup']) {
    if (outputs.has(setup.id)) throw new MediaError(`An output ${setup.id} is running already: give each its own id.`)
    if (setup.target.type === 'hls') await mkdir(setup.target.directory, { recursive: true })
    const output = createOutput(ffmpegPath, setup, sessionOf(setup.sessionId))
    await Promise.race([output.encoder.started, output.encoder.failed])
    outputs.set(setup.id, output)
    output.encoder.failed.catch(async (error: Error) => {
      if (outputs.get(setup.id) !== output) return // it was ended on purpose
      outputs.delete(setup.id)
      await abandon(output)
      onFailure(setup.id, error)
    })
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
        changeSession(command.stream.sessionId, (session) => session.publish(command.stream))
        break
      case 'updateStream':
        changeSession(command.sessionId, (session) => session.update(command.streamId, command.change))
        break
      case 'unpublish':
        changeSession(command.sessionId, (session) => session.unpublish(command.streamId))
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
        return { answer: whileEnding(finish(await takeOut(command.id))) }
      case 'discard': {
        const output = outputCalled(command.id)
        outputs.delete(command.id)
        return { answer: whileEnding(discard(output)) }
      }
    }
    return { answer: Promise.resolve(undefined) }
  }

  return {
    async carryOut(time, command) {
      const applied = queue.then(() => apply(time, command))
      queue = applied.catch(() => {})
      return (await applied).answer
    },
    async close() {
      isClosed = true
      const abandoned = [...outputs.values()]
      outputs.clear()
      await Promise.all(abandoned.map(discard))
      await queue
      await Promise.allSettled(ending)
    },
  }
}

async function finish({ encoder, seconds, setup: { target } }: Output): Promise<FinishedOutput> {
  await encoder.finish()
  if (target.type === 'hls') return { seconds, file: undefined }
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(target.path)) hash.update(chunk)
  return { seconds, file: { size: (await stat(target.path)).size, sha256: hash.digest('base64') } }
}

async function discard(output: Output): Promise<undefined> {
  await output.encoder.kill()
  await abandon(output)
}

/** Cleans up after an encoder that did not finish: half an mp4 cannot be played, but what was broadcast so far can. */
async function abandon({ setup: { target } }: Output): Promise<void> {
  if (target.type === 'mp4') return rm(target.path, { force: true })
  for (const file of await readdir(target.directory)) {
    if (file.endsWith('.tmp')) await rm(join(target.directory, file))
  }
  const path = join(target.directory, PLAYLIST_FILE)
  const whole = await readFile(path, 'utf8').catch(() => undefined)
  if (whole !== undefined) await writeFile(path, endPlaylist(whole))
}
