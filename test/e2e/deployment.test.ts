import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { App, Stack } from 'aws-cdk-lib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createSteppedClock } from '../../lib/clock.ts'
import { readSettings } from '../../lib/constructs/deploy/settings.ts'
import { ShowrunnerFunction } from '../../lib/constructs/showrunner-function.ts'
import { WorkflowMachine } from '../../lib/constructs/workflow-machine.ts'
import { names } from '../../lib/show/document/fields/names.ts'
import { type Assembly, readAssembly } from '../../local/cloud/assembly.ts'
import { type Cloud, createCloud } from '../../local/cloud/cloud.ts'
import { createWorkerPool, type WorkerPool } from '../../local/cloud/functions/worker-pool.ts'

let directory: string
let workers: WorkerPool
let cloud: Cloud
const clock = createSteppedClock(Date.parse('2026-01-01T00:00:00Z'))

const settings = readSettings({
  platform: { url: 'https://platform.example.com' },
  identity: { issuer: 'https://issuer.example.com/' },
})

/** A small system: a machine that waits, calls a task, and then a child with a task of its own. */
interface System {
  /** Bundles, by task. */
  readonly bundles: Readonly<Record<'goLive' | 'watchShow', string>>
  readonly show: object
  readonly watch: object
}

/** Synthesizes it as `bin/app.ts` does the whole, by the same constructs. */
function synthesize(name: string, { bundles, show, watch }: System): Assembly {
  const folder = join(directory, name)
  const write = (path: string, file: string, text: string) => {
    mkdirSync(join(folder, path), { recursive: true })
    writeFileSync(join(folder, path, file), text)
  }
  const app = new App({ outdir: join(folder, 'assembly') })
  const stack = new Stack(app, 'Small')
  const functionOf = (task: string) => {
    const id = names.substitution(task)
    const made = stack.node.tryFindChild(id)
    if (made) return made as ShowrunnerFunction
    write(task, 'index.mjs', bundles[task as keyof System['bundles']])
    return new ShowrunnerFunction(stack, id, {
      ...{ code: join(folder, task), description: task, capabilities: [], timeout: 20, settings },
      resources: {} as never, // nothing is needed of them
    })
  }
  const machine = (file: string, definition: object, children = {}) => {
    write('machines', `${file}.asl.json`, JSON.stringify({ QueryLanguage: 'JSONata', ...definition }))
    const path = relative('statemachines', join(folder, 'machines', file))
    const props = { file: path, machineName: file, settings, functionOf, children }
    return new WorkflowMachine(stack, `${names.substitution(file)}Machine`, props)
  }
  machine('show', show, { WatchMachine: machine('watch', watch) })
  app.synth()
  return readAssembly(app.outdir)
}

/** Show, child and tasks all call the length by this unit, and refuse any other. */
const systemThatMeasuresIn = (unit: string): System => {
  const bundle = (words: string) => `export const handler = async (input) => {
    if (!Number.isFinite(input.${unit})) throw Object.assign(new Error('no ${unit}'), { name: 'TaskInputError' })
    return input.${unit} + ' ${unit} ${words}'
  }`
  const Argument = { [unit]: `{% $states.input.${unit} %}` }
  return {
    bundles: { goLive: bundle('live'), watchShow: bundle('watched') },
    show: {
      StartAt: 'Wait',
      States: {
        Wait: { Type: 'Wait', Seconds: 60, Next: 'Go live' },
        'Go live': {
          Type: 'Task',
          Resource: '${GoLive}',
          Arguments: Argument,
          Assign: { live: '{% $states.result %}' },
          Output: '{% $states.input %}',
          Next: 'Watch',
        },
        Watch: {
          Type: 'Task',
          Resource: 'arn:aws:states:::states:startExecution.sync:2',
          Arguments: { StateMachineArn: '${WatchMachine}', Input: Argument },
          Output: '{% [$live, $states.result.Output] %}',
          End: true,
        },
      },
    },
    watch: {
      StartAt: 'Watch show',
      States: { 'Watch show': { Type: 'Task', Resource: '${WatchShow}', Arguments: Argument, End: true } },
    },
  }
}

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'deployment-test-'))
  workers = createWorkerPool({ variables: () => ({}), clock, log: () => {} })
  let ids = 0
  cloud = createCloud({
    assembly: synthesize('minutes', systemThatMeasuresIn('minutes')),
    ...{ parameters: {}, apiUrl: 'http://api.invalid', clock, invoke: workers.invoke },
    randomHex: (digits) => (++ids).toString(16).padStart(digits, '0'),
    random: Math.random, // names of children only
  })
})
afterAll(async () => {
  await cloud.close()
  await workers.close()
  rmSync(directory, { recursive: true })
})

const machineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine'
const start = (input: object) =>
  cloud.stepFunctions.startExecution({ stateMachineArn: `${machineArn}:show`, input: JSON.stringify(input) })
const describeIt = ({ executionArn }: { executionArn: string }) =>
  cloud.stepFunctions.describeExecution({ executionArn })
/** Functions run in threads of their own, in real time. */
const ended = async (execution: { executionArn: string }) => {
  await vi.waitFor(() => expect(describeIt(execution).status).not.toBe('RUNNING'), { timeout: 300_000, interval: 10 })
  const { status, output, error, cause } = describeIt(execution)
  return output === undefined ? { status, error, cause } : JSON.parse(output)
}
const versionsOfWatch = () =>
  cloud.stepFunctions
    .listExecutions({ stateMachineArn: `${machineArn}:watch` })
    .map(({ stateMachineVersionArn }) => stateMachineVersionArn)

describe('a deployment that breaks what tasks and children take', () => {
  it('changes nothing for an execution under way, and everything for the next', async () => {
    const former = start({ minutes: 3 })
    await clock.advance(30_000)

    cloud.deploy(synthesize('seconds', systemThatMeasuresIn('seconds')))
    const next = start({ seconds: 180 })
    await clock.advance(30_000)
    expect(await ended(former)).toEqual(['3 minutes live', '3 minutes watched'])
    expect(versionsOfWatch()).toEqual([`${machineArn}:watch:1`])

    await clock.advance(30_000)
    expect(await ended(next)).toEqual(['180 seconds live', '180 seconds watched'])
    expect(versionsOfWatch()).toEqual([`${machineArn}:watch:2`, `${machineArn}:watch:1`])

    const outdated = start({ minutes: 3 })
    await clock.advance(60_000)
    expect(await ended(outdated)).toMatchObject({ status: 'FAILED' }) // so the two are not compatible
  })
})
