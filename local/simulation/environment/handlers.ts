import type { Services } from '../../../lib/services.ts'
import { names } from '../../../lib/show/document/fields/names.ts'
import { lambdaOf, tasks } from '../../../lib/tasks/tasks.ts'
import { providePageFiles } from './guests/page-files.ts'

type Handle = (event: unknown, context: object) => Promise<unknown>

/** Creates a function’s handler on services of the simulation. */
export type MakeHandler = (services: Services) => Handle

/** Loads the real handlers, by the name of their function: `StartRecording`, `Api`. */
export async function loadHandlers(): Promise<ReadonlyMap<string, MakeHandler>> {
  providePageFiles()
  const loading = [...Object.keys(tasks), 'api', 'watch', 'join'].map(async (task): Promise<[string, MakeHandler]> => {
    const { on } = (await loadFunction(task)) as { on: MakeHandler }
    return [names.substitution(task), on]
  })
  return new Map(await Promise.all(loading))
}

/** Loads the handler of a function: a task, `api`, `watch` or `join`. */
export async function loadFunction(name: string): Promise<unknown> {
  const [folder, file] = lambdaOf(name).split('/')
  return (await import(`../../../lambdas/${folder}/${file}.ts`)).handler
}
