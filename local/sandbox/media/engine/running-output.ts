import type { Clock } from '../../../../lib/clock.ts'
import { MediaError } from '../../../../lib/media/media-error.ts'
import { checkLayout } from '../composing/check-layout.ts'
import type { Layout, StreamChoice, Viewer, Watching } from '../media.ts'
import type { FinishedOutput, OutputSetup } from './commands.ts'
import type { OutputListener } from './composed-output.ts'
import { createDriver } from './driver.ts'
import { startEngine } from './link.ts'

export type OutputStarter = ReturnType<typeof startOutputs>
/** An output of the engine as seen from the commanding thread. */
export type RunningOutput = Awaited<ReturnType<OutputStarter['startOutput']>>

/**
 * Starts an engine and tracks its outputs: the engine is driven while any of them runs, and each is notified when it
 * fails. `onFault` is called when the engine itself fails, and all outputs with it.
 */
export function startOutputs(ffmpegPath: string, clock: Clock, onFault: (error: MediaError) => void) {
  const failures = new Map<string, (error: MediaError) => void>()
  const outputListeners = new Map<string, Partial<OutputListener>>()
  const viewers = new Map<string, Viewer>()
  const engine = startEngine(ffmpegPath, {
    onFailure(outputId, error) {
      if (outputId !== undefined) return failures.get(outputId)?.(error)
      onFault(error)
      for (const fail of [...failures.values()]) fail(error)
    },
    onFlv: (outputId, chunk) => outputListeners.get(outputId)?.onFlv?.(chunk),
    onPart: (outputId, part) => outputListeners.get(outputId)?.onPart?.(part),
    onUnit: (outputId, unit) => (viewers.get(outputId) ?? outputListeners.get(outputId))?.onUnit?.(unit),
    onUnwatched(outputId, error) {
      const viewer = viewers.get(outputId)
      viewers.delete(outputId)
      viewer?.onFailure(error)
    },
  })
  const driver = createDriver(clock, (time) => engine.send(time, { name: 'render' }))

  return {
    send: engine.send,
    close: engine.close,
    /** Starts an output. The listener is called until the output has ended or failed. */
    async startOutput(setup: OutputSetup, listener?: Partial<OutputListener>) {
      const { id } = setup
      if ('layout' in setup) checkLayout(setup.layout)
      if (failures.has(id)) throw new MediaError(`An output ${id} is running already: give each its own id.`)

      const listeners: ((error: Error) => void)[] = []
      let failure: MediaError | undefined
      const leave = () => {
        if (failures.delete(id)) driver.rest(id)
      }
      const silence = () => {
        outputListeners.delete(id)
        viewers.delete(id)
      }
      if (listener) outputListeners.set(id, listener)
      failures.set(id, (error) => {
        leave()
        silence()
        failure = error
        for (const listener of listeners) listener(error)
      })
      if (!setup.isPaused) driver.wake(id)

      /** Rejects with the failure of an output that has just failed, rather than with the engine's refusal. */
      const send: typeof engine.send = (time, command) =>
        engine.send(time, command).catch((error) => {
          throw failure ?? error
        })
      const sendIfRunning = (command: Parameters<typeof engine.send>[1]) => {
        if (failures.has(id)) send(clock.now(), command).catch(() => {})
      }
      const end = <Name extends 'finish' | 'discard'>(name: Name) => {
        const isRunning = failures.has(id)
        leave()
        if (failure) return Promise.reject(failure)
        if (!isRunning) return Promise.reject(new MediaError(`The output ${id} was ended already: end it once.`))
        return send(clock.now(), { name, id }).finally(silence)
      }

      await send(clock.now(), { name: 'start', ...setup }).catch((error) => {
        leave()
        silence()
        throw error
      })
      return {
        setLayout(layout: Layout) {
          if (!('layout' in setup))
            throw new MediaError(`The output ${id} is an individual archive, which has no layout.`)
          checkLayout(layout)
          sendIfRunning({ name: 'setLayout', id, layout })
        },
        setStreams: (streams: readonly StreamChoice[]) => sendIfRunning({ name: 'setStreams', id, streams }),
        pause() {
          sendIfRunning({ name: 'pause', id })
          if (failures.has(id)) driver.rest(id)
        },
        resume() {
          sendIfRunning({ name: 'resume', id })
          if (failures.has(id)) driver.wake(id)
        },
        onFailure(listener: (error: Error) => void) {
          if (failure) listener(failure)
          else listeners.push(listener)
        },
        /** Encodes what the output draws for clients; one viewer at a time. */
        async watch(viewer: Viewer): Promise<Watching> {
          if (viewers.has(id)) throw new MediaError(`The output ${id} is watched already.`)
          viewers.set(id, viewer)
          await send(clock.now(), { name: 'watch', id }).catch((error) => {
            viewers.delete(id)
            throw error
          })
          return {
            async stop() {
              if (viewers.get(id) !== viewer) return // it has failed, or the output has ended
              viewers.delete(id)
              await send(clock.now(), { name: 'unwatch', id }).catch(() => {}) // the output is ending
            },
          }
        },
        finish: () => end('finish') as Promise<FinishedOutput>,
        discard: async () => {
          if (!failure) await end('discard')
        },
      }
    },
  }
}
