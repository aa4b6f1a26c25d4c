import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { synthesizeTemplate } from '../../../bin/local/assembly.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { Assembly } from '../../../local/cloud/assembly.ts'
import { type SimulateOptions, simulate, simulateIn } from '../../../local/simulation/simulate.ts'

const show: ShowDocument = JSON.parse(readFileSync('examples/webinar.json', 'utf8'))
let assembly: Assembly

beforeAll(async () => {
  assembly = await synthesizeTemplate()
})

const run = (options: Partial<SimulateOptions> = {}) => simulate({ assembly, show, seed: 1, ...options })
const timesOf = (trace: readonly string[], words: string) =>
  trace.filter((line) => line.includes(words)).map((line) => Number(line.trim().split(' ')[0]))

describe('simulate', () => {
  it('runs the show of the example to its end', async () => {
    const { status, result, virtualSeconds, calls, transitions, historyEvents } = await run()
    expect(status).toBe('succeeded')
    expect(result).toMatchObject({ reason: 'The planned end was reached.', endedAt: expect.any(String) })
    expect(result?.recordings.map(({ name, status, duration }) => ({ name, status, duration }))).toEqual([
      { name: 'program', status: 'uploaded', duration: 20 },
      { name: 'speakers', status: 'uploaded', duration: 20 },
    ])
    expect(result?.broadcasts).toMatchObject([{ name: 'live', status: 'stopped' }])
    expect(virtualSeconds).toBeGreaterThanOrEqual(20)
    expect(Math.min(calls, transitions, historyEvents)).toBeGreaterThan(0)
  })

  it('runs a show that is only broadcast', async () => {
    const { status, result } = await run({ show: { ...show, recordings: [] } })
    expect([status, result?.reason]).toEqual(['succeeded', 'The planned end was reached.'])
    expect([result?.recordings, result?.broadcasts.map(({ status }) => status)]).toEqual([[], ['stopped']])
    expect(result?.timeline.map(({ what }) => what)).toContain('broadcast.live')
  })

  it('gives one seed’s trace and result again, even beside another simulation', async () => {
    const { seconds: _, ...first } = await run()
    const [again, other] = await Promise.all([run(), run({ seed: 2 })])
    const { seconds: __, ...second } = again
    expect(second).toEqual(first)
    expect(other.traceSha256).not.toBe(first.traceSha256)
  })

  it('lets another seed choose another order', async () => {
    const orderOf = async (seed: number) =>
      (await run({ seed })).trace.flatMap(
        (line) => / (Start\w+).* -> platform (\w+)/.exec(line)?.slice(1).join(' ') ?? [],
      )
    const orders = await Promise.all([1, 2, 3, 4].map(orderOf))
    expect(new Set(orders.map((order) => order.toSorted().join())).size).toBe(1)
    expect(new Set(orders.map((order) => order.join())).size).toBeGreaterThan(1)
  })

  it.each([1, 2])('rescues %i archives whose upload fails, so that nothing is lost', async (times) => {
    const faults = [{ operation: 'stopArchive', times, fault: { type: 'failUpload' } } as const]
    await simulateIn(
      { assembly, show, seed: 5, faults },
      async ({ observer, scheduler }, { status, result, trace }) => {
        expect([status, result?.reason]).toEqual(['succeeded', 'The planned end was reached.'])
        const rescued = result?.recordings.filter(({ rescued }) => rescued) ?? []
        expect(rescued.map(({ status }) => status)).toEqual(Array(times).fill('available'))
        expect(timesOf(trace, 'Rescue archive entered')).toHaveLength(times)
        for (const { key = '', size } of result?.recordings ?? [])
          expect(await scheduler.drive(() => observer.storage.sizeOf(key))).toBe(size)
      },
    )
  })

  it('rescues an archive at a later attempt when the platform refuses it for minutes', async () => {
    const faults = [{ operation: 'stopArchive', times: 1, fault: { type: 'failUpload' } } as const]
    let beginning = Number.POSITIVE_INFINITY
    const { status, result, trace } = await run({
      seed: 5,
      faults,
      decide({ caller, operation, now }) {
        if (caller !== 'RescueArchive' || !operation.startsWith('platform ')) return undefined
        beginning = Math.min(beginning, now)
        return now < beginning + 200_000 ? { kind: '500' } : undefined
      },
    })
    expect([status, result?.recordings.filter(({ rescued }) => rescued)]).toEqual(['succeeded', [expect.anything()]])
    expect(timesOf(trace, 'rescue: execution succeeded').length).toBeGreaterThan(1)
  })

  it.each([
    ['is live', 'GoLive', 0],
    ['waits for its audience', 'CheckAudience', 700],
  ])('lives through an outage of the bucket of ten minutes while it %s', async (_when, last, comesAt) => {
    let beginning = Number.POSITIVE_INFINITY
    const { status, result } = await run({
      show: { ...show, duration: 1_800, audienceWait: 3_600 },
      participants: [{ name: 'Ada', comesAt }],
      decide({ caller, operation, now }) {
        if (caller === last) beginning = Math.min(beginning, now + 20_000)
        const isOut = now > beginning && now < beginning + 600_000
        return isOut && operation.startsWith('s3 ') ? { kind: '500' } : undefined
      },
    })
    expect([status, result?.reason]).toEqual(['succeeded', 'The planned end was reached.'])
  })

  it('leaves nothing running, and every recording in the bucket with its size', async () => {
    await simulateIn({ assembly, show, seed: 3 }, async ({ observer, scheduler }, { result }) => {
      const seen = await scheduler.drive(async () => {
        const platform = await observer.platform()
        const archives = await Array.fromAsync(platform.each.listArchives())
        const broadcasts = await Array.fromAsync(platform.each.listBroadcasts())
        const sizes = await Promise.all(
          archives.map(({ id, projectId }) => observer.storage.sizeOf(`${projectId}/${id}/archive.mp4`)),
        )
        return { archives, broadcasts, sizes }
      })
      expect(seen.archives).toHaveLength(2)
      expect(seen.broadcasts).toEqual([])
      for (const [index, { status, size }] of seen.archives.entries()) {
        expect(status).toBe('uploaded')
        expect(size).toBeGreaterThan(0)
        expect(seen.sizes[index]).toBe(size)
      }
      const tags = seen.archives.map(({ multiArchiveTag }) => multiArchiveTag).toSorted()
      expect(result?.recordings.map(({ tag }) => tag).toSorted()).toEqual(tags)
    })
  })

  it('traces every change of status, in the order of the lifecycle', async () => {
    const { trace } = await run()
    const statuses = (what: string) =>
      trace.flatMap((line) => (line.includes(` ${what} `) ? (line.split(' ').at(-1) ?? []) : []))
    const tag = (name: string) => trace.join('\n').match(new RegExp(`(archive|broadcast) \\S+/${name}/1`))?.[0] ?? ''
    expect(statuses(tag('program'))).toEqual(['started', 'stopped', 'uploaded'])
    expect(statuses(tag('live'))).toEqual(['started', 'stopped'])
  })

  it('brings the participants and takes them out again at their times', async () => {
    const { trace } = await run()
    const [started = Number.NaN] = timesOf(trace, '/1 started')
    expect(timesOf(trace, 'Linus -> platform joinSession -> 201')).toEqual([started + 6])
    expect(timesOf(trace, 'Grace -> platform leaveSession -> 204')).toEqual([started + 14])
    expect(timesOf(trace, 'Ada -> platform joinSession -> 201')[0]).toBeLessThanOrEqual(started)
  })

  it('publishes what arrives', async () => {
    const { leftOut, trace } = await run({ extraSeconds: 60 })
    expect(leftOut).toEqual({})
    expect(timesOf(trace, 'publish: execution succeeded')).toHaveLength(2)
  })

  it('reports what it leaves out', async () => {
    const leftOut = { StartPublish: 'it is not wanted' }
    const { trace, ...simulation } = await simulate({ assembly, show, seed: 1, leftOut })
    expect(simulation.leftOut).toEqual(leftOut)
    expect(timesOf(trace, 'cloud -> StartPublish left out')).toHaveLength(2)
  })

  it('lets no secret into trace or result', async () => {
    await simulateIn({ assembly, show, seed: 4 }, async ({ platform, cloud }, simulation) => {
      const text = JSON.stringify(simulation)
      for (const secret of [platform.sandbox.project.apiSecret, cloud.credentials.secretAccessKey]) {
        expect(secret.length).toBeGreaterThan(10)
        expect(text).not.toContain(secret)
      }
      expect(text).not.toMatch(/eyJ[\w-]+\.|X-Amz-Signature/) // tokens, signed addresses
    })
  })

  it('does not wait for an absent audience: the clock jumps', async () => {
    const { status, result, virtualSeconds } = await run({
      show: { ...show, audienceWait: 1_800 },
      participants: [],
    })
    expect(status).toBe('cancelled')
    expect(result?.recordings.every(({ lost }) => lost)).toBe(true)
    expect(virtualSeconds).toBeGreaterThanOrEqual(1_800)
  })

  it('follows a show of hours through several executions that watch', async () => {
    const { status, trace, virtualSeconds } = await run({ show: { ...show, duration: 10_000 } })
    expect(status).toBe('succeeded')
    expect(timesOf(trace, 'watch: execution started').length).toBeGreaterThan(1)
    expect(virtualSeconds).toBeGreaterThanOrEqual(10_000)
  })

  it('lists every problem of a show that the API refuses', async () => {
    const refused = run({ show: { ...show, duration: 0, colour: 'blue' } as ShowDocument })
    await expect(refused).rejects.toThrow(/The show is not valid.*\n.*duration.*\n.*colour is not a field/s)
    await expect(refused).rejects.toHaveProperty('name', 'SimulationError')
  })
})
