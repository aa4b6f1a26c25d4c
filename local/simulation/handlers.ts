import type { Services } from '../../lib/services/services.ts'
import { names } from '../../lib/workflow/names.ts'
import { tasks } from '../../lib/workflow/tasks/tasks.ts'

type Handle = (event: unknown, context: object) => Promise<unknown>

/** Makes a function's handler on services of the simulation. */
export type MakeHandler = (services: Services) => Handle

/** The real handlers, by the name of their function: `StartRecording`, `Api`. */
export async function loadHandlers(): Promise<ReadonlyMap<string, MakeHandler>> {
  const loading = [...Object.keys(tasks), 'api'].map(async (task): Promise<[string, MakeHandler]> => {
    const { handler } = await import(`../../lambdas/${names.file(task)}.ts`)
    return [names.substitution(task), handler.on]
  })
  return new Map(await Promise.all(loading))
}
