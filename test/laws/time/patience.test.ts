import { describe, expect, it } from 'vitest'
import { readSources, type Source } from '../sources.ts'

/** Milliseconds: what a slow or busy machine may need for a step that takes a moment elsewhere. */
const MIN = 60_000

const waiting = /\b(?:poll|waitFor|waitUntil|waitForFunction|it|describe|beforeAll|interval)\b.*timeout: ([\d_]+)/g
const waitingReversed = /\btimeout: ([\d_]+), interval/g

/** Waits that a slow machine would not survive, one sentence for each. */
const impatient = (sources: readonly Source[]) =>
  sources.flatMap(({ path, text }) =>
    [waiting, waitingReversed].flatMap((pattern) =>
      [...text.matchAll(pattern)]
        .filter(([, limit = '']) => Number(limit.replaceAll('_', '')) < MIN)
        .map(([line]) => `${path} waits too briefly: ${line}. Leave the timeout out, or make it longer.`),
    ),
  )

describe('patience', () => {
  it('of tests is at least a minute, so that time decides over no test', () => {
    expect(impatient(readSources('test'))).toEqual([])
  })

  it('is measured in milliseconds', () => {
    const limits = ['59_999', '60_000']
    const text = limits.flatMap((limit) => [`poll(f, { timeout: ${limit} })`, `{ timeout: ${limit}, interval: 5 }`])
    expect(impatient([{ path: 'a.ts', text: text.join('\n') }])).toHaveLength(2)
  })
})
