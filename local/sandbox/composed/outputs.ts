import { Refusal } from '../http/refusal.ts'
import type { Output, StreamChoice } from '../media/media.ts'
import type { Background } from '../state/background.ts'
import type { BroadcastRecord } from '../state/records.ts'

type Layout = BroadcastRecord['layout']

/** Changes to a running archive or broadcast. */
export interface CompositionControls {
  setLayout(id: string, layout: Layout): void
  /** Replaces the chosen streams; only in the stream mode `manual`. */
  setStreams(id: string, streams: readonly StreamChoice[]): void
}

/** Media outputs of archives or broadcasts, by the id of their resource. */
export interface Outputs<O extends Output> extends CompositionControls {
  /**
   * Adds an output that is starting. An output that fails later fails its resource too.
   * @throws {@link Refusal} 500 when the output does not start; its resource has failed then
   */
  start(id: string, starting: Promise<O>): Promise<O>
  get(id: string): Promise<O> | undefined
  /** Applies a change in the background once the output has started. A change that throws fails the resource. */
  apply(id: string, change: (output: O) => void): void
  delete(id: string): void
}

export function createOutputs<O extends Output>(parts: {
  /** Names the output in refusals. */
  name: string
  background: Background
  amend(id: string, changes: { layout: Layout } | { streams: readonly StreamChoice[] }): unknown
  fail(id: string): void
}): Outputs<O> {
  const { name, background, amend, fail } = parts
  const outputs = new Map<string, Promise<O>>()

  function apply(id: string, change: (output: O) => void): void {
    background.run(async () => {
      try {
        const output = await outputs.get(id)
        if (output) change(output)
      } catch {
        fail(id)
      }
    })
  }

  return {
    apply,
    async start(id, starting) {
      outputs.set(id, starting)
      try {
        const output = await starting
        output.onFailure(() => fail(id))
        return output
      } catch {
        fail(id)
        throw new Refusal(500, `The ${name} did not start.`)
      }
    },
    get: (id) => outputs.get(id),
    delete: (id) => void outputs.delete(id),
    setLayout(id, layout) {
      amend(id, { layout })
      apply(id, (output) => output.setLayout(layout))
    },
    setStreams(id, streams) {
      amend(id, { streams })
      apply(id, (output) => output.setStreams(streams))
    },
  }
}
