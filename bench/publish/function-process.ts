import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { timed } from '../figures.ts'
import { givenByParent, serveParent } from '../subprocess.ts'

/** The folder of a deployed function's bundle, which runs in a separate process. */
export interface FunctionOptions {
  readonly folder: string
}

/** The fields of Lambda’s context that functions use. */
const context = { awsRequestId: 'bench', functionName: 'bench', getRemainingTimeInMillis: () => 900_000 }

const { folder } = givenByParent<FunctionOptions>()
process.stdout.write = () => true // drops its log: the bench’s output is on the same stream
const { handler } = await import(pathToFileURL(join(folder, 'index.mjs')).href)

serveParent({}, ({ event }: { event: object }) => timed(() => handler(event, context)))
