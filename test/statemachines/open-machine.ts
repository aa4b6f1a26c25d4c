import { onTestFinished } from 'vitest'
import { createSteppedClock } from '../../lib/clock.ts'
import { readDefinition } from '../../lib/constructs/deploy/definition.ts'
import { names } from '../../lib/show/document/fields/names.ts'
import { createStepFunctions } from '../../local/cloud/states/step-functions.ts'

const START = Date.parse('2026-11-20T09:00:00Z')

const inAccount = (resource: string) => `arn:aws:${resource.replace(':', ':us-east-1:000000000000:')}`

export type Given = Readonly<Record<string, unknown>>
/** Tasks by name. A missing one fails its state. */
export type Tasks = Readonly<Record<string, (given: Given) => unknown>>

/** Opens a machine with its real definition on the project's interpreter, under a stepped clock, with tasks of a test. */
export function openMachine(name: 'publish' | 'show' | 'watch') {
  const clock = createSteppedClock(START)
  const arn = inAccount(`states:stateMachine:${name}`)
  let drawn = 0
  let tasks: Tasks = {}
  const calls: { task: string; at: number; given: Given }[] = []
  const states = createStepFunctions({
    clock,
    random: () => (drawn++ % 100) / 100, // also for the names of children
    region: 'us-east-1',
    account: '000000000000',
    invoke: async (functionArn, input) => {
      const task = functionArn.split(':').at(-1) ?? ''
      calls.push({ task, at: (clock.now() - START) / 1000, given: input as Given })
      const run = tasks[task]
      if (run) return run(input as Given)
      throw Object.assign(new Error(`There is no ${task} here.`), { name: 'TaskInputError' })
    },
  })
  onTestFinished(() => states.close())
  const { text, tasks: used } = readDefinition(name)
  const functions = new Map(used.map((task) => [names.substitution(task), inAccount(`lambda:function:${task}`)]))
  const definition = text.replace(
    /\$\{(\w+)\}/g,
    (_, resource: string) => functions.get(resource) ?? inAccount(`states:stateMachine:${resource}`),
  )
  states.addMachine({ arn, name, definition })
  const lastStateOf = (executionArn: string) =>
    states
      .executionHistory({ executionArn })
      .flatMap(({ stateEnteredEventDetails }) => stateEnteredEventDetails?.name ?? [])
      .at(-1)

  return {
    clock,
    /** The calls of tasks, with seconds since the start. */
    calls,
    timesOf: (task: string) => calls.filter((call) => call.task === task).map(({ at }) => at),
    /** Adds a machine in place of that of rescues. Returns a function that lists the input of each of its executions. */
    addRescue() {
      const rescueArn = inAccount('states:stateMachine:RescueMachine')
      const rescue = { QueryLanguage: 'JSONata', StartAt: 'Rescued', States: { Rescued: { Type: 'Succeed' } } }
      states.addMachine({ arn: rescueArn, name: 'RescueMachine', definition: JSON.stringify(rescue) })
      return () => states.listExecutions({ stateMachineArn: rescueArn }).map((one) => JSON.parse(one.input) as Given)
    },
    /** Runs the machine to its end with these tasks. Also returns the name of the state in which it ended. */
    async execute(input: object, answers: Tasks, executionName?: string) {
      tasks = answers
      const { executionArn } = states.startExecution({
        ...{ stateMachineArn: arn, input: JSON.stringify(input) },
        ...(executionName && { name: executionName }),
      })
      for (;;) {
        for (let round = 0; round < 20; round++) await clock.advance(0)
        const execution = states.describeExecution({ executionArn })
        if (execution.status !== 'RUNNING') return { ...execution, lastState: lastStateOf(executionArn) }
        clock.step()
      }
    },
  }
}
