import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../lib/clock.ts'
import { readDefinition } from '../../lib/constructs/definition.ts'
import { createStepFunctions } from '../../local/cloud/states/step-functions.ts'

const machine = 'arn:aws:states:us-east-1:000000000000:stateMachine:publish'
const arrival = { bucket: 'media', key: '1/a/archive.mp4', etag: 'e' }
const inspection = { archiveId: 'a', formats: ['poster'], access: 'signed', keepDays: 30 as number | null }
const poster = { role: 'poster', key: 'p', size: 1, sha256: 'aa' }

type Answers = Readonly<Record<string, (input: never) => unknown>>

let states: ReturnType<typeof createStepFunctions>
/** Tasks that ran, with what each was given. */
let calls: Map<string, unknown>
let answers: Answers

beforeEach(() => {
  calls = new Map()
  states = createStepFunctions({
    clock: createSteppedClock(Date.parse('2026-11-20T09:00:00Z')),
    random: () => 0.5,
    region: 'us-east-1',
    account: '000000000000',
    async invoke(arn, input) {
      const task = arn.split(':').at(-1) ?? ''
      const { execution, ...own } = input as { execution: string }
      expect(execution).toContain(':execution:publish:') // for the log of each
      calls.set(task, own)
      return answers[task]?.(input as never)
    },
  })
  const definition = readDefinition('publish').text.replace(
    /\$\{(\w+)\}/g,
    (_, task: string) => `arn:aws:lambda:us-east-1:000000000000:function:${task}`,
  )
  states.addMachine({ arn: machine, name: 'publish', definition })
})
afterEach(() => states.close())

/** Runs the machine to its end; each task answers as told, or as it does when all is well. */
async function publish(changes: Answers = {}) {
  answers = {
    InspectRecording: () => inspection,
    MakePoster: () => ({ files: [poster] }),
    HashSource: () => ({ sha256: 'bb' }),
    WriteManifest: () => ({ archiveId: 'a', status: 'complete' }),
    ...changes,
  }
  const { executionArn } = states.startExecution({
    stateMachineArn: machine,
    name: 'arrival',
    input: JSON.stringify(arrival),
  })
  await expect.poll(() => states.describeExecution({ executionArn }).status).not.toBe('RUNNING')
  const entered = states
    .executionHistory({ executionArn })
    .flatMap(({ stateEnteredEventDetails }) => stateEnteredEventDetails?.name ?? [])
  return { ...states.describeExecution({ executionArn }), last: entered.at(-1) }
}

const failing = (name: string) => () => {
  throw Object.assign(new Error('It is broken.'), { name })
}

describe('the publish machine', () => {
  it('makes what the show asked for, marked with how long it is kept, and publishes it', async () => {
    expect(await publish()).toMatchObject({ status: 'SUCCEEDED', last: 'Published' })
    expect(calls.get('MakePoster')).toEqual({ ...arrival, archiveId: 'a', keepDays: 30 })
    expect(calls.get('WriteManifest')).toEqual({
      ...arrival,
      executionName: 'arrival',
      inspection,
      sha256: 'bb',
      files: [poster],
      failure: null,
    })
  })

  it.each([[[]], [['other']]])('makes no poster for %j, and its manifest and hash all the same', async (formats) => {
    const wanted = { ...inspection, formats, keepDays: null }
    expect(await publish({ InspectRecording: () => wanted })).toMatchObject({ status: 'SUCCEEDED' })
    expect([...calls.keys()].sort()).toEqual(['HashSource', 'InspectRecording', 'WriteManifest'])
    expect(calls.get('WriteManifest')).toMatchObject({ inspection: wanted, files: [], sha256: 'bb' })
  })

  it('leaves a file that has been replaced to its own execution', async () => {
    const WriteManifest = () => ({ archiveId: 'a', status: 'replaced' })
    expect(await publish({ WriteManifest })).toMatchObject({ status: 'SUCCEEDED', last: 'Replaced' })
  })

  it('publishes why it could not be inspected, and fails', async () => {
    const WriteManifest = () => ({ archiveId: 'a', status: 'failed', message: 'It is broken.' })
    const ended = await publish({ InspectRecording: failing('MediaError'), WriteManifest })
    expect(ended).toMatchObject({ status: 'FAILED', error: 'PublishFailed', cause: 'It is broken.' })
    expect(calls.get('WriteManifest')).toMatchObject({ inspection: null, files: [], failure: { Error: 'MediaError' } })
  })

  it('keeps what was inspected when something could not be made of it', async () => {
    await publish({ MakePoster: failing('MediaError') })
    expect(calls.get('WriteManifest')).toMatchObject({ inspection, failure: { Error: 'MediaError' } })
  })

  it('fails when not even that can be written', async () => {
    const ended = await publish({ WriteManifest: failing('TaskConfigError') })
    expect(ended).toMatchObject({ status: 'FAILED', error: 'Unpublished' })
  })
})
