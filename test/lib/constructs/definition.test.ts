import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../../lib/constructs/definition.ts'
import { names } from '../../../lib/workflow/names.ts'
import { taskRetry } from '../../../lib/workflow/retries.ts'
import { tasks } from '../../../lib/workflow/tasks/tasks.ts'

type Scope = { States: Record<string, State> }
type State = Record<string, unknown> & { Branches?: Scope[]; ItemProcessor?: Scope }

/** Every state of a definition, those within others included. */
const statesOf = ({ States }: Scope): State[] =>
  Object.values(States).flatMap((state) => [
    state,
    ...(state.Branches ?? []).flatMap(statesOf),
    ...(state.ItemProcessor ? statesOf(state.ItemProcessor) : []),
  ])
const taskStates = (name: string) =>
  statesOf(JSON.parse(readDefinition(name).text)).filter(({ Resource }) => String(Resource).startsWith('${'))

describe('readDefinition', () => {
  it('gives every task, wherever it stands, its function’s timeout with room to spare and the retries of all', () => {
    for (const machine of ['show', 'watch', 'publish']) {
      for (const { Resource, TimeoutSeconds, Retry } of taskStates(machine)) {
        const [, task] = Object.entries(tasks).find(([name]) => Resource === `\${${names.substitution(name)}}`) ?? []
        expect(TimeoutSeconds).toBe((task?.timeout ?? 0) + 30)
        expect(Retry).toEqual(taskRetry)
      }
    }
  })

  it('names the tasks a machine uses, each once; together, all but the one that starts them', () => {
    const used = ['show', 'watch', 'publish'].flatMap((machine) => readDefinition(machine).tasks)
    expect(used.toSorted()).toEqual(
      Object.keys(tasks)
        .filter((task) => task !== 'startPublish')
        .toSorted(),
    )
  })

  it('leaves a machine run as a child to whoever grants it', () => {
    expect(readDefinition('show').text).toContain('"StateMachineArn":"${WatchMachine}"')
  })

  it('names a state that asks for a task there is not', () => {
    expect(() => readDefinition('../test/lib/constructs/unknown-task')).toThrow(
      'the state "Dance" asks for a task Dance, which does not exist.',
    )
  })
})
