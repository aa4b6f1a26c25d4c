import { once } from 'node:events'
import { type Transferable, Worker } from 'node:worker_threads'
import { MediaError } from '../../../../lib/media/media-error.ts'
import type { EncodedUnit } from '../live/packets.ts'
import type { PackagedPart } from '../packaging/package-broadcast.ts'
import type { Command, EngineAnswer, FromEngine, ToEngine } from './commands.ts'

/** The commanding end of an engine that runs in its own thread. */
export type EngineLink = ReturnType<typeof startEngine>

export interface EngineListener {
  /** Called when the encoder of an output died, or with undefined when the engine itself did. */
  onFailure(outputId: string | undefined, error: MediaError): void
  /** Called with each chunk of a broadcast's FLV; the last one precedes the answer to `finish`. */
  onFlv(outputId: string, chunk: Uint8Array): void
  /** Called with each part of a broadcast that is in its file; the last one precedes the answer to `finish`. */
  onPart(outputId: string, part: PackagedPart): void
  /** Called with what an output is encoded to for clients. */
  onUnit(outputId: string, unit: EncodedUnit): void
  /** Called when the encoder for the clients of an output has died. */
  onUnwatched(outputId: string, error: MediaError): void
}

/** Megabytes for short-lived objects of a few frames. By default, V8 keeps doubling it, for hours, up to 100 MB. */
const NURSERY_MB = 12

const BROKEN = 'The media engine broke down: restart the sandbox to record and broadcast again.'

/** Starts the engine's thread. */
export function startEngine(ffmpegPath: string, { onFailure, onFlv, onPart, onUnit, onUnwatched }: EngineListener) {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { ffmpegPath },
    resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB },
  })
  const waiting = new Map<number, { resolve(answer: never): void; reject(error: Error): void }>()
  let lastNumber = 0
  let end: MediaError | undefined

  const endWith = (error: MediaError) => {
    end ??= error
    for (const { reject } of waiting.values()) reject(end)
    waiting.clear()
  }
  worker.on('message', (message: FromEngine) => {
    if ('failedOutput' in message) return onFailure(message.failedOutput, new MediaError(message.reason))
    if ('flvOf' in message) return onFlv(message.flvOf, message.chunk)
    if ('partOf' in message) return onPart(message.partOf, message.part)
    if ('unitOf' in message) return onUnit(message.unitOf, message.unit)
    if ('unwatched' in message) return onUnwatched(message.unwatched, new MediaError(message.reason))
    const asked = waiting.get(message.number)
    waiting.delete(message.number)
    if ('refusal' in message) asked?.reject(new MediaError(message.refusal))
    else asked?.resolve(message.answer as never)
  })
  worker.on('error', (cause) => {
    const error = new MediaError(BROKEN, { cause })
    endWith(error)
    onFailure(undefined, error)
  })
  const exited = once(worker, 'exit').catch(() => {})
  exited.then(() => endWith(new MediaError('The media engine is closed.')))

  return {
    /** Carries out a command; rejects with a MediaError when the engine refuses it or ends before. */
    send: <Sent extends Command>(time: number, command: Sent) =>
      new Promise<EngineAnswer<Sent['name']>>((resolve, reject) => {
        if (end) return reject(end)
        const number = ++lastNumber
        waiting.set(number, { resolve, reject })
        worker.postMessage({ number, time, command } satisfies ToEngine, portsOf(command))
      }),
    async close() {
      worker.postMessage('close' satisfies ToEngine)
      await exited
    },
  }
}

/** What a command hands over to the engine's thread. */
function portsOf(command: Command): Transferable[] {
  const source = command.name === 'publish' ? command.stream.source : undefined
  if (source?.type === 'call') return source.video ? [source.blocks, source.video.packets] : [source.blocks]
  return source?.type === 'live' ? [source.packets] : []
}
