import { createRequire } from 'node:module'
import { createPlatformClient } from '../../lib/platform/client/client.ts'
import { eachAtOnce } from '../figures.ts'
import { givenByParent, serveParent } from '../subprocess.ts'

/** The client whose calls are measured: ours or the `opentok` package’s. */
export interface CallerOptions {
  readonly caller: 'client' | 'opentok'
  readonly url: string
  readonly apiKey: string
  readonly apiSecret: string
  readonly archiveId: string
}

export interface CallsQuestion {
  readonly calls: number
}

/** Microseconds of processor time of the whole process, per call. */
export interface CallsAnswer {
  readonly cpuPerCall: number
}

/** Number of concurrent calls. The cost of a single one would be dominated by sleeping and waking up. */
const AT_ONCE = 8

const options = givenByParent<CallerOptions>()
const getArchive = options.caller === 'client' ? clientCall(options) : opentokCall(options)

serveParent({}, async ({ calls }: CallsQuestion) => {
  const start = process.cpuUsage()
  await eachAtOnce(Array.from({ length: calls }), AT_ONCE, async () => {
    const archive = await getArchive()
    if (archive.id !== options.archiveId) throw new Error('The client received another archive than it requested.')
  })
  const { user, system } = process.cpuUsage(start)
  return { cpuPerCall: (user + system) / calls } satisfies CallsAnswer
})

function clientCall({ url, apiKey, apiSecret, archiveId }: CallerOptions): () => Promise<{ id: string }> {
  const client = createPlatformClient({ baseUrl: url, apiKey, apiSecret })
  return () => client.getArchive({ archiveId })
}

interface ForeignClient {
  getArchive(archiveId: string, done: (error: Error | null, archive: { id: string }) => void): void
}

function opentokCall({ url, apiKey, apiSecret, archiveId }: CallerOptions): () => Promise<{ id: string }> {
  const OpenTok = createRequire(import.meta.url)('opentok') as new (...given: string[]) => ForeignClient
  const client = new OpenTok(apiKey, apiSecret, url)
  return () =>
    new Promise((resolve, reject) => {
      client.getArchive(archiveId, (error, archive) => (error ? reject(error) : resolve(archive)))
    })
}
