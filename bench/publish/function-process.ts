import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { givenByParent, serveParent } from '../subprocess.ts'

/** A deployed function: its bundle, in a separate process. */
export interface FunctionOptions {
  readonly folder: string
}

export interface Invocation {
  readonly event: object
}

export interface Invoked {
  readonly result: unknown
  readonly seconds: number
}

/** The fields of Lambda’s context that functions use. */
const context = { awsRequestId: 'bench', functionName: 'bench', getRemainingTimeInMillis: () => 900_000 }

const { folder } = givenByParent<FunctionOptions>()
process.stdout.write = () => true // drops its log: the bench’s output is on the same stream
const { handler } = await import(pathToFileURL(join(folder, 'index.mjs')).href)

serveParent({}, async ({ event }: Invocation): Promise<Invoked | { failure: string }> => {
  const since = performance.now()
  try {
    const result = await handler(event, context)
    const seconds = (performance.now() - since) / 1000
    return { result, seconds }
  } catch (error) {
    return { failure: String(error) }
  }
})
