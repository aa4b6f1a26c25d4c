import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSteppedClock, type SteppedClock } from '../../lib/clock.ts'
import { readDefinition } from '../../lib/constructs/deploy/definition.ts'
import { names } from '../../lib/show/document/fields/names.ts'
import { INTERRUPTED } from '../../lib/show/plan/show-outcome.ts'
import { createStepFunctions } from '../../local/cloud/states/step-functions.ts'

const inAccount = (resource: string) => `arn:aws:${resource.replace(':', ':us-east-1:000000000000:')}`
const machine = inAccount('states:stateMachine:show')
const START = Date.parse('2026-11-20T09:00:00Z')

type Given = Readonly<Record<string, unknown>>
/** Tasks by name. A missing one fails its state. */
let tasks: Record<string, (given: Given) => unknown>
let clock: SteppedClock
let states: ReturnType<typeof createStepFunctions>
let calls: { task: string; at: number; given: Given }[]

beforeEach(() => {
  clock = createSteppedClock(START)
  let drawn = 0
  calls = []
  states = createStepFunctions({
    clock,
    random: () => (drawn++ % 100) / 100, // also for the names of children
    region: 'us-east-1',
    account: '000000000000',
    invoke: async (arn, input) => {
      const task = arn.split(':').at(-1) ?? ''
      calls.push({ task, at: (clock.now() - START) / 1000, given: input as Given })
      const run = tasks[task]
      if (run) return run(input as Given)
      throw Object.assign(new Error(`There is no ${task} here.`), { name: 'TaskInputError' })
    },
  })
  const { text, tasks: used } = readDefinition('show')
  const functions = new Map(used.map((task) => [names.substitution(task), inAccount(`lambda:function:${task}`)]))
  const definition = text.replace(
    /\$\{(\w+)\}/g,
    (_, name: string) => functions.get(name) ?? inAccount(`states:stateMachine:${name}`),
  )
  states.addMachine({ arn: machine, name: 'show', definition })
})
afterEach(() => states.close())

const accepted = { showId: 'a-show', sessionId: null, scenes: [], dialIns: [], recordings: ['program'], broadcasts: [] }

async function execute(input: object) {
  const { executionArn } = states.startExecution({ stateMachineArn: machine, input: JSON.stringify(input) })
  for (;;) {
    for (let round = 0; round < 20; round++) await clock.advance(0)
    const execution = states.describeExecution({ executionArn })
    if (execution.status !== 'RUNNING') return execution
    clock.step()
  }
}

const timesOf = (name: string) => calls.filter(({ task }) => task === name).map(({ at }) => at)

describe('the show machine', () => {
  const ending = {
    stopShow: () => ({ stopped: 0 }),
    checkUploads: () => ({ over: true, arrived: 0, awaited: 0, waitSeconds: 0, stranded: [] }),
    reportShow: () => ({ status: 'succeeded', reason: 'It ended.' }),
  }

  it('waits for its start, with the same request each time', async () => {
    const waits = [2, 5, 0]
    tasks = {
      ...ending,
      acceptShow: () => ({ ...accepted, closing: false, waitSeconds: waits[timesOf('acceptShow').length - 1] }),
    }
    const { status } = await execute({ showId: 'a-show' })
    expect(status).toBe('SUCCEEDED')
    expect(timesOf('acceptShow')).toEqual([0, 2, 7])
    expect(timesOf('openSession')).toEqual([7])
    const requests = calls.filter(({ task }) => task === 'acceptShow').map(({ given }) => given.request)
    expect(requests).toEqual(Array(3).fill({ showId: 'a-show' }))
  })

  it('begins nothing where it only closes a show', async () => {
    tasks = { ...ending, acceptShow: () => ({ ...accepted, closing: true, waitSeconds: 0 }) }
    await execute({ showId: 'a-show', closing: true })
    expect(calls.map(({ task }) => task)).toEqual(['acceptShow', 'stopShow', 'checkUploads', 'reportShow'])
    expect(calls[1]?.given).toMatchObject({ reason: INTERRUPTED })
  })

  it('checks again after every rescue, until nothing more can be rescued', async () => {
    const stranded = [{ name: 'program', part: 1, archiveId: 'kept' }]
    const looks = [
      { over: true, stranded },
      { over: false, stranded: [], waitSeconds: 60 },
      { over: true, stranded },
      { over: true, stranded: [] },
    ]
    tasks = {
      ...ending,
      acceptShow: () => ({ ...accepted, closing: true, waitSeconds: 0 }),
      checkUploads: () => ({
        ...{ arrived: 0, awaited: 0, waitSeconds: 0 },
        ...looks[timesOf('checkUploads').length - 1],
      }),
    }
    const name = 'RescueMachine'
    const rescue = { QueryLanguage: 'JSONata', StartAt: 'Rescued', States: { Rescued: { Type: 'Succeed' } } }
    const arn = inAccount(`states:stateMachine:${name}`)
    states.addMachine({ arn, name, definition: JSON.stringify(rescue) })
    await execute({ showId: 'a-show', closing: true })
    expect(timesOf('checkUploads')).toEqual([0, 0, 60, 60])
    const inputs = states.listExecutions({ stateMachineArn: arn }).map(({ input }) => JSON.parse(input))
    expect(inputs).toMatchObject(Array(2).fill({ showId: 'a-show', stranded }))
    expect(timesOf('reportShow')).toEqual([60])
  })
})
