import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { operations } from '../../../../../lib/platform/contract/operations/operations.ts'
import type { ShowDocument } from '../../../../../lib/show/document/show.ts'
import { tasks } from '../../../../../lib/tasks/tasks.ts'
import { drawAims, drawFunctionAims } from '../../../../../local/simulation/generator/strikes/aims.ts'
import { createRandom } from '../../../../../local/simulation/scheduling/random.ts'

const everything: ShowDocument = JSON.parse(readFileSync('examples/everything.json', 'utf8'))

describe('drawAims', () => {
  const aims = Array.from({ length: 500 }, (_, seed) => drawAims(createRandom(seed, 'aims'), everything))

  it('aims at operations of the platform, in half of all shows', () => {
    expect(aims.filter(({ length }) => length > 0).length).toBeGreaterThan(200)
    expect(aims.filter(({ length }) => length > 0).length).toBeLessThan(300)
    for (const { operation } of aims.flat()) expect(Object.keys(operations)).toContain(operation.split(' ')[1])
  })

  it('aims only at what a show has', () => {
    const alone: ShowDocument = { version: 1, name: 'Alone', duration: 600, recordings: [{ name: 'program' }] }
    const drawn = Array.from({ length: 500 }, (_, seed) => drawAims(createRandom(seed, 'aims'), alone)).flat()
    expect(drawn.filter(({ operation }) => /Broadcast|Composer|dial|Disconnect/.test(operation))).toEqual([])
  })

  it('outlasts the attempts at every kind of stop more than twenty times', () => {
    for (const stop of ['stopArchive', 'stopBroadcast', 'stopComposer', 'forceDisconnect']) {
      const lasting = aims.flat().filter(({ operation, times }) => operation === `platform ${stop}` && times > 3)
      expect(lasting.length, stop).toBeGreaterThan(20)
    }
  })
})

describe('drawFunctionAims', () => {
  const aims = Array.from({ length: 5_000 }, (_, seed) => drawFunctionAims(createRandom(seed, 'aims'))).flat()

  it('exhausts the attempts at every function, and its memory twice', () => {
    for (const task of Object.keys(tasks)) {
      const own = aims.filter(({ operation }) => operation.toLowerCase() === `lambda ${task.toLowerCase()}`)
      expect(
        own.some(({ times }) => times > 7),
        task,
      ).toBe(true)
      expect(
        own.some(({ kind, times }) => kind === 'out of memory' && times > 1),
        task,
      ).toBe(true)
    }
  })
})
