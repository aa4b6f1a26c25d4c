import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeDamageable } from '../../support/media/damageable.ts'
import { damagedFiles, type Publishing } from '../../support/media/publish-damaged.ts'
import { useClips } from './clips.ts'

const FILES = 400
/** Times the processor time of the costliest intact file, so that a slower machine has the same limit. */
const MAX_COST = 30
/** Megabytes, with the 100 that Node takes for itself. */
const MAX_MEMORY = 300
/** Megabytes of the heap; beyond it the process ends. */
const HEAP = ['--max-old-space-size=128', '--max-semi-space-size=4']
const PROCESSES = Math.min(4, availableParallelism())
const PROGRAM = fileURLToPath(new URL('../../support/media/publish-damaged.ts', import.meta.url))

const clips = useClips()
let intact: Publishing[]
let publishings: Publishing[]

/** Publishes the intact files, and each damaged one whose seed is `first` and every further one by the number of processes. */
async function publishFrom(first: number): Promise<Publishing[]> {
  const args = [
    '--expose-gc',
    ...HEAP,
    PROGRAM,
    clips.directory,
    String(first),
    String(FILES),
    String(PROCESSES),
    clips.ffmpegPath,
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const made: Publishing[] = []
  for await (const line of createInterface(child.stdout)) made.push(JSON.parse(line))
  const last = made.at(-1)?.seed
  expect(await ended, `the process ended behind seed ${last}`).toBe(0)
  return made
}

/** Half an hour: a loop without an end is the only thing that takes so long. */
beforeAll(async () => {
  await makeDamageable(clips.ffmpegPath, clips.directory)
  const all = (await Promise.all(Array.from({ length: PROCESSES }, (_, first) => publishFrom(first)))).flat()
  intact = all.filter(({ seed }) => seed === null)
  publishings = all.filter(({ seed }) => seed !== null)
}, 1_800_000)

describe(`of ${FILES} damaged files`, () => {
  it('each is published as far as it goes, or refused as media', () => {
    expect(publishings).toHaveLength(FILES)
    const others = publishings.flatMap(({ seed, failures }) =>
      failures
        .filter(({ name, message }) => name !== 'MediaError' || !message)
        .map((failure) => ({ seed, ...failure })),
    )
    expect(others).toEqual([])
    for (const file of damagedFiles) {
      const own = publishings.filter((publishing) => publishing.file === file)
      expect(
        own.some(({ results }) => results > 0),
        file,
      ).toBe(true)
      expect(
        own.some(({ failures }) => failures.length > 0),
        file,
      ).toBe(true)
    }
  })

  it(`none takes more than ${MAX_COST} times the processor time of an intact file`, () => {
    expect(intact.filter(({ failures }) => failures.length > 0)).toEqual([])
    const most = MAX_COST * Math.max(...intact.map(({ processor }) => processor))
    expect(publishings.filter(({ processor }) => processor > most)).toEqual([])
  })

  it('none takes more than 300 MB, nor does its ffmpeg', () => {
    expect(publishings.filter(({ memory, ffmpegMemory }) => Math.max(memory, ffmpegMemory) > MAX_MEMORY)).toEqual([])
  })
})
