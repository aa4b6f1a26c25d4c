import { parentPort, workerData } from 'node:worker_threads'
import { MediaError } from '../../../../lib/media/media-error.ts'
import type { FromEngine, ToEngine } from './commands.ts'
import { createEngine } from './engine.ts'

// The engine has its own thread, so that composing never delays HTTP, and HTTP never delays composing.
const port = parentPort
if (!port) throw new Error('This file only runs as a worker thread: start it with createMedia.')

const send = (message: FromEngine) => port.postMessage(message)
const engine = createEngine(workerData.ffmpegPath as string, {
  onFailure: (failedOutput, { message }) => send({ failedOutput, reason: message }),
  onFlv: (flvOf, chunk) => send({ flvOf, chunk: new Uint8Array(chunk) }), // a copy: the chunk is a view of a larger buffer
  onPart: (partOf, part) => send({ partOf, part }),
  // A copy here too, without the buffer that was read.
  onUnit: (unitOf, unit) => send({ unitOf, unit: { ...unit, data: Uint8Array.from(unit.data) } }),
  onUnwatched: (unwatched, { message }) => send({ unwatched, reason: message }),
})

port.on('message', async (message: ToEngine) => {
  if (message === 'close') {
    await engine.close()
    return port.close()
  }
  const { number, time, command } = message
  try {
    send({ number, answer: await engine.carryOut(time, command) })
  } catch (error) {
    if (!(error instanceof MediaError)) throw error // ends the thread, and every output is notified
    send({ number, refusal: error.message })
  }
})
