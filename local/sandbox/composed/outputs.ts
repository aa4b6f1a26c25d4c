import { Refusal } from '../http/refusal.ts'
import type { Output, StreamChoice } from '../media/media.ts'
import type { Background } from '../state/background.ts'
import type { BroadcastRecord } from '../state/records.ts'

type Layout = BroadcastRecord['layout']

/** Creates the media outputs of archives or broadcasts, by the id of their resource. */
export function createOutputs<O extends Output>(parts: {
  /** Names the output in refusals. */
  name: string
  background: Background
  amend(id: string, changes: { layout: Layout } | { streams: readonly StreamChoice[] }): unknown
  fail(id: string): void
}) {
  const { name, background, amend, fail } = parts
  const outputs = new Map<string, Promise<O>>()

  /** Applies a change in the background once the output has started. A change that throws fails the resource. */
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
    /**
     * Adds an output that is starting. An output that fails later fails its resource too.
     * @throws {@link Refusal} 500 when the output does not start; its resource has failed then
     */
    async start(id: string, starting: Promise<O>): Promise<O> {
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
    get: (id: string) => outputs.get(id),
    delete: (id: string) => void outputs.delete(id),
    setLayout(id: string, layout: Layout) {
      amend(id, { layout })
      apply(id, (output) => output.setLayout(layout))
    },
    /** Replaces the chosen streams; only in the stream mode `manual`. */
    setStreams(id: string, streams: readonly StreamChoice[]) {
      amend(id, { streams })
      apply(id, (output) => output.setStreams(streams))
    },
  }
}
