import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { givenByParent, serveParent } from '../subprocess.ts'

/** A function as it is deployed: its bundle, in a process of its own. */
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

/** What Lambda tells of an invocation, as far as functions look at it. */
const context = { awsRequestId: 'bench', functionName: 'bench', getRemainingTimeInMillis: () => 900_000 }

const { folder } = givenByParent<FunctionOptions>()
process.stdout.write = () => true // its log; the bench's own output is on the same stream
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
