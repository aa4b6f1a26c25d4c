import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { synthesizeTemplate } from '../../../../bin/local/assembly.ts'
import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import type { Assembly } from '../../../../local/cloud/assembly.ts'
import type { Chaos } from '../../../../local/simulation/chaos/chaos.ts'
import { demoParticipants } from '../../../../local/simulation/environment/participants.ts'
import type { Plan } from '../../../../local/simulation/generator/plan.ts'
import { simulate } from '../../../../local/simulation/simulate.ts'

const webinar: ShowDocument = JSON.parse(readFileSync('examples/webinar.json', 'utf8'))
const plan: Plan = {
  participants: demoParticipants,
  secrets: { 'stream-keys': { main: 'a-key' } },
  controls: [],
  appOutages: [],
  occurrences: 1,
}
let assembly: Assembly
beforeAll(async () => {
  assembly = await synthesizeTemplate()
})

const run = (changes: Partial<ShowDocument>, ...failures: NonNullable<Chaos['failures']>) =>
  simulate({ assembly, show: { ...webinar, ...changes }, seed: 1, plan, chaos: { failures } })
const broken = ({ faults }: Awaited<ReturnType<typeof simulate>>) =>
  Object.entries(faults).filter(([kind]) => kind.startsWith('broken'))

describe('startResourceFailures', () => {
  it('waits for a call until it is answered', async () => {
    const dialIns = [{ name: 'booth', uri: 'sip:hangup-10@pbx.example' }]
    const simulation = await run({ dialIns }, { at: 0, of: 'call' })
    expect(broken(simulation)).toEqual([['broken call', 1]])
    const words = simulation.trace.map((line) => line.trim().split(' '))
    const timeOf = (status: string) => Number(words.find((line) => line[1] === 'call' && line.at(-1) === status)?.[0])
    const brokenAt = Number(words.find((line) => line[1] === 'fault:')?.[0])
    expect(brokenAt).toBeGreaterThanOrEqual(timeOf('ACTIVE'))
    expect(brokenAt).toBeLessThan(timeOf('ACTIVE') + 1.5)
    expect(timeOf('HANGUP')).toBe(brokenAt)
  })

  it('lets an output connect before it loses its connection', async () => {
    const streamName = { secret: 'stream-keys#main' }
    const rtmp = [{ id: 'stage', serverUrl: 'rtmp://live.example.com/app', streamName }]
    const simulation = await run({ broadcasts: [{ name: 'live', rtmp }] }, { at: 0, of: 'rtmp target' })
    expect(broken(simulation)).toEqual([['broken rtmp target', 1]])
    expect(simulation.result?.broadcasts).toMatchObject([{ rtmp: [{ id: 'stage', status: 'offline' }] }])
  })

  it('breaks each at its time where it runs by then, and nothing of what a show does not have', async () => {
    const simulation = await run({}, { at: 9, of: 'archive' }, { at: 0, of: 'call' })
    expect(broken(simulation)).toEqual([['broken archive', 1]])
    expect(simulation.trace.find((line) => line.includes('fault:'))?.trim()).toMatch(/^9\.000 /)
  })
})
