import { parentPort, workerData } from 'node:worker_threads'
import { MediaError } from '../../../../lib/media/media-error.ts'
import type { FromEngine, ToEngine } from './commands.ts'
import { createEngine } from './engine.ts'

/** The engine's thread: composing never delays HTTP, and HTTP never delays composing. */
const port = parentPort
if (!port) throw new Error('This file runs as a worker thread only: start it with createMedia.')

const say = (message: FromEngine) => port.postMessage(message)
const engine = createEngine(workerData.ffmpegPath as string, {
  onFailure: (failedOutput, { message }) => say({ failedOutput, reason: message }),
  onFlv: (flvOf, chunk) => say({ flvOf, chunk: new Uint8Array(chunk) }), // without the larger buffer that it is a part of
})

port.on('message', async (message: ToEngine) => {
  if (message === 'close') {
    await engine.close()
    return port.close()
  }
  const { number, time, command } = message
  try {
    say({ number, answer: await engine.carryOut(time, command) })
  } catch (error) {
    if (!(error instanceof MediaError)) throw error // ends the thread, and every output hears of it
    say({ number, refusal: error.message })
  }
})
